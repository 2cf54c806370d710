//! The chances of every value of a part, and of parts put together. Knows nothing of notation.

use crate::expression::arithmetic::overflow;
use crate::fraction::Fraction;
use crate::odds::budget::{Budget, LOOK_UP, OrNarrow, Stop};
use crate::odds::poly::{Poly, gap};
use crate::odds::ratio::Ratio;
use crate::odds::weight::Weight;
use crate::text::Span;
use num_bigint::BigUint;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

/// The ways to reach each value, of so many in all.
#[derive(Clone)]
pub(super) struct Dist<W> {
    pub(super) values: Values<W>,
    pub(super) ways: W,
}

#[derive(Clone)]
pub(super) enum Values<W> {
    /// Whole numbers that lie close together.
    Dense(Poly<W>),
    /// Any numbers, rising.
    Sparse(Vec<(Fraction, W)>),
}

impl<W: Weight> Dist<W> {
    pub(super) fn constant(value: Fraction) -> Self {
        Dist {
            values: Values::Sparse(vec![(value, W::small(1))]),
            ways: W::small(1),
        }
    }

    /// One with this chance, else nothing.
    pub(super) fn one_or_none(chance: &Ratio) -> Result<Self, Stop> {
        let (one, all) = chance.parts();
        let weigh = |ways: &BigUint| W::from_big(ways).wide();
        let ways = vec![weigh(&(&all - &one))?, weigh(&one)?];
        Ok(Dist {
            values: Values::Dense(Poly { low: 0, ways }),
            ways: weigh(&all)?,
        })
    }

    /// The values that can be reached, rising.
    pub(super) fn list(&self) -> Vec<(Fraction, W)> {
        match &self.values {
            Values::Dense(poly) => poly
                .outcomes()
                .map(|(value, ways)| (Fraction::int(value), ways.clone()))
                .collect(),
            Values::Sparse(list) => list.clone(),
        }
    }

    /// The value of a constant.
    pub(super) fn single(&self) -> Option<Fraction> {
        match &self.values {
            Values::Sparse(list) => match list.as_slice() {
                [(value, ways)] if ways.is_one() && self.ways.is_one() => Some(*value),
                _ => None,
            },
            Values::Dense(_) => None,
        }
    }

    fn from_values(list: HashMap<Fraction, W>, ways: W) -> Self {
        let mut list: Vec<(Fraction, W)> = list.into_iter().collect();
        list.sort_unstable_by(|a, b| a.0.compare(b.0).unwrap_or(Ordering::Equal));
        Dist {
            values: tidy(list),
            ways,
        }
    }

    /// The same with each value changed.
    pub(super) fn map(
        &self,
        change: impl Fn(Fraction) -> Option<Fraction>,
        budget: &mut Budget,
    ) -> Result<Self, Stop> {
        let list = self.list();
        budget.charge(list.len() * LOOK_UP, self.ways.words())?;
        let mut changed: HashMap<Fraction, W> = HashMap::with_capacity(list.len());
        for (value, ways) in list {
            let value = change(value).ok_or_else(too_large)?;
            add(&mut changed, value, &ways)?;
        }
        Ok(Dist::from_values(changed, self.ways.clone()))
    }

    pub(super) fn add(&self, other: &Self, budget: &mut Budget) -> Result<Self, Stop> {
        let whole = |dist: &Self| dist.single().and_then(Fraction::whole);
        if let (Values::Dense(a), Values::Dense(b)) = (&self.values, &other.values) {
            return Ok(Dist {
                values: Values::Dense(a.convolve(b, budget)?),
                ways: self.ways.times(&other.ways).wide()?,
            });
        }
        for (dense, constant) in [(self, other), (other, self)] {
            if let (Values::Dense(poly), Some(shift)) = (&dense.values, whole(constant)) {
                let mut poly = poly.clone();
                poly.low += shift;
                return Ok(Dist {
                    values: Values::Dense(poly),
                    ways: dense.ways.clone(),
                });
            }
        }
        self.pairs(other, Fraction::plus, budget)
    }

    /// The result of an operation on each pair of values.
    pub(super) fn pairs(
        &self,
        other: &Self,
        operation: impl Fn(Fraction, Fraction) -> Option<Fraction>,
        budget: &mut Budget,
    ) -> Result<Self, Stop> {
        let (left, right) = (self.list(), other.list());
        let ways = self.ways.times(&other.ways).wide()?;
        let mut result: HashMap<Fraction, W> = HashMap::new();
        for (a, a_ways) in &left {
            budget.charge(right.len() * LOOK_UP, ways.words())?;
            for (b, b_ways) in &right {
                let value = operation(*a, *b).ok_or_else(too_large)?;
                let both = a_ways.times(b_ways).wide()?;
                add(&mut result, value, &both)?;
            }
            budget.hold(result.len() * 2, ways.words())?;
        }
        Ok(Dist::from_values(result, ways))
    }
}

/// Every value with the other sign.
pub(super) fn negative<W: Weight>(dist: Dist<W>, budget: &mut Budget) -> Result<Dist<W>, Stop> {
    match dist.values {
        Values::Dense(mut poly) => {
            let low = -poly.high();
            poly.ways.reverse();
            poly.low = low;
            Ok(Dist {
                values: Values::Dense(poly),
                ways: dist.ways,
            })
        }
        Values::Sparse(_) => dist.map(|value| Some(value.negative()), budget),
    }
}

/// The sum of independent parts.
pub(super) fn sum_of<W: Weight>(
    members: Vec<Dist<W>>,
    budget: &mut Budget,
) -> Result<Dist<W>, Stop> {
    let mut members = members.into_iter();
    let first = members
        .next()
        .unwrap_or_else(|| Dist::constant(Fraction::ZERO));
    members.try_fold(first, |total, member| total.add(&member, budget))
}

/// Adds ways to reach a value.
fn add<W: Weight>(list: &mut HashMap<Fraction, W>, value: Fraction, ways: &W) -> Result<(), Stop> {
    match list.get_mut(&value) {
        Some(old) => old.plus(ways).wide()?,
        None => _ = list.insert(value, ways.clone()),
    }
    Ok(())
}

/// Whole numbers close together become dense.
fn tidy<W: Weight>(list: Vec<(Fraction, W)>) -> Values<W> {
    let end = |end: Option<&(Fraction, W)>| end.and_then(|(value, _)| value.whole());
    let (Some(low), Some(high)) = (end(list.first()), end(list.last())) else {
        return Values::Sparse(list);
    };
    let width = gap(high, low);
    let is_close = width <= list.len().saturating_mul(4);
    if list.len() < 2 || !is_close || list.iter().any(|(value, _)| value.bottom() != 1) {
        return Values::Sparse(list);
    }
    let mut ways = vec![W::small(0); width + 1];
    for (value, here) in list {
        let place = value.whole().map_or(0, |value| gap(value, low));
        ways.get_mut(place)
            .into_iter()
            .for_each(|slot| slot.clone_from(&here));
    }
    Values::Dense(Poly { low, ways })
}

pub(super) fn too_large() -> Stop {
    Stop::Refused(overflow(Span::default()))
}

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
    let ways = members
        .iter()
        .try_fold(W::small(1), |ways, member| ways.times(&member.ways).wide())?;
    let order = |a: &Fraction, b: &Fraction| a.compare(*b).unwrap_or(Ordering::Equal);
    let mut thresholds: Vec<Fraction> = lists.iter().flatten().map(|(value, _)| *value).collect();
    thresholds.sort_unstable_by(order);
    thresholds.dedup();
    let first = if lowest {
        Ordering::Less
    } else {
        Ordering::Greater
    };
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
    let mut list: Vec<(Fraction, W)> = result
        .into_iter()
        .filter(|(_, ways)| !ways.is_zero())
        .collect();
    list.sort_unstable_by(|a, b| order(&a.0, &b.0));
    Ok(Dist {
        values: Values::Sparse(list),
        ways,
    })
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
        budget.charge(
            sums.len() * (additions + 2) * LOOK_UP,
            at.words() + after.words(),
        )?;
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
                    add(
                        slot,
                        sum.plus(*value).wide()?,
                        &ways.times(more_ways).wide()?,
                    )?;
                }
            }
        }
    }
    let held: usize = next.values().map(HashMap::len).sum();
    budget.hold(held, at.words() + after.words())?;
    Ok(next)
}
