//! Four Fudge dice and a skill against opposition.

use rollbook_rules::Outcome::{CriticalSuccess, Failure, PartialSuccess, Success};

use super::table::{Faces, Game, Says, says};

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    let shifts = (0..4).map(|_| faces.between(-1, 1)).sum::<i64>() + values[0] - values[1];
    match shifts {
        3.. => says(CriticalSuccess, "Succeed with style", shifts),
        1 | 2 => says(Success, "Success", shifts),
        0 => says(PartialSuccess, "Tie", shifts),
        _ => says(Failure, "Failure", shifts),
    }
}

#[test]
fn overcome() {
    let rules = include_str!("../../../crates/rules/src/tests/systems/fate.md");
    Game { rules, check: "Overcome", varies: &[("skill", -2, 6), ("difficulty", -2, 8)], reference }.holds(&[
        ("margin 3+", "margin 4+"),
        ("margin 0 |", "margin -1 to 0 |"),
        ("4dF", "3dF"),
    ]);
}
