//! Labelled groups of which some are empty: every quantity that names one counts 0, in outcomes,
//! flags and odds.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use rollbook_dice::Bound;
use rollbook_rules::Outcome::{CriticalFailure, CriticalSuccess, Failure, PartialSuccess, Success};
use rollbook_rules::{Means, Walked};
use rollbook_text::names::same;

use super::table::{Faces, Game, Says, says, system};

const RULES: &str = include_str!("groups.md");
const VARIES: [(&str, i64, i64); 2] = [("bright", 0, 2), ("dark", 0, 2)];

fn shows(dice: &[i64], face: i64) -> usize {
    dice.iter().filter(|die| **die == face).count()
}

fn highest(dice: &[i64]) -> i64 {
    dice.iter().copied().max().unwrap_or(0)
}

fn lowest(dice: &[i64]) -> i64 {
    dice.iter().copied().min().unwrap_or(0)
}

fn cast(values: &[i64], faces: &Faces<'_>) -> Says {
    let (bright, dark) = (faces.dice(values[0], 6), faces.dice(values[1], 6));
    cast_of(&bright, &dark)
}

fn cast_of(bright: &[i64], dark: &[i64]) -> Says {
    let successes = |dice: &[i64]| dice.iter().filter(|die| **die >= 5).count();
    let flags = [
        ("quiet", shows(dark, 6) == 0),
        ("bare", bright.is_empty()),
        ("even", successes(bright) >= successes(dark)),
        ("low", lowest(dark) <= 2),
    ];
    let verdict = if shows(dark, 6) > shows(bright, 6) {
        says(CriticalFailure, "Overrun", None)
    } else if dark.is_empty() && highest(bright) > 0 {
        says(CriticalSuccess, "Calm", None)
    } else if shows(bright, 6) >= shows(dark, 6) && shows(dark, 1) == 0 {
        says(Success, "Clean", None)
    } else if lowest(bright) <= lowest(dark) {
        says(PartialSuccess, "Uneasy", None)
    } else {
        says(Failure, "Lost", None)
    };
    Says {
        flags: flags
            .into_iter()
            .filter(|(_, is)| *is)
            .map(|(name, _)| name)
            .collect(),
        ..verdict
    }
}

fn reach(values: &[i64], faces: &Faces<'_>) -> Says {
    let (bright, dark) = match values[0] {
        0 => (Vec::new(), faces.dice(1, 6)),
        bright => (faces.dice(bright, 6), faces.dice(values[1], 6)),
    };
    let verdict = match highest(&dark) > highest(&bright) {
        true => says(Failure, "Dark", None),
        false => says(Success, "Bright", None),
    };
    Says {
        flags: if shows(&bright, 6) == 0 {
            vec!["quiet"]
        } else {
            Vec::new()
        },
        ..verdict
    }
}

#[test]
fn a_group_that_rolls_no_dice_counts_nothing() {
    Game {
        rules: RULES,
        check: "Cast",
        varies: &VARIES,
        reference: cast,
    }
    .holds(&[
        ("dark 6s 0", "dark 6s 1"),
        ("bright successes >=", "bright successes >"),
        ("dark lowest 2 or less", "dark lowest 1-2"),
        ("dark 6s > bright", "dark 6s >= bright"),
        (" and `bright highest > dark highest`", ""),
        (" and dark 1s 0", ""),
        ("bright lowest <=", "bright lowest <"),
    ]);
}

#[test]
fn a_group_that_the_roll_without_dice_leaves_out_counts_nothing() {
    Game {
        rules: RULES,
        check: "Reach",
        varies: &VARIES,
        reference: reach,
    }
    .holds(&[
        (
            "- With no dice: `1d6[dark]`",
            "- With no dice: `1d6[bright]`",
        ),
        ("Flag quiet: bright 6s 0", "Flag quiet: bright 6s"),
    ]);
}

/// Every way the dice of both hands can fall, one after the other.
fn every_fall(bright: i64, dark: i64) -> BTreeMap<(&'static str, Vec<&'static str>), u64> {
    let dice = u32::try_from(bright + dark).expect("a few");
    let mut tally = BTreeMap::new();
    for way in 0..6_i64.pow(dice) {
        let faces: Vec<i64> = (0..dice).map(|die| way / 6_i64.pow(die) % 6 + 1).collect();
        let (bright, dark) = faces.split_at(usize::try_from(bright).expect("a few"));
        let verdict = cast_of(bright, dark);
        *tally.entry((verdict.label, verdict.flags)).or_default() += 1;
    }
    tally
}

#[test]
fn the_odds_of_empty_groups_are_those_of_every_fall() {
    let system = system(RULES);
    let check = system.check("Cast").expect("the check");
    for (bright, dark) in (0..=2).flat_map(|bright| (0..=2).map(move |dark| (bright, dark))) {
        let lookup = |name: &str, _| {
            let value = [("bright", bright), ("dark", dark)]
                .into_iter()
                .find(|(pool, _)| same(pool, name));
            value.map(|(_, value)| Bound::Number(value))
        };
        let attempt = check
            .attempt(&Means {
                lookup: &lookup,
                extra: 0,
                dice: 0,
                targeted: true,
            })
            .expect("an attempt");
        for by_classes in [true, false] {
            let mut tally: BTreeMap<(String, Vec<String>), u64> = BTreeMap::new();
            let all = 6_u64.pow(u32::try_from(bright + dark).expect("a few"));
            let mut visit = |verdict: Option<&rollbook_rules::Verdict>,
                             ways: &rollbook_rules::Ways| {
                let verdict = verdict.expect("nothing explodes");
                let number = |big: &num_bigint::BigUint| {
                    big.to_string().parse::<u64>().expect("a small number")
                };
                let label = verdict
                    .judgement
                    .as_ref()
                    .map(|judged| judged.label.clone())
                    .unwrap_or_default();
                *tally.entry((label, verdict.flags.clone())).or_default() +=
                    number(&ways.times) * all / number(&ways.of);
                ControlFlow::Continue(())
            };
            let walked = match by_classes {
                true => check.each_verdict(&attempt, 100_000, &mut visit),
                false => check.each_roll(&attempt, 100_000, &mut visit),
            };
            assert_eq!(walked.expect("a walk"), Walked::Whole);
            let wanted: BTreeMap<(String, Vec<String>), u64> = every_fall(bright, dark)
                .into_iter()
                .map(|((label, flags), times)| {
                    (
                        (
                            label.to_owned(),
                            flags.into_iter().map(str::to_owned).collect(),
                        ),
                        times,
                    )
                })
                .collect();
            assert_eq!(tally, wanted, "{bright} bright, {dark} dark");
        }
    }
}
