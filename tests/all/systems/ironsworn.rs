//! One die and its adds against two dice, each beaten or not.

use rollbook_rules::Outcome::{Failure, PartialSuccess, Success};

use super::table::{Faces, Game, Says, says};

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    let score = (faces.die(6) + values[0] + values[1]).min(10);
    let challenge = [faces.die(10), faces.die(10)];
    let (outcome, label) = match challenge.iter().filter(|die| score > **die).count() {
        2 => (Success, "Strong hit"),
        1 => (PartialSuccess, "Weak hit"),
        _ => (Failure, "Miss"),
    };
    let flags = if challenge[0] == challenge[1] { vec!["match"] } else { Vec::new() };
    Says { flags, ..says(outcome, label, None) }
}

#[test]
fn a_move() {
    let rules = include_str!("../../../crates/rules/src/tests/systems/ironsworn.md");
    Game { rules, check: "Ironsworn move", varies: &[("stat", 1, 4), ("adds", 0, 4)], reference }.holds(&[
        ("beaten 2", "beaten 1+"),
        ("min(10, ", "min(11, "),
        ("Opposing dice: `2d10`", "Opposing dice: `3d10`"),
        ("- Flag match: matches\n", ""),
    ]);
}
