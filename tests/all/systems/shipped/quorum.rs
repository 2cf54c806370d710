//! The Quorum: four Fudge dice and a skill. Defend and Contest have no outcomes of their own.

use rollbook_rules::Outcome::{CriticalSuccess, Failure, PartialSuccess, Success};

use super::Shipped;
use crate::systems::table::{Faces, Says, says};

const VARIES: &[(&str, i64, i64)] = &[("skill", 0, 4), ("difficulty", -2, 8)];
/// One or more and none at all have no margin in common.
const HARMLESS: &[&str] = &["rows 2 and 3 swapped"];

fn shifts(labels: [&'static str; 4], values: &[i64], faces: &Faces<'_>) -> Says {
    let dice = (0..4).map(|_| faces.between(-1, 1));
    let shifts = dice.sum::<i64>() + values[0] - values[1];
    match shifts {
        3.. => says(CriticalSuccess, labels[0], shifts),
        1 | 2 => says(Success, labels[1], shifts),
        0 => says(PartialSuccess, labels[2], shifts),
        _ => says(Failure, labels[3], shifts),
    }
}

fn task(values: &[i64], faces: &Faces<'_>) -> Says {
    shifts(
        ["Succeed with style", "Succeed", "Tie", "Fail"],
        values,
        faces,
    )
}

#[test]
fn overcome() {
    let odds: &[(&[i64], &[&str])] = &[
        (
            &[4, 3],
            &[
                "--character",
                "B: Engineer 4",
                "--skill",
                "Engineer",
                "--difficulty",
                "3",
            ],
        ),
        (
            &[0, 2],
            &[
                "--character",
                "B: Engineer 4",
                "--skill",
                "Pilot",
                "--difficulty",
                "2",
            ],
        ),
    ];
    Shipped {
        adventure: "quorum",
        check: "Overcome",
        varies: VARIES,
        reference: task,
        harmless: HARMLESS,
        odds,
    }
    .holds();
}

#[test]
fn create_an_advantage() {
    let check = "Create an Advantage";
    let odds: &[(&[i64], &[&str])] = &[(
        &[3, 2],
        &[
            "--character",
            "B: Notice 3",
            "--skill",
            "Notice",
            "--difficulty",
            "2",
        ],
    )];
    Shipped {
        adventure: "quorum",
        check,
        varies: VARIES,
        reference: task,
        harmless: HARMLESS,
        odds,
    }
    .holds();
}

#[test]
fn attack() {
    Shipped {
        adventure: "quorum",
        check: "Attack",
        varies: VARIES,
        reference: |values, faces| {
            let verdict = shifts(["Hit with style", "Hit", "Tie", "Miss"], values, faces);
            Says {
                values: verdict
                    .margin
                    .map(|margin| ("shifts", margin))
                    .into_iter()
                    .collect(),
                ..verdict
            }
        },
        harmless: HARMLESS,
        odds: &[(
            &[2, 1],
            &[
                "--character",
                "B: Fight 2",
                "--skill",
                "Fight",
                "--difficulty",
                "1",
            ],
        )],
    }
    .holds();
}
