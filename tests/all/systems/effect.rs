//! Two dice against eight, where the margin is the effect.

use rollbook_rules::Outcome::{CriticalFailure, CriticalSuccess, Failure, PartialSuccess, Success};

use super::table::{Faces, Game, Says, says};

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    let effect = faces.die(6) + faces.die(6) + values.iter().sum::<i64>() - 8;
    match effect {
        6.. => says(CriticalSuccess, "Exceptional success", effect),
        1..=5 => says(Success, "Average success", effect),
        0 => says(PartialSuccess, "Marginal success", effect),
        -1 => says(Failure, "Marginal failure", effect),
        -5..=-2 => says(Failure, "Average failure", effect),
        _ => says(CriticalFailure, "Exceptional failure", effect),
    }
}

#[test]
fn a_task() {
    let varies = [("attribute", -2, 3), ("skill", -3, 4), ("difficulty", -6, 4)];
    Game { rules: include_str!("effect.md"), check: "Task", varies: &varies, reference }.holds(&[
        ("margin 6+", "margin 5+"),
        ("margin 0 |", "margin -1 to 0 |"),
        ("margin -5 to -2", "margin -6 to -2"),
    ]);
}
