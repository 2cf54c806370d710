//! Two who roll against each other: the ends of each side with their chances, and then each end of the one with each end of
//! the other. Dice of different sides are never put together, so two great pools are as quick as each by itself.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

use num_bigint::BigUint;

use super::{Against, Chances, Found, Key, Parts, WAYS_MAX, key, too_many};
use crate::dice::odds::Ratio;
use crate::game::decide::check::{End, Roll};
use crate::game::mechanics::values::dice_refusal;
use crate::game::refusal::Refusal;
use crate::rules::{Outcome, Walked};

/// Pairs of ends that are compared.
const PAIRS_MAX: usize = 1_000_000;

/// What one side can come to.
struct Side {
    ends: Vec<(Key, End, Parts)>,
    cut: Parts,
    flags: BTreeMap<String, Parts>,
}

/// The chances of the one who tries, and of winning.
pub(super) fn chances(mine: &Roll<'_>, theirs: &Roll<'_>) -> Result<Chances, Refusal> {
    let (own, other) = (side(mine)?, side(theirs)?);
    if own.ends.len().saturating_mul(other.ends.len()) > PAIRS_MAX {
        return Err(too_many(&mine.attempt.expression));
    }
    let (mut won, mut tie) = (Parts::new(), Parts::new());
    let mut found = Found { flags: own.flags, ..Found::default() };
    for (key, end, parts) in &own.ends {
        // The other's ends are added up before they are multiplied: there may be hundreds of either.
        let [mut beaten, mut equal, mut better] = [Parts::new(), Parts::new(), Parts::new()];
        for (_, against, others) in &other.ends {
            let sum = match end.against(against) {
                Ordering::Greater => &mut beaten,
                Ordering::Equal => &mut equal,
                Ordering::Less => &mut better,
            };
            add(sum, others);
        }
        let [beaten, equal, better] = [beaten, equal, better].map(|others| product(parts, &others));
        for (both, outcome) in [(&beaten, Outcome::Success), (&equal, Outcome::Failure), (&better, Outcome::Failure)] {
            let end = match mine.untargeted {
                // Without a difficulty there is nothing to succeed at but the other.
                true => untargeted(key, outcome),
                false => key.clone(),
            };
            if !both.is_empty() {
                add(found.ends.entry(end).or_default(), both);
            }
        }
        add(&mut won, &beaten);
        add(&mut tie, &equal);
        add(&mut found.cut, &product(parts, &other.cut));
    }
    // What one side does not follow to its end is cut, whatever the other does.
    let all = BTreeMap::from([(BigUint::from(1_u8), BigUint::from(1_u8))]);
    add(&mut found.cut, &product(&own.cut, &all));
    let against = Against { won: Ratio::sum_of_ways(&won), tie: Ratio::sum_of_ways(&tie) };
    Ok(Chances { against: Some(against), ..found.chances(Some(mine.rule)) })
}

fn untargeted(key: &Key, outcome: Outcome) -> Key {
    (std::cmp::Reverse(Some(outcome)), None, Some(outcome.to_string()), key.3.clone())
}

fn side(roll: &Roll<'_>) -> Result<Side, Refusal> {
    let mut ends: BTreeMap<(Key, End), Parts> = BTreeMap::new();
    let mut cut = Parts::new();
    let mut raised = Found::default();
    let walked = roll.rule.each_result(&roll.attempt, WAYS_MAX, &mut |verdict, ways| {
        raised.raise(verdict.map_or(&[], |verdict| &verdict.flags), ways.of.clone(), &ways.times);
        let parts = match verdict {
            None => &mut cut,
            Some(verdict) => {
                let judged = verdict.judged.as_ref().filter(|_| !roll.untargeted);
                let end = End { outcome: judged.map(|judged| judged.outcome), ..End::of(roll.rule, verdict) };
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

fn product(one: &Parts, other: &Parts) -> Parts {
    let mut both = Parts::new();
    for (of, times) in one {
        for (others_of, others) in other {
            *both.entry(of * others_of).or_default() += times * others;
        }
    }
    both
}

fn add(sum: &mut Parts, parts: &Parts) {
    for (of, times) in parts {
        *sum.entry(of.clone()).or_default() += times;
    }
}
