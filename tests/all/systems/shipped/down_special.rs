//! The Down Special: percentile, low is good.

use rollbook_rules::Outcome::{CriticalFailure, CriticalSuccess, Failure, Success};

use super::Shipped;
use crate::systems::table::{Faces, Says, says};
use crate::systems::under::percent;

fn skill_roll(values: &[i64], faces: &Faces<'_>) -> Says {
    let (skill, roll) = (values[0], percent(values[1], faces));
    let margin = skill - roll;
    if roll == 1 {
        says(CriticalSuccess, "Critical", margin)
    } else if roll == 100 || (skill < 50 && roll > 95) {
        says(CriticalFailure, "Fumble", margin)
    } else if roll <= skill / 5 {
        says(Success, "Extreme", margin)
    } else if roll <= skill / 2 {
        says(Success, "Hard", margin)
    } else if roll <= skill {
        says(Success, "Regular", margin)
    } else {
        says(Failure, "Failure", margin)
    }
}

#[test]
fn a_skill_roll() {
    Shipped {
        adventure: "down-special",
        check: "Skill roll",
        varies: &[("skill", 1, 99), ("bonus", -2, 2)],
        reference: skill_roll,
        // One is not a hundred; both fumbles are the same; and a fifth of less than fifty is less
        // than ninety-six.
        harmless: &[
            "rows 1 and 2 swapped",
            "rows 2 and 3 swapped",
            "rows 3 and 4 swapped",
        ],
        odds: &[
            (
                &[60, 0],
                &["--character", "C: Sorting 60", "--skill", "Sorting"],
            ),
            (
                &[20, -1],
                &[
                    "--character",
                    "C: Sorting 60",
                    "--skill",
                    "Climb",
                    "--value",
                    "bonus=-1",
                ],
            ),
            (
                &[45, 2],
                &[
                    "--character",
                    "C: Spot 45",
                    "--skill",
                    "Spot",
                    "--value",
                    "bonus=2",
                ],
            ),
        ],
    }
    .holds();
}

#[test]
fn an_attribute_roll() {
    Shipped {
        adventure: "down-special",
        check: "Attribute roll",
        varies: &[("attribute", 15, 90), ("bonus", -2, 2)],
        reference: |values, faces| {
            let roll = percent(values[1], faces);
            let margin = values[0] - roll;
            match roll {
                roll if roll * 2 <= values[0] => says(Success, "Hard", margin),
                roll if roll <= values[0] => says(Success, "Regular", margin),
                _ => says(Failure, "Failure", margin),
            }
        },
        harmless: &[],
        odds: &[(
            &[55, 1],
            &[
                "--character",
                "C: WIT 55",
                "--attribute",
                "WIT",
                "--value",
                "bonus=1",
            ],
        )],
    }
    .holds();
}

#[test]
fn a_nerve_roll() {
    Shipped {
        adventure: "down-special",
        check: "Nerve roll",
        varies: &[("nerve", 0, 99), ("least", 0, 1), ("most", 1, 6)],
        reference: |values, faces| {
            let roll = faces.die(100);
            let margin = values[0] - roll;
            let verdict = match roll {
                roll if roll <= values[0] => says(Success, "Steady", margin),
                96.. => says(CriticalFailure, "Overcome", margin),
                _ => says(Failure, "Shaken", margin),
            };
            Says {
                values: vec![("least", values[1]), ("most", values[2])],
                ..verdict
            }
        },
        harmless: &[],
        odds: &[(
            &[60, 1, 6],
            &[
                "--character",
                "C: SPI 60",
                "--value",
                "least=1",
                "--value",
                "most=6",
            ],
        )],
    }
    .holds();
}

#[test]
fn a_luck_roll() {
    Shipped {
        adventure: "down-special",
        check: "Luck roll",
        varies: &[("luck", 0, 99)],
        reference: |values, faces| {
            let margin = values[0] - faces.die(100);
            if margin >= 0 {
                says(Success, "Lucky", margin)
            } else {
                says(Failure, "Unlucky", margin)
            }
        },
        harmless: &[],
        odds: &[(&[33], &["--character", "C: SPI 60, Luck 33"])],
    }
    .holds();
}
