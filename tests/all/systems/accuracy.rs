//! Dice of accuracy: those that help and those that hinder cancel, and of the rest the highest counts, as in games of large machines.

use rollbook_rules::Outcome::{CriticalSuccess, Failure, Success};

use super::table::{Faces, Game, Says, says};

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    let (grit, left, difficulty) = (values[0], values[1] - values[2], values[3]);
    let die = faces.die(20);
    let highest = faces.dice(left.abs(), 6).into_iter().max().unwrap_or(0);
    let total = die + grit + highest * left.signum();
    let margin = total - difficulty;
    let told = match margin {
        0.. if total >= 20 => says(CriticalSuccess, "Critical", margin),
        0.. => says(Success, "Success", margin),
        _ => says(Failure, "Failure", margin),
    };
    let flags = if left > 0 && highest == 6 { vec!["swung"] } else { Vec::new() };
    Says { flags, values: vec![("left", left)], ..told }
}

#[test]
fn an_attempt() {
    let varies = [("grit", 0, 6), ("help", 0, 3), ("hindrance", 0, 3), ("difficulty", 8, 22)];
    Game { rules: include_str!("accuracy.md"), check: "Attempt", varies: &varies, reference }.holds(&[
        ("d6kh1[help]", "d6[help]"),
        ("d6kh1[hindrance]", "d6kl1[hindrance]"),
        ("- (max(0, {hindrance}", "+ (max(0, {hindrance}"),
        ("total 20+ and margin 0+", "total 20+"),
        ("total 20+", "total 21+"),
        ("help highest 6", "help highest 5+"),
        ("help dice - hindrance dice", "hindrance dice - help dice"),
    ]);
}
