//! Two dice and a stat, in three bands.

use rollbook_rules::Outcome::{Failure, PartialSuccess, Success};

use super::table::{Faces, Game, Says, says};

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    match faces.die(6) + faces.die(6) + values[0] {
        10.. => says(Success, "Strong hit", None),
        7..=9 => says(PartialSuccess, "Weak hit", None),
        _ => says(Failure, "Miss", None),
    }
}

#[test]
fn a_move() {
    let rules = include_str!("../../../crates/rules/src/tests/systems/pbta.md");
    Game { rules, check: "Move", varies: &[("attribute", -3, 3)], reference }.holds(&[("total 10+", "total 9+")]);
}
