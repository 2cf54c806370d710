//! Ranks in the middle: both ends are left out.
//!
//! Goes through the values from the highest down, and knows for every number of dice used of each pool the sums of those
//! among them that are kept. Dice of one value are worth the same, so which of them stands first does not matter.

use crate::dice::odds::budget::{Budget, OrNarrow, Stop};
use crate::dice::odds::choices::Choices;
use crate::dice::odds::poly::Poly;
use crate::dice::odds::pool::{Pool, PoolFace};
use crate::dice::odds::weight::{Weight, powers};
use std::collections::BTreeSet;
use std::ops::Range;

/// By place: the sums, once so many dice of each pool are used.
type States<W> = Vec<Option<Poly<W>>>;

/// The sum of the dice of these ranks (0 is the highest) of all pools together; `None` when there is no way at all.
pub(super) fn middle<W: Weight>(
    pools: &[&Pool<W>],
    ranks: &Range<usize>,
    budget: &mut Budget,
) -> Result<Option<Poly<W>>, Stop> {
    let ends = pools.iter().map(|pool| Pool::bounds(&pool.faces, ranks.len()));
    let bounds = ends.fold((0, 0), |all, one| (all.0.min(one.0), all.1.max(one.1)));
    let mut steps = Vec::with_capacity(pools.len());
    let mut places = 1_usize;
    for pool in pools {
        steps.push(Step { pool, stride: places, choices: Choices::new(pool.count, budget)? });
        places = places.saturating_mul(pool.count + 1);
        budget.hold(places, 0)?;
    }
    let used = |place: usize| steps.iter().map(|step| step.used(place)).sum::<usize>();
    let mut states: States<W> = vec![None; places];
    if let Some(first) = states.first_mut() {
        *first = Some(Poly::unit());
    }
    let values: BTreeSet<i64> = pools.iter().flat_map(|pool| pool.faces.iter().map(|face| face.value)).collect();
    for value in values.into_iter().rev() {
        for step in &steps {
            let Some(face) = step.pool.faces.iter().find(|face| face.value == value) else { continue };
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
    /// How many dice of this pool are used at a place.
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
        (low, high): (i64, i64),
        budget: &mut Budget,
    ) -> Result<States<W>, Stop> {
        let ways = powers(&face.ways, self.pool.count).wide()?;
        let mut next: States<W> = vec![None; states.len()];
        for (place, state) in states.iter().enumerate() {
            let Some(state) = state else { continue };
            let (first, left) = (all_used(place), self.pool.count - self.used(place));
            for (more, way) in ways.iter().enumerate().take(left + 1) {
                let kept = i64::try_from(overlap(first..first + more, ranks)).unwrap_or(i64::MAX);
                let times = self.choices.of(left, more).times(way).wide()?;
                if let Some(slot) = next.get_mut(place + more * self.stride) {
                    let poly = match slot.take() {
                        Some(poly) => slot.insert(poly),
                        None => slot.insert(Poly::zero(low, high, budget, times.words())?),
                    };
                    poly.add_scaled(state, kept * face.worth, &times, budget)?;
                }
            }
        }
        Ok(next)
    }
}

fn overlap(a: Range<usize>, b: &Range<usize>) -> usize {
    a.end.min(b.end).saturating_sub(a.start.max(b.start))
}
