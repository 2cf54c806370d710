//! The Long Pour: four degrees of success, moved by a natural 20 and a natural 1.

use rollbook_rules::Outcome;
use rollbook_rules::Outcome::{CriticalFailure, CriticalSuccess, Failure, Success};

use super::Shipped;
use crate::systems::against::degree;
use crate::systems::table::{Faces, Says, says};

const OUTCOMES: [Outcome; 4] = [CriticalFailure, Failure, Success, CriticalSuccess];

fn named(labels: [&'static str; 4], bonus: i64, target: i64, faces: &Faces<'_>) -> Says {
    let die = faces.die(20);
    let margin = die + bonus - target;
    let degree = degree(die, margin);
    says(OUTCOMES[degree], labels[degree], margin)
}

#[test]
fn a_check() {
    Shipped {
        adventure: "long-pour",
        check: "Check",
        varies: &[("modifier", -2, 12), ("difficulty", 5, 30)],
        reference: |values, faces| {
            let labels = ["Critical failure", "Failure", "Success", "Critical success"];
            named(labels, values[0], values[1], faces)
        },
        harmless: &[],
        odds: &[
            (
                &[7, 15],
                &[
                    "--character",
                    "I: INT 2, Craft +5",
                    "--skill",
                    "Craft",
                    "--difficulty",
                    "15",
                ],
            ),
            (
                &[0, 25],
                &[
                    "--character",
                    "I: INT 0",
                    "--skill",
                    "Craft",
                    "--difficulty",
                    "25",
                ],
            ),
        ],
    }
    .holds();
}

#[test]
fn a_strike() {
    Shipped {
        adventure: "long-pour",
        check: "Strike",
        varies: &[("modifier", -12, 12), ("armour class", 10, 30)],
        reference: |values, faces| {
            named(
                ["Fumble", "Miss", "Hit", "Critical hit"],
                values[0],
                values[1],
                faces,
            )
        },
        harmless: &[],
        odds: &[(
            &[4, 15],
            &[
                "--character",
                "I: STR 1, Arms +3",
                "--skill",
                "Arms",
                "--value",
                "target armour class=15",
            ],
        )],
    }
    .holds();
}

#[test]
fn a_save() {
    Shipped {
        adventure: "long-pour",
        check: "Save",
        varies: &[("modifier", -2, 12), ("difficulty", 5, 30)],
        reference: |values, faces| {
            named(
                ["Caught badly", "Caught", "Saved", "Untouched"],
                values[0],
                values[1],
                faces,
            )
        },
        harmless: &[],
        odds: &[(
            &[6, 18],
            &[
                "--character",
                "I: WIS 3, Will +3",
                "--skill",
                "Will",
                "--difficulty",
                "18",
            ],
        )],
    }
    .holds();
}

#[test]
fn a_recovery() {
    Shipped {
        adventure: "long-pour",
        check: "Recovery",
        varies: &[("dying", 0, 4)],
        reference: |values, faces| {
            named(
                ["Sinking", "Slipping", "Holding", "Rallying"],
                0,
                10 + values[0],
                faces,
            )
        },
        // Only a 20 is ever ten past it, and a 20 is one step better anyway.
        harmless: &["rows 1 and 2 swapped", "10 as 11 in row 1"],
        odds: &[(&[2], &["--character", "I: CON 1, Dying 2"])],
    }
    .holds();
}
