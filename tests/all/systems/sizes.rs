//! Criticals by the size of the die, and the digits of a percentile.

use rollbook_rules::Outcome::{CriticalFailure, CriticalSuccess, Failure, Success};

use super::table::{Faces, Game, Says, says};

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    let (die, bonus, difficulty) = (values[0], values[1], values[2]);
    let (face, luck) = (faces.die(die), faces.die(100));
    let margin = face + bonus - difficulty;
    let told = match face {
        _ if face == die => says(CriticalSuccess, "Critical hit", margin),
        1 => says(CriticalFailure, "Fumble", margin),
        _ if margin >= 0 => says(Success, "Hit", margin),
        _ => says(Failure, "Miss", margin),
    };
    // Written with two digits, of which 100 has two noughts.
    let digits: Vec<i64> = format!("{:02}", luck % 100).bytes().map(|digit| i64::from(digit - b'0')).collect();
    let flags = if digits[0] == digits[1] { vec!["doubles"] } else { Vec::new() };
    Says { flags, values: vec![("high", digits[0]), ("low", digits[1])], ..told }
}

#[test]
fn an_attack_with_any_die() {
    let varies = [("die", 3, 30), ("bonus", 0, 5), ("difficulty", 5, 20)];
    Game { rules: include_str!("sizes.md"), check: "Attack", varies: &varies, reference }.holds(&[
        ("`natural = size(natural)`", "natural 20"),
        ("`natural = size(natural)`", "`natural >= size(natural) - 1`"),
        ("`luck digit(tens)`", "`luck digit(units)`"),
        ("`luck digit(units)`", "`digit(units)`"),
        ("= luck digit(units)", "> luck digit(units)"),
        ("| natural 1 |", "| natural 2 |"),
    ]);
}
