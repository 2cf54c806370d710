//! A death spiral: each wound costs dice, and the last ones more.

use rollbook_rules::Outcome::{CriticalSuccess, Failure, Success};

use super::table::{Faces, Game, Says, says};

fn attempt(values: &[i64], faces: &Faces<'_>) -> Says {
    let (rating, wounds, difficulty) = (values[0], values[1], values[2]);
    let loss = if wounds == 5 { 4 } else { (wounds + 1) / 2 };
    let rolled = faces.dice((rating - loss).max(1), 6);
    let margin = i64::try_from(rolled.iter().filter(|face| **face >= 5).count()).expect("a few") - difficulty;
    let told = match margin {
        2.. if wounds == 0 => says(CriticalSuccess, "Triumph", margin),
        0.. => says(Success, "Success", margin),
        _ => says(Failure, "Failure", margin),
    };
    Says { flags: if wounds >= 3 { vec!["fading"] } else { Vec::new() }, ..told }
}

#[test]
fn a_try_with_wounds() {
    let varies = [("rating", 1, 7), ("Wounds", 0, 5), ("difficulty", 0, 3)];
    Game { rules: include_str!("spiral.md"), check: "Try", varies: &varies, reference: attempt }.holds(&[
        ("| 1-2 | -1 |", "| 1-2 | -2 |"),
        ("| 1-2 | -1 |\n| 3-4 |", "| 1-3 | -1 |\n| 4 |"),
        ("| 5 | -4 |", "| 5 | -3 |"),
        ("| 0 | 0 |", "| 0 | -1 |"),
        ("`1d6`", "`2d6`"),
        ("{Wounds} 3+", "{Wounds} 4+"),
        ("{Loss} 0", "{Loss} -1+"),
    ]);
}
