//! Two who roll against each other: the ends of each side with their chances, and then each end of the one with each end of
//! the other. Dice of different sides are never put together, so two great pools are as quick as each by itself.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use num_bigint::BigUint;

use super::{Against, Chances, Found, Key, Parts, WAYS_MAX, key, too_many};
use crate::dice::odds::Ratio;
use crate::game::check::{End, Roll};
use crate::game::refusal::Refusal;
use crate::game::values::dice_refusal;
use crate::rules::{Outcome, Walked};

/// Pairs of ends that are compared.
const PAIRS_MAX: usize = 1_000_000;

/// What one side can come to.
struct Side {
    ends: Vec<(Key, End, Parts)>,
    cut: Parts,
}

/// The chances of the one who tries, and of winning.
pub(super) fn chances(mine: &Roll<'_>, theirs: &Roll<'_>) -> Result<Chances, Refusal> {
    let (own, other) = (side(mine)?, side(theirs)?);
    if own.ends.len().saturating_mul(other.ends.len()) > PAIRS_MAX {
        return Err(too_many(&mine.attempt.expression));
    }
    let (mut found, mut won, mut tie) = (Found::default(), Parts::new(), Parts::new());
    for (key, end, parts) in &own.ends {
        for (_, against, others) in &other.ends {
            let order = end.against(against);
            let both = product(parts, others);
            let end = match mine.untargeted {
                // Without a difficulty there is nothing to succeed at but the other.
                true => untargeted(key, if order.is_gt() { Outcome::Success } else { Outcome::Failure }),
                false => key.clone(),
            };
            add(found.ends.entry(end).or_default(), &both);
            if order.is_gt() {
                add(&mut won, &both);
            } else if order.is_eq() {
                add(&mut tie, &both);
            }
        }
        add(&mut found.cut, &product(parts, &other.cut));
    }
    // What one side does not follow to its end is cut, whatever the other does.
    let all = BTreeMap::from([(BigUint::from(1_u8), BigUint::from(1_u8))]);
    add(&mut found.cut, &product(&own.cut, &all));
    let against = Against { won: Ratio::sum_of_ways(&won), tie: Ratio::sum_of_ways(&tie) };
    Ok(Chances { against: Some(against), ..found.chances() })
}

fn untargeted(key: &Key, outcome: Outcome) -> Key {
    (std::cmp::Reverse(Some(outcome)), None, Some(outcome.to_string()), key.3.clone())
}

fn side(roll: &Roll<'_>) -> Result<Side, Refusal> {
    if roll.rule.is_result_beyond(&roll.attempt, WAYS_MAX) {
        return Err(too_many(&roll.attempt.expression));
    }
    let mut ends: BTreeMap<(Key, End), Parts> = BTreeMap::new();
    let mut cut = Parts::new();
    let walked = roll.rule.each_result(&roll.attempt, WAYS_MAX, &mut |verdict, ways| {
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
            Ok(Side { ends: ends.into_iter().map(|((key, end), parts)| (key, end, parts)).collect(), cut })
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
