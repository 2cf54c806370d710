//! A stress die: doubled on a one, and with botch dice on a nought.

use rollbook_rules::Outcome::{CriticalFailure, CriticalSuccess, Failure, Success};

use super::table::{Faces, Game, Says, says};

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    let (botch, skill, difficulty) = (values[0], values[1], values[2]);
    let first = faces.die(10);
    let (mut face, mut times) = (first, 1);
    while face == 1 {
        face = faces.die(10);
        times *= 2;
    }
    let noughts = faces.dice(botch, 10).into_iter().filter(|face| *face == 10).count();
    let result = skill + if first == 10 { 0 } else { face * times };
    let margin = result - difficulty;
    match margin {
        _ if first == 10 && noughts > 0 => says(CriticalFailure, "Botch", margin),
        10.. => says(CriticalSuccess, "Wonder", margin),
        0.. => says(Success, "Success", margin),
        _ => says(Failure, "Failure", margin),
    }
}

#[test]
fn work_with_a_stress_die() {
    let varies = [("botch", 1, 3), ("skill", 0, 9), ("difficulty", 3, 18)];
    Game { rules: include_str!("botch.md"), check: "Work", varies: &varies, reference }.holds(&[
        ("stress doubled", "stress natural"),
        ("stress doubled", "stress highest"),
        ("stress doubled", "doubled"),
        (" - 10 * max(0, stress natural - 9)", ""),
        ("botch 10s 1+", "botch 10s 2+"),
        ("stress natural 10 and", "natural 9 and"),
        ("- Result:", "- Value outcome:"),
        ("margin 10+", "margin 11+"),
    ]);
}
