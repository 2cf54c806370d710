//! Dice of which some ranks are kept.
//!
//! For the `k` highest of `n` like dice, ask for the value `t` of the last one kept: `a < k` dice
//! lie above it, at least `k - a` show it, the others lie below. The dice above add any sum, the
//! kept dice at `t` add `(k - a) * t`. Summed over `t` and `a` this takes a number of steps
//! polynomial in faces and dice; no roll is enumerated.
//!
//! Where both ends are left out, [`middle`] goes through the values from the highest down, and
//! knows for every number of dice used of each pool the sums of those among them that are kept.
//!
//! For unlike dice the dice before, at and after each threshold are counted pool by pool.

use crate::odds::budget::{Budget, OrNarrow, Stop};
use crate::odds::poly::{Poly, Sums, Weighted, as_i64};
use crate::odds::weight::{Choices, Weight, next_choice, powers};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct PoolFace<W> {
    /// What ranks it.
    pub(super) value: i64,
    /// What it adds when kept.
    pub(super) worth: i64,
    pub(super) ways: W,
}

#[derive(Clone, Debug)]
pub(super) struct Pool<W> {
    pub(super) faces: Vec<PoolFace<W>>,
    pub(super) count: usize,
}

impl<W: Weight> Pool<W> {
    /// Dice with these faces; faces of one value are joined.
    pub(super) fn new(mut faces: Vec<PoolFace<W>>, count: usize) -> Result<Self, Stop> {
        faces.retain(|face| !face.ways.is_zero());
        faces.sort_by_key(|face| face.value);
        let mut joined: Vec<PoolFace<W>> = Vec::with_capacity(faces.len());
        for face in faces {
            match joined.last_mut() {
                Some(last) if last.value == face.value => last.ways.plus(&face.ways).wide()?,
                _ => joined.push(face),
            }
        }
        Ok(Pool {
            faces: joined,
            count,
        })
    }

    pub(super) fn lowest(&self) -> Option<i64> {
        self.faces.first().map(|face| face.value)
    }

    pub(super) fn highest(&self) -> Option<i64> {
        self.faces.last().map(|face| face.value)
    }

    fn worths(faces: &[PoolFace<W>]) -> Weighted<W> {
        faces
            .iter()
            .map(|face| (face.worth, face.ways.clone()))
            .collect()
    }

    pub(super) fn all(&self) -> Sums<W> {
        Sums::new(Self::worths(&self.faces))
    }

    /// The sum of the dice of these ranks (0 is the highest); `None` when there is no way at all.
    pub(super) fn kept(
        &self,
        ranks: Range<usize>,
        budget: &mut Budget,
    ) -> Result<Option<Poly<W>>, Stop> {
        if self.count > 0 && self.faces.is_empty() {
            return Ok(None);
        }
        if ranks == (0..self.count) {
            return Ok(self.all().sum_of(self.count, budget)?.cloned());
        }
        let mut faces = self.faces.clone();
        if ranks.start == 0 {
            faces.reverse();
            return self.best(&faces, ranks.end, budget).map(Some);
        }
        if ranks.end == self.count {
            return self
                .best(&faces, self.count - ranks.start, budget)
                .map(Some);
        }
        middle(&[self], &ranks, budget)
    }

    pub(super) fn bounds(faces: &[PoolFace<W>], count: usize) -> (i64, i64) {
        let worths = || faces.iter().map(|face| face.worth).chain([0]);
        let end = |worth: Option<i64>| worth.unwrap_or(0).saturating_mul(as_i64(count));
        (end(worths().min()), end(worths().max()))
    }

    /// The `kept` dice that come first in the order of `faces`.
    fn best(
        &self,
        faces: &[PoolFace<W>],
        kept: usize,
        budget: &mut Budget,
    ) -> Result<Poly<W>, Stop> {
        let mut total = W::small(0);
        for face in faces {
            total.plus(&face.ways).wide()?;
        }
        let whole = powers(&total, self.count).wide()?;
        let words = whole.last().map_or(0, Weight::words);
        let (low, high) = Self::bounds(faces, kept);
        let mut result = Poly::zero(low, high, budget, words)?;
        if kept == 0 {
            let ways = whole.last().cloned().unwrap_or_else(|| W::small(1));
            result.add(0, &ways).wide()?;
            return Ok(result);
        }
        let mut below = total;
        for (place, face) in faces.iter().enumerate() {
            below.minus(&face.ways);
            let above = faces.get(..place).unwrap_or(&[]);
            let mut sums = Sums::new(Self::worths(above));
            let at = powers(&face.ways, self.count).wide()?;
            let under = powers(&below, self.count - kept).wide()?;
            let mut orders = W::small(1);
            for more in 0..kept {
                let Some(sum) = sums.sum_of(more, budget)? else {
                    break;
                };
                budget.charge_products(self.count - kept + 1, words * 4)?;
                let ways = orders
                    .times(&enough(self.count - more, &at, &under)?)
                    .wide()?;
                orders = next_choice(&orders, self.count, more)?;
                result.add_scaled(sum, as_i64(kept - more) * face.worth, &ways, budget)?;
            }
        }
        Ok(result)
    }
}

/// The ways in which, of so many dice, few enough lie below the threshold that `under` has their
/// power, the rest at it.
fn enough<W: Weight>(count: usize, at: &[W], under: &[W]) -> Result<W, Stop> {
    let mut ways = W::small(0);
    let mut orders = W::small(1);
    for (below, under) in under.iter().enumerate() {
        if let Some(at) = count.checked_sub(below).and_then(|rest| at.get(rest))
            && !under.is_zero()
        {
            let term = orders.times(under).wide()?;
            ways.plus_product(&term, at).wide()?;
        }
        orders = next_choice(&orders, count, below)?;
    }
    Ok(ways)
}

/// By place: the sums, once so many dice of each pool are used.
type States<W> = Vec<Option<Poly<W>>>;

/// The sum of the dice of these ranks (0 is the highest) of all pools; `None` when there is no way.
pub(super) fn middle<W: Weight>(
    pools: &[&Pool<W>],
    ranks: &Range<usize>,
    budget: &mut Budget,
) -> Result<Option<Poly<W>>, Stop> {
    let ends = pools
        .iter()
        .map(|pool| Pool::bounds(&pool.faces, ranks.len()));
    let bounds = ends.fold((0, 0), |all, one| (all.0.min(one.0), all.1.max(one.1)));
    let mut steps = Vec::with_capacity(pools.len());
    let mut places = 1_usize;
    for pool in pools {
        steps.push(Step {
            pool,
            stride: places,
            choices: Choices::new(pool.count, budget)?,
        });
        places = places.saturating_mul(pool.count + 1);
        budget.hold(places, 0)?;
    }
    let used = |place: usize| steps.iter().map(|step| step.used(place)).sum::<usize>();
    let mut states: States<W> = vec![None; places];
    if let Some(first) = states.first_mut() {
        *first = Some(Poly::unit());
    }
    let values: BTreeSet<i64> = pools
        .iter()
        .flat_map(|pool| pool.faces.iter().map(|face| face.value))
        .collect();
    for value in values.into_iter().rev() {
        for step in &steps {
            let Some(face) = step.pool.faces.iter().find(|face| face.value == value) else {
                continue;
            };
            budget.charge(places, 0)?;
            states = step.with(face, &states, &used, ranks, bounds, budget)?;
        }
    }
    Ok(states.pop().flatten())
}

/// One pool on the way.
struct Step<'p, W> {
    pool: &'p Pool<W>,
    /// How far apart the places lie that differ by one die of this pool.
    stride: usize,
    choices: Choices<W>,
}

impl<W: Weight> Step<'_, W> {
    fn used(&self, place: usize) -> usize {
        place / self.stride % (self.pool.count + 1)
    }

    /// The sums when any number of the pool's other dice show this face.
    fn with(
        &self,
        face: &PoolFace<W>,
        states: &States<W>,
        all_used: &dyn Fn(usize) -> usize,
        ranks: &Range<usize>,
        ends: (i64, i64),
        budget: &mut Budget,
    ) -> Result<States<W>, Stop> {
        let ways = powers(&face.ways, self.pool.count).wide()?;
        let mut next: States<W> = vec![None; states.len()];
        for (place, state) in states.iter().enumerate() {
            let Some(state) = state else { continue };
            let (first, left) = (all_used(place), self.pool.count - self.used(place));
            for (more, way) in ways.iter().enumerate().take(left + 1) {
                let kept = as_i64(
                    (first + more)
                        .min(ranks.end)
                        .saturating_sub(first.max(ranks.start)),
                );
                let times = self.choices.choose(left, more).times(way).wide()?;
                if let Some(slot) = next.get_mut(place + more * self.stride) {
                    let poly = Poly::or_zero(slot, ends, budget, times.words())?;
                    poly.add_scaled(state, kept * face.worth, &times, budget)?;
                }
            }
        }
        Ok(next)
    }
}

/// By dice before the threshold and at it, the latter up to `kept`: the sum of the former.
type SplitStates<W> = Vec<((usize, usize), Poly<W>)>;

/// The sum of the `kept` highest (or lowest) dice of several pools together.
pub(super) fn kept_of_mixed<W: Weight>(
    pools: &[Pool<W>],
    kept: usize,
    lowest: bool,
    budget: &mut Budget,
) -> Result<Option<Poly<W>>, Stop> {
    let used = pools.iter().filter(|pool| pool.count > 0);
    if used.clone().any(|pool| pool.faces.is_empty()) {
        return Ok(None);
    }
    let faces = used.clone().flat_map(|pool| &pool.faces);
    let thresholds: BTreeSet<(i64, i64)> = faces.map(|face| (face.value, face.worth)).collect();
    let first = if lowest {
        Ordering::Less
    } else {
        Ordering::Greater
    };
    let ends = pools.iter().map(|pool| Pool::bounds(&pool.faces, kept));
    let ends = ends.fold((0, 0), |all, one| (all.0.min(one.0), all.1.max(one.1)));
    let mut result: Option<Poly<W>> = None;
    for (threshold, worth) in thresholds {
        let mut states: SplitStates<W> = vec![((0, 0), Poly::unit())];
        for pool in used.clone() {
            states = with_pool(&states, pool, (threshold, kept), first, budget)?;
            if states.is_empty() {
                break;
            }
        }
        for ((more, at), sum) in &states {
            if *more >= kept || more + at < kept {
                continue;
            }
            let poly = Poly::or_zero(&mut result, ends, budget, sum.widest())?;
            poly.add_scaled(sum, as_i64(kept - more) * worth, &W::small(1), budget)?;
        }
    }
    Ok(result)
}

/// The states with one pool more, whose dice are before the threshold, at it or after it.
fn with_pool<W: Weight>(
    states: &SplitStates<W>,
    pool: &Pool<W>,
    (threshold, kept): (i64, usize),
    first: Ordering,
    budget: &mut Budget,
) -> Result<SplitStates<W>, Stop> {
    let (mut at, mut after, mut before) = (W::small(0), W::small(0), Weighted::new());
    for face in &pool.faces {
        match face.value.cmp(&threshold) {
            Ordering::Equal => at.plus(&face.ways).wide()?,
            order if order == first => before.push((face.worth, face.ways.clone())),
            _ => after.plus(&face.ways).wide()?,
        }
    }
    budget.charge(2 * pool.count, at.words().max(after.words()))?;
    let (at, after) = (
        powers(&at, pool.count).wide()?,
        powers(&after, pool.count).wide()?,
    );
    let choices: Choices<W> = Choices::new(pool.count, budget)?;
    let words = at
        .iter()
        .chain(&after)
        .map(Weight::words)
        .max()
        .unwrap_or(0);
    let mut sums = Sums::new(before);
    let mut next: BTreeMap<(usize, usize), Poly<W>> = BTreeMap::new();
    for more in 0..=pool.count.min(kept - 1) {
        let Some(sum) = sums.sum_of(more, budget)? else {
            break;
        };
        let rest = pool.count - more;
        budget.charge_products(2 * (rest + 1), words)?;
        // Ways by the number at the threshold, up to `kept`.
        let mut by_at: Vec<W> = vec![W::small(0); kept.min(rest) + 1];
        for number in 0..=rest {
            let (Some(here), Some(after)) = (at.get(number), after.get(rest - number)) else {
                continue;
            };
            let ways = choices
                .choose(rest, number)
                .times(here)
                .wide()?
                .times(after)
                .wide()?;
            if let Some(slot) = by_at.get_mut(number.min(kept)) {
                slot.plus(&ways).wide()?;
            }
        }
        let chosen = choices.choose(pool.count, more);
        for ((before, here), state) in states
            .iter()
            .filter(|((before, _), _)| before + more < kept)
        {
            let joined = state.convolve(sum, budget)?;
            for (number, ways) in by_at.iter().enumerate().filter(|(_, ways)| !ways.is_zero()) {
                let ways = ways.times(chosen).wide()?;
                let key = (before + more, (here + number).min(kept));
                add_state(&mut next, key, &joined, &ways, budget)?;
            }
        }
    }
    Ok(next.into_iter().collect())
}

fn add_state<W: Weight>(
    states: &mut BTreeMap<(usize, usize), Poly<W>>,
    key: (usize, usize),
    sum: &Poly<W>,
    ways: &W,
    budget: &mut Budget,
) -> Result<(), Stop> {
    let (old, words) = (states.get(&key), sum.widest() + ways.words());
    let low = old.map_or(sum.low, |old| sum.low.min(old.low));
    let high = old.map_or(sum.high(), |old| sum.high().max(old.high()));
    let mut wide = Poly::zero(low, high, budget, words)?;
    budget.charge(wide.ways.len(), words)?;
    old.map_or(Ok(()), |old| wide.add_scaled(old, 0, &W::small(1), budget))?;
    wide.add_scaled(sum, 0, ways, budget)?;
    states.insert(key, wide);
    Ok(())
}
