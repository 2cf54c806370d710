//! Pools of dice that count: successes, hits, pairs, with stress, colours and wounds.

use rollbook_rules::Outcome::{CriticalFailure, CriticalSuccess, Failure, PartialSuccess, Success};

use super::table::{Faces, Game, Says, says};

/// Pools with labelled dice, pairs and flags, as in games of thirst.
fn hunger(values: &[i64], faces: &Faces<'_>) -> Says {
    let pool = values[0] + values[1];
    let red = values[2].min(pool);
    let plain = faces.dice(pool - red, 10);
    let red = faces.dice(red, 10);
    let shows = |dice: &[i64], face: i64| dice.iter().filter(|die| **die == face).count();
    let tens = shows(&plain, 10) + shows(&red, 10);
    let sixes = plain.iter().chain(&red).filter(|die| **die >= 6).count();
    let successes = i64::try_from(sixes + tens / 2 * 2).expect("a few");
    let margin = successes - values[3];
    let verdict = match margin {
        0.. if tens >= 2 && shows(&red, 10) > 0 => says(CriticalSuccess, "Messy critical", margin),
        0.. if tens >= 2 => says(CriticalSuccess, "Critical", margin),
        0.. => says(Success, "Win", margin),
        _ if shows(&red, 1) > 0 => says(CriticalFailure, "Bestial failure", margin),
        _ => says(Failure, "Failure", margin),
    };
    let flags = if shows(&red, 10) + shows(&red, 1) > 0 {
        vec!["red"]
    } else {
        Vec::new()
    };
    Says { flags, ..verdict }
}

#[test]
fn a_pool() {
    let varies = [
        ("attribute", 1, 5),
        ("skill", 0, 5),
        ("hunger", 0, 5),
        ("difficulty", 1, 6),
    ];
    Game {
        rules: include_str!("hunger.md"),
        check: "Pool",
        varies: &varies,
        reference: hunger,
    }
    .holds(&[
        (
            "successes + 2 * floor(10s / 2)",
            "successes + floor(10s / 2)",
        ),
        ("Count: 6+", "Count: 7+"),
        ("and 10s 2+ and hunger 10s", "and hunger 10s"),
        ("hunger 1s |", "1s |"),
        ("hunger 10s or hunger 1s", "hunger 10s"),
    ]);
}

/// Pools with stress dice: a push adds one of them.
fn dread(values: &[i64], faces: &Faces<'_>) -> Says {
    let (mut plain, mut stress) = (faces.dice(values[0], 6), faces.dice(values[1], 6));
    let sixes = |plain: &[i64], stress: &[i64]| {
        i64::try_from(
            plain
                .iter()
                .chain(stress)
                .filter(|face| **face == 6)
                .count(),
        )
        .expect("a few")
    };
    if sixes(&plain, &stress) < values[2] {
        for face in plain
            .iter_mut()
            .chain(&mut stress)
            .filter(|face| **face != 6)
        {
            *face = faces.die(6);
        }
        stress.push(faces.die(6));
    }
    let margin = sixes(&plain, &stress) - values[2];
    let verdict = if margin >= 0 {
        says(Success, "Success", margin)
    } else {
        says(Failure, "Failure", margin)
    };
    let flags = if stress.contains(&1) {
        vec!["panic"]
    } else {
        Vec::new()
    };
    Says {
        flags,
        values: vec![("weight", i64::try_from(stress.len()).expect("a few"))],
        ..verdict
    }
}

fn panic(values: &[i64], faces: &Faces<'_>) -> Says {
    match faces.die(6) + values[0] {
        ..=6 => says(Success, "Steady", None),
        7..=9 => says(PartialSuccess, "Shaken", None),
        10..=12 => says(Failure, "Frozen", None),
        _ => says(CriticalFailure, "Flight", None),
    }
}

#[test]
fn a_panic() {
    let rules = include_str!("dread.md");
    Game {
        rules,
        check: "Panic",
        varies: &[("stress", 0, 10)],
        reference: panic,
    }
    .holds(&[
        ("total 7-9", "total 7-10"),
        ("total 6 or less", "total 5 or less"),
        ("total 10-12", "total 10-11"),
        ("`1d6 + {stress}`", "`1d6`"),
    ]);
}

#[test]
fn an_effort_that_is_pushed() {
    let varies = [("pool", 1, 6), ("stress", 0, 5), ("difficulty", 1, 3)];
    Game {
        rules: include_str!("dread.md"),
        check: "Effort",
        varies: &varies,
        reference: dread,
    }
    .holds_followed(
        "Push",
        &[
            ("all but 6s", "all"),
            ("all but 6s", "all but 6s, stress 1s"),
            ("adds 1 stress", "adds 2 stress"),
            ("; adds 1 stress", ""),
            ("panic: stress 1s 1+", "panic: stress 1s 2+"),
            ("`stress dice`", "`dice`"),
        ],
    );
}

/// Pools of three colours that are pushed: what stays differs by colour, and ones of two colours
/// hurt.
fn colours(values: &[i64], faces: &Faces<'_>) -> Says {
    let mut pools: Vec<Vec<i64>> = values.iter().map(|count| faces.dice(*count, 6)).collect();
    let sixes = |pools: &[Vec<i64>]| pools.iter().flatten().filter(|face| **face == 6).count();
    let pushed = sixes(&pools) == 0;
    if pushed {
        for (colour, pool) in pools.iter_mut().enumerate() {
            for face in pool.iter_mut() {
                let stays = *face == 6 || (*face == 1 && colour != 1);
                if !stays {
                    *face = faces.die(6);
                }
            }
        }
    }
    let sixes = i64::try_from(sixes(&pools)).expect("a few");
    let ones = |colour: usize| pools[colour].iter().filter(|face| **face == 1).count();
    let verdict = match sixes {
        3.. => says(CriticalSuccess, "Flourish", sixes - 1),
        1.. => says(Success, "Success", sixes - 1),
        _ => says(Failure, "Failure", sixes - 1),
    };
    let mut flags = Vec::new();
    flags.extend((pushed && ones(0) > 0).then_some("hurt"));
    flags.extend((pushed && ones(2) > 0).then_some("worn"));
    Says {
        flags,
        values: vec![("harm", i64::try_from(ones(0)).expect("a few"))],
        ..verdict
    }
}

#[test]
fn an_attempt_that_is_pushed() {
    let varies = [("body", 1, 5), ("skill", 0, 4), ("gear", 0, 3)];
    Game {
        rules: include_str!("colours.md"),
        check: "Attempt",
        varies: &varies,
        reference: colours,
    }
    .holds_followed(
        "Push",
        &[
            ("6s, body 1s, gear 1s", "6s, body 1s"),
            ("6s, body 1s, gear 1s", "6s, 1s"),
            ("6s, body 1s, gear 1s", "body 1s, gear dice"),
            ("6s, body 1s, gear 1s", "6s, skill 1s, gear 1s"),
            ("hurt: body 1s 1+", "hurt: 1s 1+"),
            ("worn: gear 1s 1+; after Push", "worn: gear 1s 1+"),
            ("after failure", "after success"),
            ("successes 3+", "successes 4+"),
        ],
    );
}

/// Counting hits in a pool that can glitch.
fn hits(values: &[i64], faces: &Faces<'_>) -> Says {
    let pool = faces.dice((values[0] + values[1] + values[2]).max(1), 6);
    let hits = pool.iter().filter(|face| **face >= 5).count();
    let glitch = pool.iter().filter(|face| **face == 1).count() * 2 > pool.len();
    let margin = i64::try_from(hits).expect("a few") - values[3];
    let verdict = if glitch && hits == 0 {
        says(CriticalFailure, "Critical glitch", margin)
    } else if margin >= 0 {
        says(Success, "Success", margin)
    } else {
        says(Failure, "Failure", margin)
    };
    Says {
        flags: if glitch { vec!["glitch"] } else { Vec::new() },
        ..verdict
    }
}

#[test]
fn a_test() {
    let varies = [
        ("attribute", 1, 6),
        ("skill", 0, 6),
        ("modifier", -6, 3),
        ("threshold", 1, 5),
    ];
    Game {
        rules: include_str!("hits.md"),
        check: "Test",
        varies: &varies,
        reference: hits,
    }
    .holds(&[
        (
            "- Flag glitch: `1s > dice / 2`",
            "- Flag glitch: `1s >= dice / 2`",
        ),
        ("Count: 5+", "Count: 4+"),
        (" and successes 0", ""),
        ("With no dice: `1d6`", "With no dice: `2d6`"),
    ]);
}

/// Pools of d6 against an obstacle, some of them open.
fn obstacle(values: &[i64], faces: &Faces<'_>) -> Says {
    let plain = faces.dice(values[0], 6);
    let mut open = Vec::new();
    for _ in 0..values[1] {
        loop {
            open.push(faces.die(6));
            if open.last() != Some(&6) {
                break;
            }
        }
    }
    let count = |dice: &[i64], wanted: fn(i64) -> bool| {
        i64::try_from(dice.iter().filter(|face| wanted(**face)).count()).expect("a few")
    };
    let all = [plain.clone(), open.clone()].concat();
    let margin = count(&all, |face| face >= 4) - values[2];
    let verdict = match margin {
        3.. => says(CriticalSuccess, "Beyond hope", margin),
        0.. => says(Success, "Passed", margin),
        -1 if !all.contains(&1) => says(PartialSuccess, "Nearly", margin),
        _ => says(Failure, "Failed", margin),
    };
    let lesson = margin < 0 || i64::try_from(all.len()).expect("a few") <= values[2];
    let bleak = open.is_empty() && count(&plain, |face| face == 1) >= 2;
    let flags = [("lesson", lesson), ("bleak", bleak)];
    let flags = flags
        .into_iter()
        .filter(|(_, raised)| *raised)
        .map(|(name, _)| name)
        .collect();
    Says {
        flags,
        values: vec![("spare", margin.max(0))],
        ..verdict
    }
}

#[test]
fn a_pool_against_an_obstacle() {
    let rules = include_str!("obstacle.md");
    let varies = [("ranks", 1, 6), ("open", 0, 3), ("obstacle", 1, 6)];
    Game {
        rules,
        check: "Obstacle",
        varies: &varies,
        reference: obstacle,
    }
    .holds(&[
        ("Count: 4+", "Count: 5+"),
        ("{open}d6!", "{open}d6"),
        ("{spare} 3+", "{spare} 2+"),
        ("max(0, margin)", "margin"),
        ("dice {obstacle} or less", "`dice < {obstacle}`"),
        ("margin -1 and 1s 0", "margin -1"),
        ("plain 1s 2+", "plain 1s 1+"),
        ("open dice 0", "open dice 1"),
    ]);
}

/// Dice that each count against two numbers of the sheet: within the focus twice, within the number
/// once.
fn focus(values: &[i64], faces: &Faces<'_>) -> Says {
    let [pool, number, focus, difficulty] = values else {
        panic!("four numbers")
    };
    let dice = faces.dice(*pool, 20);
    let mut successes = 0;
    for face in &dice {
        if face <= focus {
            successes += 2;
        } else if face <= number {
            successes += 1;
        }
    }
    let margin = successes - difficulty;
    let verdict = if margin >= 0 {
        says(Success, "Success", margin)
    } else {
        says(Failure, "Failure", margin)
    };
    let flags = if dice.contains(&20) {
        vec!["trouble"]
    } else {
        Vec::new()
    };
    Says {
        flags,
        values: vec![("momentum", margin.max(0))],
        ..verdict
    }
}

#[test]
fn dice_that_count_against_two_numbers() {
    let rules = include_str!("focus.md");
    let varies = [
        ("pool", 1, 5),
        ("number", 7, 16),
        ("focus", 1, 5),
        ("difficulty", 0, 5),
    ];
    Game {
        rules,
        check: "Task",
        varies: &varies,
        reference: focus,
    }
    .holds(&[
        ("{focus} or less as 2", "{focus} or less as 3"),
        ("{number} or less as 1", "`{number} - 1` or less as 1"),
        (
            "{focus} or less as 2, {number} or less as 1",
            "{number} or less as 1, {focus} or less as 2",
        ),
        ("max(0, margin)", "margin"),
        ("20s 1+", "20s 2+"),
        ("margin 0+", "margin 1+"),
    ]);
}

/// A death spiral: each wound costs dice, and the last ones more.
fn attempt(values: &[i64], faces: &Faces<'_>) -> Says {
    let (rating, wounds, difficulty) = (values[0], values[1], values[2]);
    let loss = if wounds == 5 { 4 } else { (wounds + 1) / 2 };
    let rolled = faces.dice((rating - loss).max(1), 6);
    let margin = i64::try_from(rolled.iter().filter(|face| **face >= 5).count()).expect("a few")
        - difficulty;
    let verdict = match margin {
        2.. if wounds == 0 => says(CriticalSuccess, "Triumph", margin),
        0.. => says(Success, "Success", margin),
        _ => says(Failure, "Failure", margin),
    };
    Says {
        flags: if wounds >= 3 {
            vec!["fading"]
        } else {
            Vec::new()
        },
        ..verdict
    }
}

#[test]
fn a_try_with_wounds() {
    let varies = [("rating", 1, 7), ("Wounds", 0, 5), ("difficulty", 0, 3)];
    Game {
        rules: include_str!("spiral.md"),
        check: "Try",
        varies: &varies,
        reference: attempt,
    }
    .holds(&[
        ("| 1-2 | -1 |", "| 1-2 | -2 |"),
        ("| 1-2 | -1 |\n| 3-4 |", "| 1-3 | -1 |\n| 4 |"),
        ("| 5 | -4 |", "| 5 | -3 |"),
        ("| 0 | 0 |", "| 0 | -1 |"),
        ("`1d6`", "`2d6`"),
        ("{Wounds} 3+", "{Wounds} 4+"),
        ("{Loss} 0", "{Loss} -1+"),
    ]);
}

/// Step dice: a die for the trait and one for the skill, in which high faces count.
fn steps(values: &[i64], faces: &Faces<'_>) -> Says {
    let dice = [
        (faces.die(values[0]), values[0]),
        (faces.die(values[1]), values[1]),
    ];
    let count = |face: i64| match face {
        10.. => 2,
        6.. => 1,
        _ => 0,
    };
    let margin = dice.iter().map(|(face, _)| count(*face)).sum::<i64>() - values[2];
    let verdict = match margin {
        2.. => says(CriticalSuccess, "Mastery", margin),
        0.. => says(Success, "Success", margin),
        _ => says(Failure, "Failure", margin),
    };
    let size = dice.iter().max().map(|(_, sides)| *sides).expect("dice");
    let flags = if dice.iter().any(|(face, _)| *face == 1) {
        vec!["hurt"]
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
fn two_step_dice() {
    let rules = include_str!("steps.md");
    let varies = [("trait", 6, 12), ("skill", 4, 12), ("difficulty", 1, 3)];
    Game {
        rules,
        check: "Strive",
        varies: &varies,
        reference: steps,
    }
    .holds(&[
        ("6-9 as 1", "5-9 as 1"),
        ("10+ as 2", "10+ as 1"),
        ("hurt: 1s 1+", "hurt: 1s 2+"),
        ("`size(highest 1)`", "`size(natural)`"),
        ("margin 2+", "margin 3+"),
    ]);
}
