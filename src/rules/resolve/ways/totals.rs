//! Pools that are added up: where a check looks at nothing but what they come to together, ways of the same total are one.
//!
//! What a class of a pool adds is how the total differs when only this pool falls so. So each pool is rolled by itself, and two
//! with hundreds of totals need hundreds of rolls and not their product.

use std::collections::BTreeMap;

use num_bigint::BigUint;

use super::classes::{Class, Falls};
use super::reads::Reads;
use crate::dice::{DiceError, ScriptedRoller};
use crate::rules::language::checks::Check;
use crate::rules::resolve::attempt::Attempt;
use crate::rules::resolve::work::Work;

/// Ways up to which it is no shorter.
const WAYS_MIN: usize = 2_000;
/// Pairs of totals that are added.
const PAIRS_MAX: usize = 1_000_000;
/// Pairs that take as much as a die that is thrown.
const PAIRS_A_DIE: usize = 4;

/// What was added up so far: by the difference of the total, in how many ways, and the classes of one of them.
type Sums = BTreeMap<i64, (BigUint, Vec<usize>)>;

impl Check {
    /// The pools as one, where only their sum is looked at; as they are where that is not so, or no shorter.
    ///
    /// # Errors
    /// When a roll cannot be made.
    pub(super) fn added_up(
        &self,
        attempt: &Attempt,
        reads: &Reads,
        pools: Vec<Falls>,
        work: &mut Work,
    ) -> Result<Vec<Falls>, DiceError> {
        let only_total = Reads { total: true, ..Reads::default() };
        let ways = pools.iter().fold(1_usize, |all, pool| all.saturating_mul(pool.classes.len()));
        let is_sum = attempt.opposing.is_none() && *reads == only_total && attempt.expression.is_sum_of_pools();
        if ways <= WAYS_MIN || !is_sum {
            return Ok(pools);
        }
        let mut sums: Sums = BTreeMap::from([(0, (BigUint::from(1_u8), Vec::new()))]);
        let first = self.total(attempt, &pools, None)?;
        let (mut pairs, weight) = (0_usize, self.weight());
        for (at, pool) in pools.iter().enumerate() {
            let step = sums.len().saturating_mul(pool.classes.len());
            pairs = pairs.saturating_add(step);
            let rolls = u64::try_from(pool.classes.len()).unwrap_or(u64::MAX).saturating_mul(weight);
            let added = u64::try_from(step / PAIRS_A_DIE).unwrap_or(u64::MAX);
            if pairs > PAIRS_MAX || !work.take(rolls.saturating_add(added)) {
                return Ok(pools);
            }
            let mut by_total: Sums = BTreeMap::new();
            for (place, class) in pool.classes.iter().enumerate() {
                let adds = self.total(attempt, &pools, Some((at, place)))?.saturating_sub(first);
                let known = by_total.entry(adds).or_insert_with(|| (BigUint::ZERO, vec![place]));
                known.0 += &class.ways;
            }
            let mut next = Sums::new();
            for (sum, (ways, places)) in &sums {
                for (adds, (more, place)) in &by_total {
                    let known = next.entry(sum.saturating_add(*adds));
                    let known = known.or_insert_with(|| (BigUint::ZERO, [places.as_slice(), place].concat()));
                    known.0 += ways * more;
                }
            }
            sums = next;
        }
        let class = |(ways, places): (BigUint, Vec<usize>)| {
            let chosen = pools.iter().zip(places).filter_map(|(pool, place)| pool.classes.get(place));
            Class { faces: chosen.flat_map(|class| class.faces.iter().copied()).collect(), ways }
        };
        let of = pools.iter().map(|pool| &pool.of).product();
        Ok(vec![Falls { classes: sums.into_values().map(class).collect(), of }])
    }

    /// The total where this class of this pool falls, and the first class of every other.
    fn total(&self, attempt: &Attempt, pools: &[Falls], chosen: Option<(usize, usize)>) -> Result<i64, DiceError> {
        let classes = pools.iter().enumerate().filter_map(|(at, pool)| {
            let place = chosen.filter(|(pool, _)| *pool == at).map_or(0, |(_, place)| place);
            pool.classes.get(place)
        });
        let faces = classes.flat_map(|class| class.faces.iter().copied());
        let (roll, opposing) = attempt.roll(&mut ScriptedRoller::new(faces))?;
        Ok(self.verdict(attempt, &roll, opposing.as_ref()).facts.total)
    }
}
