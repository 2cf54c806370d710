//! Degrees of success by tens, moved by a natural 20 and a natural 1.

use rollbook_rules::Outcome::{CriticalFailure, CriticalSuccess, Failure, Success};

use super::table::{Faces, Game, Says, says};

/// From 0, a critical failure, to 3, a critical success.
pub fn degree(die: i64, margin: i64) -> usize {
    let degree: usize = match margin {
        10.. => 3,
        0..=9 => 2,
        -9..=-1 => 1,
        _ => 0,
    };
    match die {
        20 => (degree + 1).min(3),
        1 => degree.saturating_sub(1),
        _ => degree,
    }
}

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    let die = faces.die(20);
    let margin = die + values[0] - values[1];
    match degree(die, margin) {
        3 => says(CriticalSuccess, "Critical success", margin),
        2 => says(Success, "Success", margin),
        1 => says(Failure, "Failure", margin),
        _ => says(CriticalFailure, "Critical failure", margin),
    }
}

#[test]
fn a_check() {
    let rules = include_str!("../../../crates/rules/src/tests/systems/pf2e.md");
    Game { rules, check: "PF2 check", varies: &[("modifier", -2, 30), ("difficulty", 5, 45)], reference }.holds(&[
        ("- On natural 20: +1 step\n", ""),
        ("On natural 1: -1 step", "On natural 1: -2 steps"),
        ("margin -9+", "margin -10+"),
        ("margin 10+", "margin 9+"),
    ]);
}
