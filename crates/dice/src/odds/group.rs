//! The highest or lowest of unlike members.
//!
//! As for like dice (see `pool`): for each value that may be the last one kept, members before it,
//! at it and after it are counted, one member after the other.

use crate::fraction::Fraction;
use crate::odds::budget::{Budget, LOOK_UP, OrNarrow, Stop};
use crate::odds::dist::{Dist, Values, add, sum_of};
use crate::odds::weight::Weight;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

/// By members before the threshold and at it: the ways of each sum of the former.
type States<W> = BTreeMap<(usize, usize), HashMap<Fraction, W>>;

/// The sum of the `kept` highest (or lowest) of the members.
pub(super) fn kept_members<W: Weight>(
    members: Vec<Dist<W>>,
    kept: usize,
    lowest: bool,
    budget: &mut Budget,
) -> Result<Dist<W>, Stop> {
    if kept >= members.len() {
        return sum_of(members, budget);
    }
    let lists: Vec<Vec<(Fraction, W)>> = members.iter().map(Dist::list).collect();
    let ways = members.iter().try_fold(W::small(1), |ways, member| ways.times(&member.ways).wide())?;
    let order = |a: &Fraction, b: &Fraction| a.compare(*b).unwrap_or(Ordering::Equal);
    let mut thresholds: Vec<Fraction> = lists.iter().flatten().map(|(value, _)| *value).collect();
    thresholds.sort_unstable_by(order);
    thresholds.dedup();
    let first = if lowest { Ordering::Less } else { Ordering::Greater };
    let mut result: HashMap<Fraction, W> = HashMap::new();
    for threshold in thresholds {
        let mut states = States::from([((0, 0), HashMap::from([(Fraction::ZERO, W::small(1))]))]);
        for list in &lists {
            states = join(&states, list, threshold, first, kept, budget)?;
        }
        for ((before, at), sums) in states {
            if before >= kept || before + at < kept {
                continue;
            }
            let rest = Fraction::int(i64::try_from(kept - before).unwrap_or(i64::MAX));
            let shift = threshold.multiply(rest).wide()?;
            for (sum, ways) in sums {
                add(&mut result, sum.plus(shift).wide()?, &ways)?;
            }
        }
    }
    let mut list: Vec<(Fraction, W)> = result.into_iter().filter(|(_, ways)| !ways.is_zero()).collect();
    list.sort_unstable_by(|a, b| order(&a.0, &b.0));
    Ok(Dist { values: Values::Sparse(list), ways })
}

fn join<W: Weight>(
    states: &States<W>,
    list: &[(Fraction, W)],
    threshold: Fraction,
    first: Ordering,
    kept: usize,
    budget: &mut Budget,
) -> Result<States<W>, Stop> {
    let (mut at, mut after, mut before) = (W::small(0), W::small(0), Vec::new());
    budget.charge(list.len(), at.words())?;
    for item in list {
        match item.0.compare(threshold) {
            Some(Ordering::Equal) => at.plus(&item.1).wide()?,
            Some(order) if order == first => before.push(item),
            _ => after.plus(&item.1).wide()?,
        }
    }
    let mut next: States<W> = BTreeMap::new();
    for ((more, here), sums) in states {
        let additions = if more + 1 < kept { before.len() } else { 0 };
        budget.charge(sums.len() * (additions + 2) * LOOK_UP, at.words() + after.words())?;
        for (sum, ways) in sums {
            if !at.is_zero() {
                let slot = next.entry((*more, (here + 1).min(kept))).or_default();
                add(slot, *sum, &ways.times(&at).wide()?)?;
            }
            if !after.is_zero() {
                let slot = next.entry((*more, *here)).or_default();
                add(slot, *sum, &ways.times(&after).wide()?)?;
            }
            if more + 1 < kept {
                let slot = next.entry((more + 1, *here)).or_default();
                for (value, more_ways) in &before {
                    add(slot, sum.plus(*value).wide()?, &ways.times(more_ways).wide()?)?;
                }
            }
        }
    }
    let held: usize = next.values().map(HashMap::len).sum();
    budget.hold(held, at.words() + after.words())?;
    Ok(next)
}
