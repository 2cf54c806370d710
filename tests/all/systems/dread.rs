//! Pools with stress dice: a push adds one of them.

use rollbook_rules::Outcome::{CriticalFailure, Failure, PartialSuccess, Success};

use super::table::{Faces, Game, Says, says};

fn reference(values: &[i64], faces: &Faces<'_>) -> Says {
    let (mut plain, mut stress) = (faces.dice(values[0], 6), faces.dice(values[1], 6));
    let sixes = |plain: &[i64], stress: &[i64]| {
        i64::try_from(plain.iter().chain(stress).filter(|face| **face == 6).count()).expect("a few")
    };
    if sixes(&plain, &stress) < values[2] {
        for face in plain.iter_mut().chain(&mut stress).filter(|face| **face != 6) {
            *face = faces.die(6);
        }
        stress.push(faces.die(6));
    }
    let margin = sixes(&plain, &stress) - values[2];
    let told = if margin >= 0 { says(Success, "Success", margin) } else { says(Failure, "Failure", margin) };
    let flags = if stress.contains(&1) { vec!["panic"] } else { Vec::new() };
    Says { flags, values: vec![("weight", i64::try_from(stress.len()).expect("a few"))], ..told }
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
    Game { rules, check: "Panic", varies: &[("stress", 0, 10)], reference: panic }.holds(&[
        ("total 7-9", "total 7-10"),
        ("total 6 or less", "total 5 or less"),
        ("total 10-12", "total 10-11"),
        ("`1d6 + {stress}`", "`1d6`"),
    ]);
}

#[test]
fn an_effort_that_is_pushed() {
    let varies = [("pool", 1, 6), ("stress", 0, 5), ("difficulty", 1, 3)];
    Game { rules: include_str!("dread.md"), check: "Effort", varies: &varies, reference }.holds_followed(
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
