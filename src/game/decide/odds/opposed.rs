//! Odds of opposed checks: the outcomes of each side with their chances, and then each of one side with each of the other.
//! The dice of both sides are never combined, so two large pools take as long as each by itself.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

use num_bigint::BigUint;

use super::{Chances, ContestOdds, OddsTally, OutcomeKey, WAYS_MAX, WayCounts, key, too_many};
use crate::dice::odds::Ratio;
use crate::game::decide::check::{ContestResult, PlannedRoll};
use crate::game::mechanics::values::dice_refusal;
use crate::game::refusal::Refusal;
use crate::rules::{Outcome, Walked};

/// Pairs of outcomes that are compared.
const PAIRS_MAX: usize = 1_000_000;

/// The possible results of one side.
struct Side {
    ends: Vec<(OutcomeKey, ContestResult, WayCounts)>,
    cut: WayCounts,
    flags: BTreeMap<String, WayCounts>,
}

/// The chances of the actor's outcomes, and of winning.
pub(super) fn chances(mine: &PlannedRoll<'_>, theirs: &PlannedRoll<'_>) -> Result<Chances, Refusal> {
    let (own, other) = (side(mine)?, side(theirs)?);
    if own.ends.len().saturating_mul(other.ends.len()) > PAIRS_MAX {
        return Err(too_many(&mine.attempt.expression));
    }
    let (mut won, mut tie) = (WayCounts::new(), WayCounts::new());
    let mut found = OddsTally { flags: own.flags, ..OddsTally::default() };
    for (key, end, parts) in &own.ends {
        // The other side's chances are summed before they are multiplied, since there may be hundreds.
        let [mut beaten, mut equal, mut better] = [WayCounts::new(), WayCounts::new(), WayCounts::new()];
        for (_, against, others) in &other.ends {
            let sum = match end.compare(against) {
                Ordering::Greater => &mut beaten,
                Ordering::Equal => &mut equal,
                Ordering::Less => &mut better,
            };
            add(sum, others);
        }
        let [beaten, equal, better] = [beaten, equal, better].map(|others| product(parts, &others));
        for (both, outcome) in [(&beaten, Outcome::Success), (&equal, Outcome::Failure), (&better, Outcome::Failure)] {
            let end = match mine.untargeted {
                // Without a difficulty the outcome is whether the actor wins.
                true => untargeted(key, outcome),
                false => key.clone(),
            };
            if !both.is_empty() {
                add(found.outcomes.entry(end).or_default(), both);
            }
        }
        add(&mut won, &beaten);
        add(&mut tie, &equal);
        add(&mut found.cut, &product(parts, &other.cut));
    }
    // Rolls of one side beyond the limit are cut, whatever the other side rolls.
    let all = BTreeMap::from([(BigUint::from(1_u8), BigUint::from(1_u8))]);
    add(&mut found.cut, &product(&own.cut, &all));
    let against = ContestOdds { won: Ratio::sum_of_ways(&won), tie: Ratio::sum_of_ways(&tie) };
    Ok(Chances { against: Some(against), ..found.chances(Some(mine.rule)) })
}

fn untargeted(key: &OutcomeKey, outcome: Outcome) -> OutcomeKey {
    (std::cmp::Reverse(Some(outcome)), None, Some(outcome.to_string()), key.3.clone())
}

fn side(roll: &PlannedRoll<'_>) -> Result<Side, Refusal> {
    let mut ends: BTreeMap<(OutcomeKey, ContestResult), WayCounts> = BTreeMap::new();
    let mut cut = WayCounts::new();
    let mut raised = OddsTally::default();
    let walked = roll.rule.each_result(&roll.attempt, WAYS_MAX, &mut |verdict, ways| {
        raised.add_flags(verdict.map_or(&[], |verdict| &verdict.flags), ways.of.clone(), &ways.times);
        let parts = match verdict {
            None => &mut cut,
            Some(verdict) => {
                let judged = verdict.judged.as_ref().filter(|_| !roll.untargeted);
                let end = ContestResult {
                    outcome: judged.map(|judged| judged.outcome),
                    ..ContestResult::of(roll.rule, verdict)
                };
                ends.entry((key(roll.rule, judged), end)).or_default()
            }
        };
        *parts.entry(ways.of.clone()).or_default() += &ways.times;
        ControlFlow::Continue(())
    });
    match walked.map_err(|error| dice_refusal(&error))? {
        Walked::Whole => {
            let ends = ends.into_iter().map(|((key, end), parts)| (key, end, parts)).collect();
            Ok(Side { ends, cut, flags: raised.flags })
        }
        Walked::Stopped | Walked::TooMany => Err(too_many(&roll.attempt.expression)),
    }
}

fn product(one: &WayCounts, other: &WayCounts) -> WayCounts {
    let mut both = WayCounts::new();
    for (of, times) in one {
        for (others_of, others) in other {
            *both.entry(of * others_of).or_default() += times * others;
        }
    }
    both
}

fn add(sum: &mut WayCounts, parts: &WayCounts) {
    for (of, times) in parts {
        *sum.entry(of.clone()).or_default() += times;
    }
}
