//! Old-school saves: the number to reach falls with the level; and scores that follow from another score.

use rollbook_rules::Outcome::{Failure, Success};

use super::table::{Faces, Game, Says, says};

/// Each three levels take something off, up to the tenth.
fn poison(level: i64) -> i64 {
    match level {
        ..=3 => 12,
        4..=6 => 10,
        7..=9 => 8,
        10.. => 6,
    }
}

fn modifier(score: i64) -> i64 {
    match score {
        ..=5 => -2,
        6..=8 => -1,
        9..=12 => 0,
        13..=15 => 1,
        16..=17 => 2,
        18.. => 3,
    }
}

fn decided(margin: i64) -> Says {
    if margin >= 0 { says(Success, "success", margin) } else { says(Failure, "failure", margin) }
}

fn save(values: &[i64], faces: &Faces<'_>) -> Says {
    decided(faces.die(20) + modifier(values[1]) - poison(values[0]))
}

/// Breath is worse by three, and by two from the seventh level on.
fn breath(values: &[i64], faces: &Faces<'_>) -> Says {
    let worse = if values[0] < 7 { 3 } else { 2 };
    decided(faces.die(20) + modifier(values[1]) - poison(values[0]) - worse)
}

fn door(values: &[i64], faces: &Faces<'_>) -> Says {
    let doors = 1 + i64::from(values[0] > 8) + i64::from(values[0] > 15);
    decided(doors - faces.die(6))
}

const RULES: &str = include_str!("saves.md");
const VARIES: [(&str, i64, i64); 2] = [("level", 1, 14), ("DEX score", 3, 18)];

#[test]
fn a_save_by_level() {
    let check = "Save";
    Game { rules: RULES, check, varies: &VARIES, reference: save }.holds_with(
        Some("Poison"),
        &[
            ("| 1-3 | 12 |", "| 1-3 | 13 |"),
            ("| 10+ | 6 |", "| 10+ | 7 |"),
            ("| 1-3 | 12 | 13 | 15 |\n| 4-6 |", "| 1-2 | 12 | 13 | 15 |\n| 3-6 |"),
            ("| 7-9 | 8 | 9 | 10 |\n| 10+ |", "| 7-10 | 8 | 9 | 10 |\n| 11+ |"),
            ("| Poison | Wands |", "| Wands | Poison |"),
            ("| 13-15 | +1 |\n| 16-17 |", "| 13-16 | +1 |\n| 17 |"),
            ("| 3-5 | -2 |", "| 3-5 | -3 |"),
            ("| 18 | +3 |", "| 18 | +4 |"),
            ("{DEX}", "{DEX score}"),
        ],
    );
    Game { rules: RULES, check, varies: &VARIES, reference: breath }.holds_with(
        Some("Breath"),
        &[("| 15 |", "| 16 |"), ("| 10 |\n", "| 11 |\n"), ("| Wands | Breath |", "| Breath | Wands |")],
    );
}

#[test]
fn a_number_by_another_score() {
    let varies = [("STR score", 3, 18)];
    Game { rules: RULES, check: "Open a door", varies: &varies, reference: door }.holds(&[
        ("| 16+ | 3 |\n| 9-15 |", "| 15+ | 3 |\n| 9-14 |"),
        ("| 9-15 | 2 |\n| 8 or less | 1 |", "| 8-15 | 2 |\n| 7 or less | 1 |"),
        ("| STR | Doors |", "| DEX | Doors |"),
        ("{Doors} or less", "{Doors}"),
    ]);
}
