//! Pushes: kept dice, added dice, costs, and odds of pushing where it pays, against every throw.

use std::collections::BTreeMap;

use num_bigint::BigUint;

use super::system_md;
use crate::{Attempt, Check, FollowUp, Means, Outcome, Verdict, Walked};
use rollbook_dice::odds::{Ratio, Walker};
use rollbook_dice::{Bound, KeptRoller, Roll};
use rollbook_text::diagnostic::render;

const HEALTH: &str =
    "\n## Health\n- Stress: 10 boxes\n- Hit points: max 10\n- Damage: Hit points\n";

fn check(bullets: &str) -> (Check, Attempt) {
    let reading = system_md(&format!("## Checks\n### Any\n{bullets}{HEALTH}"));
    let check = reading.system.checks.first().expect("a check").clone();
    assert_eq!(
        check.follow_ups.len(),
        1,
        "{}",
        render::plain(&reading.diagnostics, &reading.sources)
    );
    let means = Means {
        lookup: &|_, _| Some(Bound::Number(2)),
        extra: 0,
        dice: 0,
        targeted: true,
    };
    let attempt = check.attempt(&means).expect("an attempt");
    (check, attempt)
}

type End = (bool, Option<Outcome>, Vec<String>, Vec<(String, i64)>);
type Counts = BTreeMap<End, BTreeMap<BigUint, BigUint>>;

fn chances(counts: Counts) -> BTreeMap<End, Ratio> {
    counts
        .into_iter()
        .map(|(end, parts)| (end, Ratio::sum_of_ways(&parts)))
        .collect()
}

fn end(again: bool, verdict: &Verdict) -> End {
    (
        again,
        verdict.judgement.as_ref().map(|judged| judged.outcome),
        verdict.flags.clone(),
        verdict.values.clone(),
    )
}

fn short(check: &Check, attempt: &Attempt) -> BTreeMap<End, Ratio> {
    let mut found = Counts::new();
    let walked = check.each_followed(
        attempt,
        &check.follow_ups[0],
        300_000,
        &mut |again, verdict, ways| {
            let end = end(again, verdict.expect("nothing is cut off"));
            *found
                .entry(end)
                .or_default()
                .entry(ways.of.clone())
                .or_default() += &ways.times;
        },
    );
    assert_eq!(walked.expect("a walk"), Walked::Whole);
    chances(found)
}

/// Every throw, one by one.
fn each(
    roll: impl Fn(&mut Walker) -> (Roll, Option<Roll>),
    mut visit: impl FnMut(Roll, Option<Roll>, BigUint),
) {
    let mut dice = Walker::new();
    loop {
        let (rolled, opposing) = roll(&mut dice);
        visit(rolled, opposing, dice.ways());
        if !dice.advance() {
            return;
        }
    }
}

/// The same with every first and every second throw by itself; `stays` says which dice are kept.
fn long(
    check: &Check,
    attempt: &Attempt,
    rule: &FollowUp,
    stays: &dyn Fn(&str, i64) -> bool,
) -> BTreeMap<End, Ratio> {
    let mut found = Counts::new();
    each(
        |dice| attempt.roll(dice).expect("a roll"),
        |roll, opposing, ways| {
            let first = check.verdict(attempt, &roll, opposing.as_ref());
            let before = first
                .judgement
                .as_ref()
                .map(|judged| judged.outcome)
                .expect("an outcome");
            let may = if rule.after.is_empty() {
                before <= Outcome::Failure
            } else {
                rule.after.contains(&before)
            };
            let views = roll.dice();
            let kept = views.iter().map(|view| {
                let (label, face) = (
                    view.labels.first().copied().unwrap_or_default(),
                    view.die.natural(),
                );
                stays(label, face).then_some(face)
            });
            let kept: Vec<Option<i64>> = kept.collect();
            let mut then = Vec::new();
            if may {
                let expression = rule.with_added(&attempt.expression).expect("dice");
                let again = |dice: &mut Walker| {
                    let roll = expression
                        .roll(&mut KeptRoller::new(kept.clone(), dice))
                        .expect("a roll");
                    (roll, None)
                };
                each(again, |roll, _, ways| {
                    let by = [rule.name.clone()];
                    then.push((
                        check.verdict_after(attempt, &roll, opposing.as_ref(), &by),
                        ways,
                    ));
                });
            }
            let part = |ways: &BigUint| 1.0 / ways.to_string().parse::<f64>().expect("a number");
            let chance = |wanted: &dyn Fn(Outcome) -> bool| -> f64 {
                let outcome =
                    |verdict: &Verdict| verdict.judgement.as_ref().map(|judged| judged.outcome);
                then.iter()
                    .filter(|(verdict, _)| outcome(verdict).is_some_and(wanted))
                    .map(|(_, ways)| part(ways))
                    .sum()
            };
            let pays =
                chance(&|outcome| outcome > before) > chance(&|outcome| outcome < before) + 1e-12;
            if pays {
                for (verdict, more) in then {
                    *found
                        .entry(end(true, &verdict))
                        .or_default()
                        .entry(&ways * more)
                        .or_default() += 1_u8;
                }
            } else {
                *found
                    .entry(end(false, &first))
                    .or_default()
                    .entry(ways)
                    .or_default() += 1_u8;
            }
        },
    );
    chances(found)
}

const TABLE: &str = "\n| Outcome | When |\n|---|---|\n| critical success | successes 3+ |\n| success | successes 1+ |\n| failure | otherwise |\n";

#[test]
fn a_push_that_pays_is_what_every_throw_says() {
    type Stays = fn(&str, i64) -> bool;
    let cases: [(String, Stays); 6] = [
        (
            format!(
                "- Roll: `{{two}}d3[base] + 1d4[skill] + 1d3[gear]`\n- Asks: two 0 to 4\n- Count: 3+\n\
                 - Again Push: reroll all but 3s, base 1s, gear 1s\n- Flag hurt: base 1s 1+; after Push\n\
                 - Value left: `3s + base 1s`\n{TABLE}"
            ),
            |label, face| face == 3 || (face == 1 && (label == "base" || label == "gear")),
        ),
        (
            format!(
                "- Roll: `1d4 + {{two}}d3[stress]`\n- Asks: two 0 to 4\n- Count: 3\n\
                 - Again Push: reroll all but 3s, stress 1s; adds 1 stress; costs Stress +1\n- Flag panic: stress 1s 1+\n{TABLE}"
            ),
            |label, face| face == 3 || (face == 1 && label == "stress"),
        ),
        ("- Roll: `3d5kh1`\n- Target: `5`\n- Again Retake: reroll all but 4s; after failure\n".to_owned(), |_, face| face == 4),
        (
            "- Roll: `2d4 + 1d6[red]`\n- Target: `9`\n- On natural 4: +1 step\n- Again Push: reroll all but red dice, 3s\n\n\
             | Outcome | When |\n|---|---|\n| success | margin 0+ |\n| partial success | margin -2+ |\n| failure | margin -5+ |\n\
             | critical failure | otherwise |\n"
                .to_owned(),
            |label, face| label == "red" || face == 3,
        ),
        (
            "- Roll: `1d6 + 1`\n- Opposing dice: `2d4`\n- Again Push: reroll all but 1s\n\n| Outcome | When |\n|---|---|\n\
             | success | beaten 2 |\n| partial success | beaten 1 |\n| failure | otherwise |\n"
                .to_owned(),
            |_, face| face == 1,
        ),
        ("- Roll: `d%b1`\n- Target: 30 or less\n- Again Push: reroll all; after failure\n".to_owned(), |_, _| false),
    ];
    for (bullets, stays) in cases {
        let (check, attempt) = check(&bullets);
        let (short, long) = (
            short(&check, &attempt),
            long(&check, &attempt, &check.follow_ups[0], &stays),
        );
        assert_eq!(
            short.keys().collect::<Vec<_>>(),
            long.keys().collect::<Vec<_>>(),
            "{bullets}"
        );
        for (end, chance) in &short {
            let other = &long[end];
            assert!(
                chance.partial_cmp(other) == Some(std::cmp::Ordering::Equal),
                "{bullets}: {end:?} {chance} {other}"
            );
        }
        assert!(short.keys().any(|(again, ..)| *again), "{bullets}");
        assert!(short.keys().any(|(again, ..)| !*again), "{bullets}");
    }
}

#[test]
fn a_price_and_dice_are_as_they_are_read() {
    let (check, _) = check(
        "- Roll: `{two}d6[base] + {two}d8[stress]`\n- Asks: two 0 to 4\n\
         - Again Push: reroll all but 6s, base 1s, stress dice; adds 2 stress; costs Stress +1; costs Hit points -`2 * base 1s`; after failure\n",
    );
    let push = &check.follow_ups[0];
    let costs: Vec<&str> = push.costs.iter().map(|cost| cost.text.as_str()).collect();
    assert_eq!(costs, ["Stress +1", "Hit points -2 * base 1s"]);
    assert_eq!(
        push.added().map(ToString::to_string).collect::<Vec<_>>(),
        ["2d8[stress]"]
    );
}
