//! The Lockhouse: one die against a difficulty, without a table.

use rollbook_rules::Outcome::{Failure, Success};

use super::Shipped;
use crate::systems::table::{Faces, Game, Says, says};

const VARIES: &[(&str, i64, i64)] = &[("modifier", -4, 8), ("difficulty", 5, 25)];

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    let margin = faces.die(20) + values[0] - values[1];
    if margin >= 0 {
        says(Success, "success", margin)
    } else {
        says(Failure, "failure", margin)
    }
}

#[test]
fn the_check() {
    let odds: &[(&[i64], &[&str])] = &[
        (
            &[4, 15],
            &[
                "--character",
                "A: DEX 14, Stealth +2",
                "--skill",
                "Stealth",
                "--difficulty",
                "15",
            ],
        ),
        (
            &[-1, 12],
            &[
                "--character",
                "A: DEX 9",
                "--skill",
                "Stealth",
                "--difficulty",
                "12",
            ],
        ),
    ];
    Shipped {
        adventure: "lockhouse",
        check: "Check",
        varies: VARIES,
        reference,
        harmless: &[],
        odds,
    }
    .holds();
}

#[test]
fn another_roll_is_another_check() {
    let rules = include_str!("../../../../adventures/lockhouse/System.md");
    Game {
        rules,
        check: "Check",
        varies: VARIES,
        reference,
    }
    .holds(&[
        ("- Roll: `1d20 + {modifier}`", "- Roll: `1d12 + {modifier}`"),
        ("- Roll: `1d20 + {modifier}`", "- Roll: `2d10 + {modifier}`"),
    ]);
}
