//! Saves and strikes of the oldest games, by level and by class; and sums of two dice.

use rollbook_rules::Outcome::{CriticalFailure, CriticalSuccess, Failure, PartialSuccess, Success};
use rollbook_rules::{Act, Move, die_after_steps};

use super::table::{Faces, Game, Says, says, system};

// Old-school saves: the number to reach falls with the level; and scores that follow from another
// score.

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
    if margin >= 0 {
        says(Success, "success", margin)
    } else {
        says(Failure, "failure", margin)
    }
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
    Game {
        rules: RULES,
        check,
        varies: &VARIES,
        reference: save,
    }
    .holds_with(
        Some("Poison"),
        &[
            ("| 1-3 | 12 |", "| 1-3 | 13 |"),
            ("| 10+ | 6 |", "| 10+ | 7 |"),
            (
                "| 1-3 | 12 | 13 | 15 |\n| 4-6 |",
                "| 1-2 | 12 | 13 | 15 |\n| 3-6 |",
            ),
            (
                "| 7-9 | 8 | 9 | 10 |\n| 10+ |",
                "| 7-10 | 8 | 9 | 10 |\n| 11+ |",
            ),
            ("| Poison | Wands |", "| Wands | Poison |"),
            ("| 13-15 | +1 |\n| 16-17 |", "| 13-16 | +1 |\n| 17 |"),
            ("| 3-5 | -2 |", "| 3-5 | -3 |"),
            ("| 18 | +3 |", "| 18 | +4 |"),
            ("{DEX}", "{DEX score}"),
        ],
    );
    Game {
        rules: RULES,
        check,
        varies: &VARIES,
        reference: breath,
    }
    .holds_with(
        Some("Breath"),
        &[
            ("| 15 |", "| 16 |"),
            ("| 10 |\n", "| 11 |\n"),
            ("| Wands | Breath |", "| Breath | Wands |"),
        ],
    );
}

#[test]
fn a_number_by_another_score() {
    let varies = [("STR score", 3, 18)];
    Game {
        rules: RULES,
        check: "Open a door",
        varies: &varies,
        reference: door,
    }
    .holds(&[
        ("| 16+ | 3 |\n| 9-15 |", "| 15+ | 3 |\n| 9-14 |"),
        (
            "| 9-15 | 2 |\n| 8 or less | 1 |",
            "| 8-15 | 2 |\n| 7 or less | 1 |",
        ),
        ("| STR | Doors |", "| DEX | Doors |"),
        ("{Doors} or less", "{Doors}"),
    ]);
}

// Old-school saves and hits by class and level together.

/// Each is what is first in the table, where a sheet has several.
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

const CLASSES_RULES: &str = include_str!("classes.md");
const CLASSES_VARIES: [(&str, i64, i64); 5] = [
    ("level", 1, 9),
    ("Fighter", 0, 1),
    ("Halfling", 0, 1),
    ("Cleric", 1, 1),
    ("modifier", -2, 2),
];

#[test]
fn a_save_by_class_and_level() {
    let check = "Save";
    Game {
        rules: CLASSES_RULES,
        check,
        varies: &CLASSES_VARIES,
        reference: death,
    }
    .holds_with(
        Some("Death"),
        &[
            ("| Fighter | 1-3 | 12 |", "| Fighter | 1-3 | 13 |"),
            ("| | 7+ | 8 |", "| | 7+ | 7 |"),
            (
                "| Dwarf, Halfling | 1-3 | 8 |",
                "| Dwarf, Halfling | 1-3 | 9 |",
            ),
            ("Dwarf, Halfling | 1-3 | 8", "Dwarf | 1-3 | 8"),
            ("| Cleric | 1-4 |", "| Cleric | 1-5 |"),
            ("| Death | Wands |", "| Wands | Death |"),
        ],
    );
    Game {
        rules: CLASSES_RULES,
        check,
        varies: &CLASSES_VARIES,
        reference: spells,
    }
    .holds_with(
        Some("Spells"),
        &[
            ("| 16 |", "| 17 |"),
            ("| 15 |", "| 14 |"),
            ("| Wands | Spells |", "| Spells | Wands |"),
        ],
    );
}

#[test]
fn a_strike_by_class_and_level() {
    Game {
        rules: CLASSES_RULES,
        check: "Strike",
        varies: &CLASSES_VARIES,
        reference: strike,
    }
    .holds(&[
        ("| | 7+ | 5 |", "| | 7+ | 6 |"),
        ("| | 5+ | 2 |", "| | 5+ | 3 |"),
        (
            "| Fighter, Dwarf, Halfling | 1-3 | 0 |",
            "| Fighter, Dwarf, Halfling | 1-3 | 1 |",
        ),
    ]);
}

/// Two dice and a stat, in three bands.
fn pbta(values: &[i64], faces: &Faces<'_>) -> Says {
    match faces.die(6) + faces.die(6) + values[0] {
        10.. => says(Success, "Strong hit", None),
        7..=9 => says(PartialSuccess, "Weak hit", None),
        _ => says(Failure, "Miss", None),
    }
}

#[test]
fn a_move() {
    let rules = include_str!("../../../crates/rules/src/tests/systems/pbta.md");
    Game {
        rules,
        check: "Move",
        varies: &[("attribute", -3, 3)],
        reference: pbta,
    }
    .holds(&[("total 10+", "total 9+")]);
}

/// Two dice against eight, where the margin is the effect.
fn effect(values: &[i64], faces: &Faces<'_>) -> Says {
    let effect = faces.die(6) + faces.die(6) + values.iter().sum::<i64>() - 8;
    match effect {
        6.. => says(CriticalSuccess, "Exceptional success", effect),
        1..=5 => says(Success, "Average success", effect),
        0 => says(PartialSuccess, "Marginal success", effect),
        -1 => says(Failure, "Marginal failure", effect),
        -5..=-2 => says(Failure, "Average failure", effect),
        _ => says(CriticalFailure, "Exceptional failure", effect),
    }
}

#[test]
fn a_task() {
    let varies = [
        ("attribute", -2, 3),
        ("skill", -3, 4),
        ("difficulty", -6, 4),
    ];
    Game {
        rules: include_str!("effect.md"),
        check: "Task",
        varies: &varies,
        reference: effect,
    }
    .holds(&[
        ("margin 6+", "margin 5+"),
        ("margin 0 |", "margin -1 to 0 |"),
        ("margin -5 to -2", "margin -6 to -2"),
    ]);
}

/// One die and its adds against two dice, each beaten or not.
fn ironsworn(values: &[i64], faces: &Faces<'_>) -> Says {
    let score = (faces.die(6) + values[0] + values[1]).min(10);
    let challenge = [faces.die(10), faces.die(10)];
    let (outcome, label) = match challenge.iter().filter(|die| score > **die).count() {
        2 => (Success, "Strong hit"),
        1 => (PartialSuccess, "Weak hit"),
        _ => (Failure, "Miss"),
    };
    let flags = if challenge[0] == challenge[1] {
        vec!["match"]
    } else {
        Vec::new()
    };
    Says {
        flags,
        ..says(outcome, label, None)
    }
}

#[test]
fn a_move_of_ironsworn() {
    let rules = include_str!("../../../crates/rules/src/tests/systems/ironsworn.md");
    Game {
        rules,
        check: "Ironsworn move",
        varies: &[("stat", 1, 4), ("adds", 0, 4)],
        reference: ironsworn,
    }
    .holds(&[
        ("beaten 2", "beaten 1+"),
        ("min(10, ", "min(11, "),
        ("Opposing dice: `2d10`", "Opposing dice: `3d10`"),
        ("- Flag match: matches\n", ""),
    ]);
}

/// Four Fudge dice and a skill against opposition.
fn fate(values: &[i64], faces: &Faces<'_>) -> Says {
    let shifts = (0..4).map(|_| faces.between(-1, 1)).sum::<i64>() + values[0] - values[1];
    match shifts {
        3.. => says(CriticalSuccess, "Succeed with style", shifts),
        1 | 2 => says(Success, "Success", shifts),
        0 => says(PartialSuccess, "Tie", shifts),
        _ => says(Failure, "Failure", shifts),
    }
}

#[test]
fn overcome() {
    let rules = include_str!("../../../crates/rules/src/tests/systems/fate.md");
    Game {
        rules,
        check: "Overcome",
        varies: &[("skill", -2, 6), ("difficulty", -2, 8)],
        reference: fate,
    }
    .holds(&[
        ("margin 3+", "margin 4+"),
        ("margin 0 |", "margin -1 to 0 |"),
        ("4dF", "3dF"),
    ]);
}

/// Dice that are used up: on a 1 or 2 a die goes down its chain.
fn usage(values: &[i64], faces: &Faces<'_>) -> Says {
    let size = values[0];
    let face = faces.die(size);
    let verdict = match (face, size) {
        (3.., _) => says(Success, "Bright", None),
        (_, 4) => says(CriticalFailure, "Out", None),
        _ => says(PartialSuccess, "Lower", None),
    };
    let flags = if face == size {
        vec!["blaze"]
    } else {
        Vec::new()
    };
    Says {
        flags,
        values: vec![("size", size)],
        ..verdict
    }
}

#[test]
fn a_lamp_burns_down() {
    let rules = include_str!("usage.md");
    let varies = [("Oil", 4, 20)];
    Game {
        rules,
        check: "Burn",
        varies: &varies,
        reference: usage,
    }
    .holds(&[
        ("natural 3+", "natural 2+"),
        ("| {Oil} 4 |", "| {Oil} 6 |"),
        ("`natural = size(natural)`", "natural 4+"),
        ("`size(natural)`", "`natural`"),
    ]);
}

#[test]
fn the_die_goes_down_its_chain_and_below_the_smallest_there_is_none() {
    let rules = system(include_str!("usage.md"));
    let check = rules.check("Burn").expect("the check");
    let moved: Vec<&Act> = check
        .rows
        .iter()
        .flat_map(|row| &row.moves)
        .map(|effect| &effect.act)
        .collect();
    let [Act::Move(_, Move::Steps(-1)), Act::Move(_, Move::Steps(_))] = moved.as_slice() else {
        panic!("{moved:?}")
    };
    let down: Vec<Option<i64>> = [20, 12, 10, 8, 6, 4]
        .map(|size| die_after_steps(&rules, size, -1))
        .to_vec();
    assert_eq!(down, [Some(12), Some(10), Some(8), Some(6), Some(4), None]);
    assert_eq!(
        [
            die_after_steps(&rules, 12, 1),
            die_after_steps(&rules, 20, 2)
        ],
        [Some(20), Some(20)]
    );
}
