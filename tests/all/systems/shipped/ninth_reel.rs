//! The Ninth Reel: a trait die and a luck die, both of which explode; the better one counts.

use rollbook_rules::Outcome::{CriticalFailure, CriticalSuccess, Failure, Success};

use super::Shipped;
use crate::systems::against::aced;
use crate::systems::table::{Faces, Says, says};

const PERSON: &str = "D: MUS 6, REF 10, NER 8, BRA 4, CHA 6, Falling +2, Scrapping +1";

/// The trait, the skill, the wounds and the number; the words for a raise, a success and a failure.
fn better(labels: [&'static str; 3], values: &[i64], faces: &Faces<'_>) -> Says {
    let (face, sum) = aced(values[0], faces);
    let (luck_face, luck) = aced(6, faces);
    let margin = sum.max(luck) + values[1] - values[2] - values[3];
    degrees(face == 1 && luck_face == 1, labels, margin)
}

fn degrees(disaster: bool, labels: [&'static str; 3], margin: i64) -> Says {
    match margin {
        _ if disaster => says(CriticalFailure, "Disaster", margin),
        4.. => says(CriticalSuccess, labels[0], margin),
        0..=3 => says(Success, labels[1], margin),
        _ => says(Failure, labels[2], margin),
    }
}

#[test]
fn a_stunt() {
    Shipped {
        adventure: "ninth-reel",
        check: "Stunt",
        varies: &[
            ("attribute", 4, 12),
            ("skill", 0, 4),
            ("Wounds", 0, 3),
            ("difficulty", 1, 10),
        ],
        reference: |values, faces| better(["Raise", "Success", "Fluff"], values, faces),
        harmless: &[],
        odds: &[
            (
                &[10, 2, 0, 4],
                &["--character", PERSON, "--skill", "Falling"],
            ),
            (
                &[10, 2, 1, 8],
                &[
                    "--character",
                    PERSON,
                    "--skill",
                    "Falling",
                    "--value",
                    "Wounds=1",
                    "--difficulty",
                    "8",
                ],
            ),
            (
                &[4, 0, 0, 4],
                &["--character", PERSON, "--attribute", "Brains"],
            ),
        ],
    }
    .holds();
}

#[test]
fn a_scrap() {
    Shipped {
        adventure: "ninth-reel",
        check: "Scrap",
        varies: &[
            ("attribute", 4, 12),
            ("skill", 0, 6),
            ("Wounds", 0, 3),
            ("Parry", 2, 10),
        ],
        reference: |values, faces| better(["Flattened", "Hit", "Missed"], values, faces),
        harmless: &[],
        odds: &[(
            &[10, 1, 0, 6],
            &[
                "--character",
                PERSON,
                "--skill",
                "Scrapping",
                "--value",
                "target Parry=6",
            ],
        )],
    }
    .holds();
}

#[test]
fn a_walk_on() {
    Shipped {
        adventure: "ninth-reel",
        check: "Walk-on",
        varies: &[("attribute", 4, 12), ("skill", 0, 5), ("difficulty", 1, 10)],
        reference: |values, faces| {
            let (face, sum) = aced(values[0], faces);
            degrees(
                face == 1,
                ["Raise", "Success", "Fluff"],
                sum + values[1] - values[2],
            )
        },
        harmless: &[],
        odds: &[(&[10, 2, 4], &["--character", PERSON, "--skill", "Falling"])],
    }
    .holds();
}
