//! Pools with labelled dice, pairs and flags, as in games of thirst.

use rollbook_rules::Outcome::{CriticalFailure, CriticalSuccess, Failure, Success};

use super::table::{Faces, Game, Says, says};

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    let pool = values[0] + values[1];
    let red = values[2].min(pool);
    let plain = faces.dice(pool - red, 10);
    let red = faces.dice(red, 10);
    let shows = |dice: &[i64], face: i64| dice.iter().filter(|die| **die == face).count();
    let tens = shows(&plain, 10) + shows(&red, 10);
    let sixes = plain.iter().chain(&red).filter(|die| **die >= 6).count();
    let successes = i64::try_from(sixes + tens / 2 * 2).expect("a few");
    let margin = successes - values[3];
    let told = match margin {
        0.. if tens >= 2 && shows(&red, 10) > 0 => says(CriticalSuccess, "Messy critical", margin),
        0.. if tens >= 2 => says(CriticalSuccess, "Critical", margin),
        0.. => says(Success, "Win", margin),
        _ if shows(&red, 1) > 0 => says(CriticalFailure, "Bestial failure", margin),
        _ => says(Failure, "Failure", margin),
    };
    let flags = if shows(&red, 10) + shows(&red, 1) > 0 { vec!["red"] } else { Vec::new() };
    Says { flags, ..told }
}

#[test]
fn a_pool() {
    let varies = [("attribute", 1, 5), ("skill", 0, 5), ("hunger", 0, 5), ("difficulty", 1, 6)];
    Game { rules: include_str!("hunger.md"), check: "Pool", varies: &varies, reference }.holds(&[
        ("successes + 2 * floor(10s / 2)", "successes + floor(10s / 2)"),
        ("Count: 6+", "Count: 7+"),
        ("and 10s 2+ and hunger 10s", "and hunger 10s"),
        ("hunger 1s |", "1s |"),
        ("hunger 10s or hunger 1s", "hunger 10s"),
    ]);
}
