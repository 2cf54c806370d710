//! The highest or lowest of unlike dice.
//!
//! The method of `pool`, with the dice before, at and after each threshold counted pool by pool.

use crate::odds::budget::{Budget, OrNarrow, Stop};
use crate::odds::poly::{Poly, Sums, Worth, as_i64};
use crate::odds::pool::Pool;
use crate::odds::weight::{Choices, Weight, powers};
use std::collections::BTreeMap;

/// By dice before the threshold and at it, the latter up to `kept`: the sum of the former.
type States<W> = Vec<((usize, usize), Poly<W>)>;

/// The sum of the `kept` highest (or lowest) dice of several pools together.
pub(super) fn kept_of_mixed<W: Weight>(
    pools: &[Pool<W>],
    kept: usize,
    lowest: bool,
    budget: &mut Budget,
) -> Result<Option<Poly<W>>, Stop> {
    if pools.iter().any(|pool| pool.count > 0 && pool.faces.is_empty()) {
        return Ok(None);
    }
    let mut thresholds: Vec<(i64, i64)> = Vec::new();
    for pool in pools.iter().filter(|pool| pool.count > 0) {
        thresholds.extend(pool.faces.iter().map(|face| (face.value, face.worth)));
    }
    thresholds.sort_unstable();
    thresholds.dedup();
    let before = |value: i64, threshold: i64| if lowest { value < threshold } else { value > threshold };
    let ends = pools.iter().map(|pool| Pool::bounds(&pool.faces, kept));
    let ends = ends.fold((0, 0), |all, one| (all.0.min(one.0), all.1.max(one.1)));
    let mut result: Option<Poly<W>> = None;
    for (threshold, worth) in thresholds {
        let mut states: States<W> = vec![((0, 0), Poly::unit())];
        for pool in pools.iter().filter(|pool| pool.count > 0) {
            let split = Split::new(pool, threshold, &before, budget)?;
            states = split.join(&states, kept, budget)?;
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

/// A pool split at a threshold.
struct Split<W> {
    count: usize,
    before: Vec<Worth<W>>,
    at: Vec<W>,
    after: Vec<W>,
    choices: Choices<W>,
}

impl<W: Weight> Split<W> {
    fn new(
        pool: &Pool<W>,
        threshold: i64,
        before: &dyn Fn(i64, i64) -> bool,
        budget: &mut Budget,
    ) -> Result<Self, Stop> {
        let (mut at, mut after, mut first) = (W::small(0), W::small(0), Vec::new());
        for face in &pool.faces {
            if face.value == threshold {
                at.plus(&face.ways).wide()?;
            } else if before(face.value, threshold) {
                first.push(Worth { worth: face.worth, ways: face.ways.clone() });
            } else {
                after.plus(&face.ways).wide()?;
            }
        }
        budget.charge(2 * pool.count, at.words().max(after.words()))?;
        Ok(Split {
            count: pool.count,
            before: first,
            at: powers(&at, pool.count).wide()?,
            after: powers(&after, pool.count).wide()?,
            choices: Choices::new(pool.count, budget)?,
        })
    }

    fn words(&self) -> u64 {
        self.at.iter().chain(&self.after).map(Weight::words).max().unwrap_or(0)
    }

    fn join(&self, states: &[((usize, usize), Poly<W>)], kept: usize, budget: &mut Budget) -> Result<States<W>, Stop> {
        let mut sums = Sums::new(self.before.clone());
        let mut next: BTreeMap<(usize, usize), Poly<W>> = BTreeMap::new();
        for more in 0..=self.count.min(kept - 1) {
            let Some(sum) = sums.sum_of(more, budget)? else { break };
            let rest = self.count - more;
            budget.charge_products(2 * (rest + 1), self.words())?;
            // Ways by the number at the threshold, up to `kept`.
            let mut by_at: Vec<W> = vec![W::small(0); kept.min(rest) + 1];
            for at in 0..=rest {
                let (Some(here), Some(after)) = (self.at.get(at), self.after.get(rest - at)) else { continue };
                let ways = self.choices.choose(rest, at).times(here).wide()?.times(after).wide()?;
                if let Some(slot) = by_at.get_mut(at.min(kept)) {
                    slot.plus(&ways).wide()?;
                }
            }
            let chosen = self.choices.choose(self.count, more);
            for ((before, here), state) in states {
                if before + more >= kept {
                    continue;
                }
                let joined = state.convolve(sum, budget)?;
                for (at, ways) in by_at.iter().enumerate().filter(|(_, ways)| !ways.is_zero()) {
                    let ways = ways.times(chosen).wide()?;
                    let key = (before + more, (here + at).min(kept));
                    add_state(&mut next, key, &joined, &ways, budget)?;
                }
            }
        }
        Ok(next.into_iter().collect())
    }
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
