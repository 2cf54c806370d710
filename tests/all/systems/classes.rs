//! Old-school saves and blows by class and level together.

use rollbook_rules::Outcome::{Failure, Success};

use super::table::{Faces, Game, Says, says};

/// Each is what stands first in the table, where a sheet has several.
#[derive(Clone, Copy, PartialEq)]
enum Class {
    Fighter,
    Halfling,
    Cleric,
}

fn class(values: &[i64]) -> Class {
    match values {
        [_, 1, ..] => Class::Fighter,
        [_, _, 1, ..] => Class::Halfling,
        _ => Class::Cleric,
    }
}

fn decided(margin: i64) -> Says {
    if margin >= 0 { says(Success, "success", margin) } else { says(Failure, "failure", margin) }
}

fn death(values: &[i64], faces: &Faces<'_>) -> Says {
    let level = values[0];
    let target = match class(values) {
        Class::Fighter => 12 - 2 * i64::from(level > 3) - 2 * i64::from(level > 6),
        Class::Halfling => 8 - 2 * i64::from(level > 3),
        Class::Cleric => 11 - 2 * i64::from(level > 4),
    };
    decided(faces.die(20) + values[4] - target)
}

fn spells(values: &[i64], faces: &Faces<'_>) -> Says {
    let level = values[0];
    let target = match class(values) {
        Class::Fighter => 16 - 2 * i64::from(level > 3) - 2 * i64::from(level > 6),
        Class::Halfling => 12 - 2 * i64::from(level > 3),
        Class::Cleric => 15 - 3 * i64::from(level > 4),
    };
    decided(faces.die(20) + values[4] - target)
}

fn strike(values: &[i64], faces: &Faces<'_>) -> Says {
    let level = values[0];
    let prowess = match class(values) {
        Class::Cleric => 2 * i64::from(level > 4),
        Class::Fighter | Class::Halfling => 2 * i64::from(level > 3) + 3 * i64::from(level > 6),
    };
    decided(faces.die(20) + prowess + values[4] - 10)
}

const RULES: &str = include_str!("classes.md");
const VARIES: [(&str, i64, i64); 5] =
    [("level", 1, 9), ("Fighter", 0, 1), ("Halfling", 0, 1), ("Cleric", 1, 1), ("modifier", -2, 2)];

#[test]
fn a_save_by_class_and_level() {
    let check = "Save";
    Game { rules: RULES, check, varies: &VARIES, reference: death }.holds_with(
        Some("Death"),
        &[
            ("| Fighter | 1-3 | 12 |", "| Fighter | 1-3 | 13 |"),
            ("| | 7+ | 8 |", "| | 7+ | 7 |"),
            ("| Dwarf, Halfling | 1-3 | 8 |", "| Dwarf, Halfling | 1-3 | 9 |"),
            ("Dwarf, Halfling | 1-3 | 8", "Dwarf | 1-3 | 8"),
            ("| Cleric | 1-4 |", "| Cleric | 1-5 |"),
            ("| Death | Wands |", "| Wands | Death |"),
        ],
    );
    Game { rules: RULES, check, varies: &VARIES, reference: spells }.holds_with(
        Some("Spells"),
        &[("| 16 |", "| 17 |"), ("| 15 |", "| 14 |"), ("| Wands | Spells |", "| Spells | Wands |")],
    );
}

#[test]
fn a_strike_by_class_and_level() {
    Game { rules: RULES, check: "Strike", varies: &VARIES, reference: strike }.holds(&[
        ("| | 7+ | 5 |", "| | 7+ | 6 |"),
        ("| | 5+ | 2 |", "| | 5+ | 3 |"),
        ("| Fighter, Dwarf, Halfling | 1-3 | 0 |", "| Fighter, Dwarf, Halfling | 1-3 | 1 |"),
    ]);
}
