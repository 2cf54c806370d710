//! Every way a check's dice can land: the short walk over classes gives the odds of the long one.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use num_bigint::BigUint;
use proptest::prelude::*;

use super::{findings, system_md};
use crate::{Attempt, Check, Means, Outcome, Verdict, Visit, Walked, Ways};
use rollbook_dice::odds::Ratio;
use rollbook_dice::{Bound, parse_formula};

/// Row and flags.
type End = (Option<(Outcome, Option<u32>)>, Vec<String>);

/// Another check with the labels that conditions name, where the first has none.
const LABELS: &str = "\n### Labels\n- Roll: `1d4[hunger] + 1d4[red] + 1d4[blue]`\n";
/// Dice that a call may roll and no rule may ask for.
const OF_CALLS: [&str; 10] = [
    "4d4t4f1",
    "3d6mi2 - 1d4",
    "2d6ma4kh1 + 1d6",
    "3d6s",
    "2d4!mi2",
    "2d4!t4f1",
    "5d10!mi2",
    "5d6!d<3",
    "9d100!s",
    "5d6!sa",
];

fn attempt(rules: &str, values: &[(&str, i64)]) -> (Check, Attempt) {
    let called = OF_CALLS
        .iter()
        .find(|roll| rules.contains(&format!("- Roll: `{roll}`\n")));
    let written = called.map_or_else(|| rules.to_owned(), |roll| rules.replacen(roll, "1d6", 1));
    let reading = system_md(&format!("{written}{LABELS}"));
    let check = reading
        .system
        .checks
        .iter()
        .find(|check| check.name == "Any")
        .cloned();
    let mut check = check.unwrap_or_else(|| panic!("{rules}\n{:?}", findings(&reading)));
    if let Some(roll) = called {
        check.roll = parse_formula(roll).expect("dice");
    }
    let value = |name: &str| {
        values
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| Bound::Number(*value))
    };
    let means = Means {
        lookup: &|name, _| value(name),
        extra: 0,
        dice: 0,
        targeted: true,
    };
    let attempt = check.attempt(&means).expect("an attempt");
    (check, attempt)
}

/// How likely each end is, and how many verdicts that took; `None` is what is cut off.
pub(super) fn chances<K: Ord>(
    walk: impl FnOnce(&mut Visit<'_>) -> Walked,
    end: impl Fn(&Verdict) -> K,
) -> (BTreeMap<Option<K>, Ratio>, u64) {
    let mut found: BTreeMap<Option<K>, BTreeMap<BigUint, BigUint>> = BTreeMap::new();
    let mut looks = 0;
    let walked = walk(&mut |verdict: Option<&Verdict>, ways: &Ways| {
        *found
            .entry(verdict.map(&end))
            .or_default()
            .entry(ways.of.clone())
            .or_default() += &ways.times;
        looks += 1;
        ControlFlow::Continue(())
    });
    assert_eq!(walked, Walked::Whole);
    (
        found
            .into_iter()
            .map(|(end, parts)| (end, Ratio::sum_of_ways(&parts)))
            .collect(),
        looks,
    )
}

fn ends(walk: impl FnOnce(&mut Visit<'_>) -> Walked) -> (BTreeMap<Option<End>, Ratio>, u64) {
    chances(walk, |verdict| {
        (
            verdict
                .judgement
                .as_ref()
                .map(|judged| (judged.outcome, judged.rank)),
            verdict.flags.clone(),
        )
    })
}

fn both(rules: &str) -> [(BTreeMap<Option<End>, Ratio>, u64); 2] {
    let (check, attempt) = attempt(rules, &[("difficulty", 9), ("modifier", 1)]);
    let short = ends(|visit| {
        check
            .each_verdict(&attempt, u64::MAX, visit)
            .expect("a walk")
    });
    let long = ends(|visit| check.each_roll(&attempt, u64::MAX, visit).expect("a walk"));
    [short, long]
}

/// Dice, bullets (`\\n` ends each of several) and conditions that are tried together.
const TRIED: &str = include_str!("ways.md");

/// The items below a heading of [`TRIED`].
fn tried(heading: &str) -> Vec<String> {
    let (_, below) = TRIED
        .split_once(&format!("## {heading}\n"))
        .expect("a heading");
    let below = below.split("\n## ").next().unwrap_or_default();
    below
        .lines()
        .filter_map(|line| line.strip_prefix("    "))
        .map(|line| line.replace("(none)", "").replace("\\n", "\n"))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    /// Each walk cuts something off endless explosions, the short one no more; the rest is equal.
    #[test]
    fn the_short_walk_is_the_long_one(
        roll in prop::sample::select(tried("Rolls")),
        bullets in prop::sample::select(tried("Bullets")),
        rows in prop::sample::subsequence(tried("Conditions"), 0..4),
        flag in prop::sample::select(tried("Conditions")),
    ) {
        let mut rules = format!("## Checks\n### Any\n- Roll: `{roll}`\n- Asks: unsaid 0 to 3\n{bullets}- Flag seen: {flag}\n");
        if !rows.is_empty() {
            rules.push_str("\n| Outcome | When |\n|---|---|\n");
            for (row, outcome) in rows.iter().zip(["critical success", "success", "partial success", "failure"]) {
                rules.push_str(&format!("| {outcome} | {row} |\n"));
            }
        }
        let [(mut short, short_looks), (mut long, long_looks)] = both(&rules);
        for ends in [&short, &long] {
            prop_assert!(ends.values().fold(Ratio::default(), |sum, chance| sum.plus(chance)).is_one(), "{}", rules);
        }
        if !roll.contains('!') {
            prop_assert!(short == long && short_looks <= long_looks, "{}", rules);
            return Ok(());
        }
        let cut = [short.remove(&None), long.remove(&None)].map(|cut| cut.unwrap_or_default().to_f64());
        prop_assert!(cut[0] <= cut[1], "{:?}: {}", cut, rules);
        for end in short.keys().chain(long.keys()) {
            let [short, long] = [&short, &long].map(|ends| ends.get(end).cloned().unwrap_or_default().to_f64());
            prop_assert!((short - long).abs() <= cut[1] + 1e-15, "{:?}: {} and {}: {}", end, short, long, rules);
        }
    }
}

/// The chances of every total, and what is cut off, exactly.
#[test]
fn exploding_pools_have_the_odds_of_the_dice_alone() {
    for roll in [
        "1d6!",
        "5d10!>=8",
        "3d6!p",
        "4d8!!",
        "6d6!o",
        "4d6!kh2",
        "4d6!t6",
        "5d10!mi2",
        "20d6!",
        "12d6ro1",
        "4d100ro<50",
        "6d8r<3!",
        "d%p1",
        "3d6! + 2d8!p - 1d4",
        "max(2d6!, 1d12)",
        "6d10! + 6d10!>=9",
        "10d6! - 4d8![cold] + 3",
    ] {
        let (check, attempt) = attempt(
            &format!("## Checks\n### Any\n- Roll: `{roll}`\n- Target: `0`\n"),
            &[],
        );
        let plain = attempt.expression.odds().expect("odds").totals;
        let walk = |visit: &mut Visit<'_>| {
            check
                .each_result(&attempt, &check.opposition, 300_000, visit)
                .expect("a walk")
        };
        let (mut found, _) = chances(walk, |verdict| verdict.facts.total);
        let cut = found.remove(&None).unwrap_or_default();
        let near =
            |one: &Ratio, other: &Ratio| (one.to_f64() - other.to_f64()).abs() <= 2_f64.powi(-60);
        assert!(near(&cut, &plain.cut()), "{roll}: {cut:?}");
        let exact = !roll.contains("!p") && !roll.contains("kh") && !roll.contains("mi");
        for (total, chance) in found {
            let other = plain.exactly(total.expect("a total"));
            assert!(
                if exact {
                    chance == other
                } else {
                    near(&chance, &other)
                },
                "{roll}, {total:?}: {chance} and {other}"
            );
        }
    }
}

#[test]
fn a_walk_that_is_too_long_is_refused_before_it_begins() {
    for roll in [
        "40d20 + 20d12 + 10d100",
        "5d6!dl1",
        "5d6!d<3",
        "{20d100, 20d100, 20d100}kh1",
        "9d100!s",
        "5d6!sa",
        "12d20k>10",
    ] {
        let natural = if roll == "12d20k>10" {
            ""
        } else {
            "- On natural 6: +1 step\n"
        };
        let rules = format!("## Checks\n### Any\n- Roll: `{roll}`\n- Target: `9`\n{natural}");
        let (check, attempt) = attempt(&rules, &[]);
        // Of dice that explode and are kept in this way only the number of sequences is known.
        let most = if roll.starts_with("5d6!") {
            7_000
        } else {
            300_000
        };
        let walked = check.each_verdict(&attempt, most, &mut |_, _| panic!("{roll} is looked at"));
        assert_eq!(walked, Ok(Walked::TooMany), "{roll}");
    }
}

#[test]
fn large_pools_are_joined_by_what_is_read() {
    for (roll, table, most) in [
        (
            "- Roll: `12d6kh1`",
            "| success | highest 6 |\n| partial success | highest 4-5 |\n| failure | otherwise |",
            6,
        ),
        (
            "- Roll: `20d10`\n- Count: 6+\n- Result: `successes + 2 * floor(10s / 2)`",
            "| success | total 8+ |\n| failure | otherwise |",
            300,
        ),
        (
            "- Roll: `20d10t8`",
            "| success | successes 8+ |\n| failure | otherwise |",
            21,
        ),
        (
            "- Roll: `20d10`\n- Count: 6+",
            "| success | successes 20 |\n| failure | otherwise |",
            21,
        ),
        (
            "- Roll: `20d10![a] + 20d10!![b] + 1d4`",
            "| success | total 150+ |\n| failure | otherwise |",
            2_000,
        ),
        (
            "- Roll: `40d6`\n- Target: `140`",
            "| success | margin 0+ |\n| failure | otherwise |",
            201,
        ),
        (
            "- Roll: `12d6`\n- Target: `{difficulty}`",
            "| success | 6s 3+ and margin 0+ |\n| failure | otherwise |",
            // Four classes of sixes with each total at most.
            4 * 61,
        ),
    ] {
        let rules =
            format!("## Checks\n### Any\n{roll}\n\n| Outcome | When |\n|---|---|\n{table}\n");
        let (check, attempt) = attempt(&rules, &[("difficulty", 40)]);
        let (found, looks) = ends(|visit| {
            check
                .each_verdict(&attempt, 300_000, visit)
                .expect("a walk")
        });
        assert!(looks <= most, "{roll}: {looks}");
        assert!(
            found
                .values()
                .fold(Ratio::default(), |sum, chance| sum.plus(chance))
                .is_one()
        );
        if table.contains("successes 20") {
            // A binomial sum.
            let chances: Vec<String> = found.values().map(Ratio::to_string).collect();
            assert_eq!(chances, ["1048575/1048576", "1/1048576"]);
        }
    }
}

/// The condition is on one group alone, and both have such faces.
#[test]
fn a_face_of_one_group_is_not_that_of_another() {
    let rules = "## Checks\n### Any\n- Roll: `2d4[red] + 2d4[hunger]`\n- Flag seen: hunger 4s 2+\n- Flag told: not red 4s\n";
    let [(short, _), (long, _)] = both(rules);
    assert_eq!(short, long);
}

#[test]
fn a_visitor_may_stop_the_walk() {
    let (check, attempt) = attempt("## Checks\n### Any\n- Roll: `2d6`\n- Target: `7`\n", &[]);
    let mut looks = 0;
    let walked = check.each_verdict(&attempt, 100, &mut |_, _| {
        looks += 1;
        ControlFlow::Break(())
    });
    assert_eq!((walked, looks), (Ok(Walked::Stopped), 1));
    let walked = check.each_roll(&attempt, 10, &mut |_, _| ControlFlow::Continue(()));
    assert_eq!(walked, Ok(Walked::TooMany));
}
