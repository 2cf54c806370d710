//! One d20 and a modifier against a number, as in the fifth edition of the dragon game.

use rollbook_rules::Outcome::{CriticalFailure, CriticalSuccess, Failure, Success};

use super::table::{Faces, Game, Says, says};

const RULES: &str = include_str!("../../../crates/rules/src/tests/systems/5e.md");

fn ability(values: &[i64], faces: &Faces<'_>) -> Says {
    let margin = faces.die(20) + values[0] - values[1];
    if margin >= 0 { says(Success, "Success", margin) } else { says(Failure, "Failure", margin) }
}

fn attack(values: &[i64], faces: &Faces<'_>) -> Says {
    let die = faces.die(20);
    let margin = die + values[0] - values[1];
    match die {
        20 => says(CriticalSuccess, "Critical hit", margin),
        1 => says(CriticalFailure, "Miss", margin),
        _ if margin >= 0 => says(Success, "Hit", margin),
        _ => says(Failure, "Miss", margin),
    }
}

#[test]
fn an_ability_check() {
    let varies = [("modifier", -5, 12), ("difficulty", 5, 30)];
    Game { rules: RULES, check: "Ability check", varies: &varies, reference: ability }
        .holds(&[("| Success | margin 0+ |", "| Success | margin 1+ |")]);
}

#[test]
fn an_attack() {
    let varies = [("modifier", -5, 12), ("armour class", 8, 24)];
    Game { rules: RULES, check: "Attack", varies: &varies, reference: attack }.holds(&[
        ("natural 20 |", "natural 19 |"),
        ("natural 1 |", "natural 2 |"),
        ("| Hit (success) | margin 0+ |", "| Hit (success) | margin 0-9 |"),
    ]);
}
