//! Exploding dice, case by case.

use crate::odds::budget::{Budget, OrNarrow, Stop};
use crate::odds::poly::{Poly, Sums, as_i64};
use crate::odds::pool::Pool;
use crate::odds::term::{Counted, Reading, power};
use crate::odds::weight::{Weight, choose, next_orders, powers};

/// The chance, as a power of two, below which explosions of one term are cut off: a hundred terms
/// stay below 2^-64 together.
const CUT_LOG2: f64 = -71.0;

impl<W: Weight> Reading<'_, W> {
    /// The sum of all dice and of all extra dice, less one for each extra face if penetrating.
    pub(super) fn exploding_sum(
        &self,
        penetrating: bool,
        budget: &mut Budget,
    ) -> Result<Counted<W>, Stop> {
        let (stay, explode) = self.split();
        let most = self.most_explosions();
        let less = i64::from(penetrating);
        let mut stay = self.pool(&stay, 0, self.count)?.all();
        let extra_pool = self.pool(&explode, 0, most)?;
        let mut extra = extra_pool.all();
        let each = powers(&self.each, self.count + most).wide()?;
        let words = each.last().map_or(0, Weight::words);
        let worths = extra_pool
            .faces
            .iter()
            .map(|face| (face.worth - less) * as_i64(most));
        let (low, high) = worths.fold((0, 0), |(low, high), worth| {
            (low.min(worth), high.max(worth))
        });
        let mut extras = Poly::zero(low, high, budget, words)?;
        let mut orders = W::small(1);
        for number in 0..=most {
            let missing = each
                .get(most - number)
                .cloned()
                .unwrap_or_else(|| W::small(1));
            let times = orders.times(&missing).wide()?;
            if let Some(sum) = extra.sum_of(number, budget)? {
                extras.add_scaled(sum, -less * as_i64(number), &times, budget)?;
            }
            orders = next_orders(&orders, self.count + number, number)?;
        }
        let poly = match stay.sum_of(self.count, budget)? {
            Some(base) => base.convolve(&extras, budget)?,
            None => extras,
        };
        Ok((poly, each.last().cloned().unwrap_or_else(|| W::small(1))))
    }

    /// Single dice of which each adds up all its faces.
    pub(super) fn compound(
        &self,
        penetrating: bool,
        budget: &mut Budget,
    ) -> Result<Counted<W>, Stop> {
        let (stay, explode) = self.split();
        let most = self.chain_length();
        let (mut stays, mut extras) = (Sums::new(stay), Sums::new(explode));
        let each = powers(&self.each, most + 1).wide()?;
        let mut faces = Vec::new();
        for number in 0..=most {
            let (Some(last), Some(sum)) =
                (stays.sum_of(1, budget)?, extras.sum_of(number, budget)?)
            else {
                continue;
            };
            let less = as_i64(number) * i64::from(penetrating);
            let Some(missing) = each.get(most - number) else {
                continue;
            };
            for (value, ways) in last.convolve(sum, budget)?.outcomes() {
                faces.push(self.pool_face(value - less, ways.times(missing).wide()?));
            }
        }
        let pool = Pool::new(faces, self.count)?;
        let poly = pool
            .kept(self.ranks(self.count), budget)?
            .unwrap_or_else(Poly::unit);
        let one = each.last().cloned().unwrap_or_else(|| W::small(1));
        Ok((poly, power(&one, self.count)?))
    }

    /// Each die explodes at most once.
    pub(super) fn once(&self, penetrating: bool, budget: &mut Budget) -> Result<Counted<W>, Stop> {
        let (stay, explode) = self.split();
        let less = i64::from(penetrating);
        let each = powers(&self.each, self.count).wide()?;
        let mut result = Adder::new();
        for exploded in 0..=self.count {
            let pools = [
                self.pool(&stay, 0, self.count - exploded)?,
                self.pool(&explode, 0, exploded)?,
                self.pool(&self.faces, less, exploded)?,
            ];
            let Some(sum) = self.joined(&pools, budget)? else {
                continue;
            };
            let Some(missing) = each.get(self.count - exploded) else {
                continue;
            };
            let orders: W = choose(self.count, exploded)?;
            result.add(&sum, &orders.times(missing).wide()?, budget)?;
        }
        Ok(result.finish(power(&self.each, 2 * self.count)?))
    }

    /// Single chains of penetrating dice, where nothing depends on ranks.
    pub(super) fn chains(&self, budget: &mut Budget) -> Result<Counted<W>, Stop> {
        let (stay, explode) = self.split();
        let most = self.chain_length();
        let each = powers(&self.each, most + 1).wide()?;
        let mut first_stays = self.pool(&stay, 0, 1)?.all();
        let mut first_explodes = self.pool(&explode, 0, 1)?.all();
        let mut later_stays = self.pool(&stay, 1, 1)?.all();
        let mut later_explodes = self.pool(&explode, 1, most)?.all();
        let mut chain = Adder::new();
        for number in 0..=most {
            let sum = match number {
                0 => first_stays.sum_of(1, budget)?.cloned(),
                _ => match (
                    first_explodes.sum_of(1, budget)?,
                    later_explodes.sum_of(number - 1, budget)?,
                    later_stays.sum_of(1, budget)?,
                ) {
                    (Some(first), Some(later), Some(last)) => {
                        Some(first.convolve(later, budget)?.convolve(last, budget)?)
                    }
                    _ => None,
                },
            };
            if let (Some(sum), Some(missing)) = (sum, each.get(most - number)) {
                chain.add(&sum, missing, budget)?;
            }
        }
        let one = each.last().cloned().unwrap_or_else(|| W::small(1));
        let (chain, each) = chain.finish(one);
        let mut sums = Sums::new(
            chain
                .outcomes()
                .map(|(worth, ways)| (worth, ways.clone()))
                .collect(),
        );
        let poly = sums
            .sum_of(self.count, budget)?
            .cloned()
            .unwrap_or_else(Poly::unit);
        Ok((poly, power(&each, self.count)?))
    }

    /// Ranks of dice and extra dice together.
    pub(super) fn exploding_pool(
        &self,
        penetrating: bool,
        budget: &mut Budget,
    ) -> Result<Counted<W>, Stop> {
        let (stay, explode) = self.split();
        let most = self.most_explosions();
        let each = powers(&self.each, most).wide()?;
        let mut result = Adder::new();
        let mut orders = W::small(1);
        for number in 0..=most {
            let Some(missing) = each.get(most - number) else {
                continue;
            };
            if penetrating {
                self.penetrating(&stay, &explode, number, missing, &mut result, budget)?;
            } else {
                let pools = [
                    self.pool(&stay, 0, self.count)?,
                    self.pool(&explode, 0, number)?,
                ];
                if let Some(sum) = self.joined(&pools, budget)? {
                    result.add(&sum, &orders.times(missing).wide()?, budget)?;
                }
                orders = next_orders(&orders, self.count + number, number)?;
            }
        }
        Ok(result.finish(power(&self.each, self.count + most)?))
    }

    /// Adds the ways of `number` explosions, which are spread over 1, 2, … of the first dice.
    fn penetrating(
        &self,
        stay: &[(i64, W)],
        explode: &[(i64, W)],
        number: usize,
        missing: &W,
        result: &mut Adder<W>,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        let range = if number == 0 {
            0..=0
        } else {
            1..=self.count.min(number)
        };
        for first in range {
            let pools = [
                self.pool(stay, 0, self.count - first)?,
                self.pool(explode, 0, first)?,
                self.pool(explode, 1, number - first)?,
                self.pool(stay, 1, first)?,
            ];
            let Some(sum) = self.joined(&pools, budget)? else {
                continue;
            };
            budget.charge(
                (self.count * self.count + number * number) / 2,
                missing.words(),
            )?;
            let which: W = choose(self.count, first)?;
            let spread: W = choose(number.saturating_sub(1), first.saturating_sub(1))?;
            let times = which.times(&spread).wide()?.times(missing).wide()?;
            result.add(&sum, &times, budget)?;
        }
        Ok(())
    }

    /// The number of explosions of all dice above which they are cut off.
    pub(super) fn most_explosions(&self) -> usize {
        let chance = self.chance;
        let count = self.count as f64;
        // The chance of exactly `x`: C(n + x - 1, x) p^x (1 - p)^n.
        let mut log = count * (1.0 - chance).log2();
        let mut number = 0_usize;
        loop {
            let x = number as f64;
            let next = (count + x) / (x + 1.0) * chance;
            log += next.log2();
            number += 1;
            // The terms after this one fall at least as fast as a geometric series.
            let ratio = (count + x + 1.0) / (x + 2.0) * chance;
            if ratio < 1.0 && log - (1.0 - ratio).log2() < CUT_LOG2 {
                return number - 1;
            }
        }
    }

    /// The number of explosions of one die above which it is cut off.
    pub(super) fn chain_length(&self) -> usize {
        let chance = self.chance.log2();
        let count = (self.count as f64).log2();
        let mut length = 1;
        while count + chance * (length as f64 + 1.0) >= CUT_LOG2 {
            length += 1;
        }
        length
    }
}

/// A sum of polynomials of growing range.
struct Adder<W> {
    sum: Option<Poly<W>>,
}

impl<W: Weight> Adder<W> {
    fn new() -> Self {
        Adder { sum: None }
    }

    fn add(&mut self, poly: &Poly<W>, times: &W, budget: &mut Budget) -> Result<(), Stop> {
        let sum = match self.sum.take() {
            Some(sum) if sum.low <= poly.low && sum.high() >= poly.high() => sum,
            sum => {
                let low = sum.as_ref().map_or(poly.low, |sum| sum.low.min(poly.low));
                let high = sum
                    .as_ref()
                    .map_or(poly.high(), |sum| sum.high().max(poly.high()));
                let mut wider = Poly::zero(low, high, budget, times.words() + poly.widest())?;
                sum.map_or(Ok(()), |sum| {
                    wider.add_scaled(&sum, 0, &W::small(1), budget)
                })?;
                wider
            }
        };
        self.sum.insert(sum).add_scaled(poly, 0, times, budget)
    }

    fn finish(self, ways: W) -> Counted<W> {
        (self.sum.unwrap_or_else(Poly::unit), ways)
    }
}
