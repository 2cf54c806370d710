//! The Ninth Reel: a trait die and a luck die, both of which explode; the better one counts.

use rollbook_rules::Outcome::{CriticalFailure, CriticalSuccess, Failure, Success};

use super::Shipped;
use crate::systems::against::aced;
use crate::systems::table::{Faces, Says, says};

const PERSON: &str = "D: MUS 6, REF 10, NER 8, BRA 4, CHA 6, Falling +2, Scrapping +1";

/// The trait, the skill, the wounds, the number, and 1 for an extra, who has no luck die; the words
/// for a raise, a success and a failure.
fn better(labels: [&'static str; 3], values: &[i64], faces: &Faces<'_>) -> Says {
    let (face, sum) = aced(values[0], faces);
    if values[4] == 1 {
        return degrees(face == 1, labels, sum + values[1] - values[2] - values[3]);
    }
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
            ("Extra", 0, 1),
        ],
        reference: |values, faces| better(["Raise", "Success", "Fluff"], values, faces),
        harmless: &[],
        odds: &[
            (
                &[10, 2, 0, 4, 0],
                &["--character", PERSON, "--skill", "Falling"],
            ),
            (
                &[10, 2, 1, 8, 0],
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
                &[4, 0, 0, 4, 0],
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
            ("Extra", 0, 1),
        ],
        reference: |values, faces| better(["Flattened", "Hit", "Missed"], values, faces),
        harmless: &[],
        odds: &[(
            &[10, 1, 0, 6, 0],
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
fn walking_it_off() {
    Shipped {
        adventure: "ninth-reel",
        check: "Walk it off",
        varies: &[("attribute", 4, 12), ("skill", 0, 5), ("Wounds", 0, 3)],
        reference: |values, faces| {
            let values = [values[0], values[1], values[2], 4, 0];
            better(["Nothing much", "A graze", "It hurts"], &values, faces)
        },
        // Two ones are no raise, with any knack.
        harmless: &["rows 1 and 2 swapped"],
        odds: &[(
            &[6, 0, 0],
            &["--character", PERSON, "--attribute", "Muscle"],
        )],
    }
    .holds();
}
