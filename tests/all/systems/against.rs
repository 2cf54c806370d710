//! One die, or two, against a number.

use rollbook_rules::Outcome::{CriticalFailure, CriticalSuccess, Failure, PartialSuccess, Success};
use serde_json::json;

use super::table::{Faces, Game, Says, says};
use crate::table::Table;

/// One d20 and a modifier against a number, as in the fifth edition of the dragon game.
const RULES: &str = include_str!("../../../crates/rules/src/tests/systems/5e.md");

fn ability(values: &[i64], faces: &Faces<'_>) -> Says {
    let margin = faces.die(20) + values[0] - values[1];
    if margin >= 0 {
        says(Success, "Success", margin)
    } else {
        says(Failure, "Failure", margin)
    }
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
    Game {
        rules: RULES,
        check: "Ability check",
        varies: &varies,
        reference: ability,
    }
    .holds(&[("| Success | margin 0+ |", "| Success | margin 1+ |")]);
}

#[test]
fn an_attack() {
    let varies = [("modifier", -5, 12), ("armour class", 8, 24)];
    Game {
        rules: RULES,
        check: "Attack",
        varies: &varies,
        reference: attack,
    }
    .holds(&[
        ("natural 20 |", "natural 19 |"),
        ("natural 1 |", "natural 2 |"),
        (
            "| Hit (success) | margin 0+ |",
            "| Hit (success) | margin 0-9 |",
        ),
    ]);
}

// Degrees of success by tens, moved by a natural 20 and a natural 1.

/// From 0, a critical failure, to 3, a critical success.
pub fn degree(die: i64, margin: i64) -> usize {
    let degree: usize = match margin {
        10.. => 3,
        0..=9 => 2,
        -9..=-1 => 1,
        _ => 0,
    };
    match die {
        20 => (degree + 1).min(3),
        1 => degree.saturating_sub(1),
        _ => degree,
    }
}

fn pf2(values: &[i64], faces: &Faces<'_>) -> Says {
    let die = faces.die(20);
    let margin = die + values[0] - values[1];
    match degree(die, margin) {
        3 => says(CriticalSuccess, "Critical success", margin),
        2 => says(Success, "Success", margin),
        1 => says(Failure, "Failure", margin),
        _ => says(CriticalFailure, "Critical failure", margin),
    }
}

#[test]
fn a_check() {
    let rules = include_str!("../../../crates/rules/src/tests/systems/pf2e.md");
    Game {
        rules,
        check: "PF2 check",
        varies: &[("modifier", -2, 30), ("difficulty", 5, 45)],
        reference: pf2,
    }
    .holds(&[
        ("- On natural 20: +1 step\n", ""),
        ("On natural 1: -1 step", "On natural 1: -2 steps"),
        ("margin -9+", "margin -10+"),
        ("margin 10+", "margin 9+"),
    ]);
}

// A trait die and a wild die, both of which may ace; the better one counts.

/// The first face and the sum with its aces.
pub fn aced(sides: i64, faces: &Faces<'_>) -> (i64, i64) {
    let first = faces.die(sides);
    let (mut face, mut sum) = (first, first);
    while face == sides {
        face = faces.die(sides);
        sum += face;
    }
    (first, sum)
}

fn savage(values: &[i64], faces: &Faces<'_>) -> Says {
    let (trait_face, trait_sum) = aced(values[0], faces);
    let (wild_face, wild_sum) = aced(6, faces);
    let margin = trait_sum.max(wild_sum) + values[1] - 4;
    if margin >= 4 {
        says(CriticalSuccess, "Raise", margin)
    } else if margin >= 0 {
        says(Success, "Success", margin)
    } else if trait_face == 1 && wild_face == 1 {
        says(CriticalFailure, "Critical failure", margin)
    } else {
        says(Failure, "Failure", margin)
    }
}

#[test]
fn a_trait_roll() {
    let rules = include_str!("../../../crates/rules/src/tests/systems/savage.md");
    Game {
        rules,
        check: "Savage trait",
        varies: &[("trait", 4, 12), ("modifier", -4, 4)],
        reference: savage,
    }
    .holds(&[
        ("margin 4+", "margin 5+"),
        ("1s 2", "1s 1+"),
        ("1d6!!) ", "1d6) "),
        ("Target: `4`", "Target: `5`"),
    ]);
}

/// A bonus that grows with each round of a fight, to six.
fn strike(values: &[i64], faces: &Faces<'_>) -> Says {
    let (might, escalation, difficulty) = (values[0], values[1], values[2]);
    let die = faces.die(20);
    let margin = die + might + escalation - difficulty;
    let verdict = if die == 20 || escalation == 6 && margin >= 10 {
        says(CriticalSuccess, "Felled", margin)
    } else if margin >= 0 {
        says(Success, "Hit", margin)
    } else if margin >= -escalation {
        says(PartialSuccess, "Pressed", margin)
    } else {
        says(Failure, "Miss", margin)
    };
    let flags = if escalation >= 3 && die >= 16 {
        vec!["surge"]
    } else {
        Vec::new()
    };
    Says { flags, ..verdict }
}

const GAME: Game<'_> = Game {
    rules: include_str!("escalation.md"),
    check: "Strike",
    varies: &[
        ("MIG score", -1, 5),
        ("escalation", 0, 6),
        ("difficulty", 8, 24),
    ],
    reference: strike,
};

#[test]
fn a_strike_in_a_later_round() {
    GAME.holds(&[
        ("{MIG} + {escalation}", "{MIG}"),
        ("{escalation} 3+", "{escalation} 2+"),
        ("{escalation} 6 and", "{escalation} 5+ and"),
        ("0 - {escalation}", "1 - {escalation}"),
        ("natural 20 or", "natural 19+ or"),
        ("natural 16+", "natural 17+"),
    ]);
}

#[test]
fn the_odds_with_escalation_are_those_of_twenty_faces() {
    for escalation in 0..=6 {
        let values = [2, escalation, 18];
        GAME.odds_are_those_of(&values, (1, 20));
    }
}

/// Dice of accuracy: those that help and those that hinder cancel, and of the rest the highest
/// counts, as in games of large machines.
fn accuracy(values: &[i64], faces: &Faces<'_>) -> Says {
    let (grit, left, difficulty) = (values[0], values[1] - values[2], values[3]);
    let die = faces.die(20);
    let highest = faces.dice(left.abs(), 6).into_iter().max().unwrap_or(0);
    let total = die + grit + highest * left.signum();
    let margin = total - difficulty;
    let verdict = match margin {
        0.. if total >= 20 => says(CriticalSuccess, "Critical", margin),
        0.. => says(Success, "Success", margin),
        _ => says(Failure, "Failure", margin),
    };
    let flags = if left > 0 && highest == 6 {
        vec!["swung"]
    } else {
        Vec::new()
    };
    Says {
        flags,
        values: vec![("left", left)],
        ..verdict
    }
}

#[test]
fn an_attempt() {
    let varies = [
        ("grit", 0, 6),
        ("help", 0, 3),
        ("hindrance", 0, 3),
        ("difficulty", 8, 22),
    ];
    Game {
        rules: include_str!("accuracy.md"),
        check: "Attempt",
        varies: &varies,
        reference: accuracy,
    }
    .holds(&[
        ("d6kh1[help]", "d6[help]"),
        ("d6kh1[hindrance]", "d6kl1[hindrance]"),
        ("- (max(0, {hindrance}", "+ (max(0, {hindrance}"),
        ("total 20+ and margin 0+", "total 20+"),
        ("total 20+", "total 21+"),
        ("help highest 6", "help highest 5+"),
        ("help dice - hindrance dice", "hindrance dice - help dice"),
    ]);
}

/// A stress die: doubled on a one, and with botch dice on a nought.
fn botch(values: &[i64], faces: &Faces<'_>) -> Says {
    let (botch, skill, difficulty) = (values[0], values[1], values[2]);
    let first = faces.die(10);
    let (mut face, mut times) = (first, 1);
    while face == 1 {
        face = faces.die(10);
        times *= 2;
    }
    let noughts = faces
        .dice(botch, 10)
        .into_iter()
        .filter(|face| *face == 10)
        .count();
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
    Game {
        rules: include_str!("botch.md"),
        check: "Work",
        varies: &varies,
        reference: botch,
    }
    .holds(&[
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

/// A target of three times a level, effort that is paid for, and effects beside the outcome.
fn levels(values: &[i64], faces: &Faces<'_>) -> Says {
    let &[difficulty, ease, effort, limit, edge] = values else {
        panic!("five numbers")
    };
    let effort = effort.min(limit);
    let price = match effort {
        0 => 0,
        _ => (3 + 2 * (effort - 1) - edge).max(0),
    };
    let die = faces.die(20);
    let margin = die - 3 * (difficulty - ease - effort);
    let verdict = if margin >= 0 {
        says(Success, "Success", margin)
    } else {
        says(Failure, "Failure", margin)
    };
    let flags = match die {
        1 => vec!["intrusion"],
        19 if margin >= 0 => vec!["minor effect"],
        20 if margin >= 0 => vec!["major effect"],
        _ => Vec::new(),
    };
    Says {
        flags,
        values: vec![("price", price)],
        ..verdict
    }
}

#[test]
fn a_task() {
    let varies = [
        ("difficulty", 0, 10),
        ("ease", -1, 4),
        ("effort", 0, 6),
        ("Effort limit", 1, 6),
        ("skill", 0, 4),
    ];
    Game {
        rules: include_str!("levels.md"),
        check: "Task",
        varies: &varies,
        reference: levels,
    }
    .holds(&[
        ("1d20 + ", "1d30 + "),
        (
            "1d20 + 3 * min({effort=0}, {Effort limit})",
            "1d20 + 3 * {effort=0}",
        ),
        (
            "3 * ({difficulty} - {ease=0})",
            "3 * {difficulty} - {ease=0}",
        ),
        ("min(1, {effort=0}) * max", "max"),
        ("1 + 2 * min", "2 + min"),
        (" - {skill=0}", ""),
        ("natural 19 and margin 0+", "natural 19"),
        ("intrusion: natural 1", "intrusion: natural 1-2"),
    ]);
}

#[test]
fn effort_is_paid_from_the_pool_of_the_edge() {
    let mut table = Table::of_rules(Some(include_str!("levels.md")));
    let attributes = json!({"Might": 12, "Speed": 8, "Wits": 10, "Effort limit": 2});
    table.create(
        "Ana",
        json!({"attributes": attributes, "skills": {"Might edge": 1}}),
    );
    let call =
        |effort: i64| json!({"skill": "Might edge", "difficulty": 5, "values": {"effort": effort}});
    let made = table.dice([9]).skill_check(call(6));
    assert_eq!(
        (&made["margin"], &made["results"]["price"]),
        (&json!(0), &json!(4)),
        "two levels are the limit"
    );
    table.dice([15]).skill_check(call(0)).is_fine();
    table.dice([15]).skill_check(call(2)).is_fine();
    table.dice([15]).skill_check(call(1)).is_fine();
    table.skill_check(call(2)).refused("not_enough");
    let tracks = table.get_character(json!({"character": "Ana"}))["character"]["tracks"].clone();
    assert_eq!(
        [
            &tracks[0]["value"],
            &tracks[1]["value"],
            &tracks[2]["value"]
        ],
        [2, 8, 10]
    );
}
