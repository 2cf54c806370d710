//! The Name Auction: pools of d6 of which the highest counts.

use rollbook_rules::Outcome;
use rollbook_rules::Outcome::{CriticalSuccess, Failure, PartialSuccess, Success};

use super::Shipped;
use crate::systems::table::{Faces, Says, says};

/// Two sixes need two dice; a six is not four or five; and a six that the third row takes as well,
/// the second has.
const HARMLESS: &[&str] = &["1 as 2 in row 1", "rows 2 and 3 swapped", "5 as 6 in row 3"];

type Ends = [(Outcome, &'static str); 4];

fn pool(ends: Ends, rating: i64, faces: &Faces<'_>) -> (Says, Vec<i64>) {
    let dice = faces.dice(if rating > 0 { rating } else { 2 }, 6);
    let counts = if rating > 0 {
        dice.iter().max()
    } else {
        dice.iter().min()
    };
    let end = match counts {
        Some(6) if rating > 0 && dice.iter().filter(|die| **die == 6).count() > 1 => 0,
        Some(6) => 1,
        Some(4 | 5) => 2,
        _ => 3,
    };
    (says(ends[end].0, ends[end].1, None), dice)
}

#[test]
fn an_action_in_each_position() {
    for check in ["Controlled", "Risky", "Desperate"] {
        Shipped {
            adventure: "name-auction",
            check,
            varies: &[
                ("modifier", -1, 6),
                ("push", 0, 1),
                ("Moderate harm", 0, 2),
                ("Stress", 0, 9),
            ],
            reference: |values, faces| {
                let ends = [
                    (CriticalSuccess, "Critical"),
                    (Success, "Clean"),
                    (PartialSuccess, "Costly"),
                    (Failure, "Bad"),
                ];
                let rating = values[0] + values[1] - values[2].min(1);
                let (verdict, dice) = pool(ends, rating, faces);
                let seen = dice.iter().filter(|die| **die == 1).count() > 1;
                Says {
                    flags: if seen { vec!["seen"] } else { Vec::new() },
                    ..verdict
                }
            },
            harmless: HARMLESS,
            odds: &[
                (
                    &[3, 0, 0, 0],
                    &["--character", "W: Slip 3", "--attribute", "Slip"],
                ),
                (
                    &[3, 0, 0, 0],
                    &[
                        "--character",
                        "W: Slip 2",
                        "--attribute",
                        "Slip",
                        "--modifier",
                        "1",
                    ],
                ),
                (
                    &[0, 0, 0, 0],
                    &["--character", "W: Slip 2, Rig 0", "--attribute", "Rig"],
                ),
            ],
        }
        .holds();
    }
}

/// Resistance has a row a face with its own stress, which its playtests compare; rows with one
/// label differ in nothing else.
const BY_FACE: &[&str] = &[
    "1 as 2 in row 1",
    "rows 2 and 3 swapped",
    "rows 3 and 4 swapped",
    "rows 4 and 5 swapped",
    "row 5 left out",
    "rows 5 and 6 swapped",
    "3 as 4 in row 5",
    "3 as 2 in row 5",
    "row 6 left out",
    "rows 6 and 7 swapped",
    "2 as 3 in row 6",
    "2 as 1 in row 6",
];

#[test]
fn a_resistance() {
    Shipped {
        adventure: "name-auction",
        check: "Resistance",
        varies: &[("modifier", -1, 6)],
        reference: |values, faces| {
            let ends = [
                (CriticalSuccess, "Untouched"),
                (Success, "Shrugged off"),
                (Success, "Lightly"),
                (PartialSuccess, "Dearly"),
            ];
            pool(ends, values[0], faces).0
        },
        harmless: BY_FACE,
        odds: &[(&[2], &["--character", "W: Poise 2", "--skill", "Poise"])],
    }
    .holds();
}

#[test]
fn an_opening() {
    Shipped {
        adventure: "name-auction",
        check: "Opening",
        varies: &[("edge", -1, 4)],
        reference: |values, faces| {
            let ends = [
                (CriticalSuccess, "Ahead of them"),
                (Success, "In hand"),
                (PartialSuccess, "Exposed"),
                (Failure, "In trouble"),
            ];
            pool(ends, values[0], faces).0
        },
        harmless: HARMLESS,
        odds: &[
            (&[2], &["--character", "W: Slip 2", "--value", "edge=2"]),
            (&[1], &["--character", "W: Slip 2"]),
        ],
    }
    .holds();
}
