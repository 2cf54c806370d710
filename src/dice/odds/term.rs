//! The odds of one dice term.
//!
//! Explosions are counted by their number: `n` dice that show `x` explosions in all are `n` dice
//! that do not explode and `x` that do, in `C(n + x - 1, x)` orders. What is cut off is the chance
//! of more than so many explosions.

use crate::dice::ast::{Dice, End, Explosion, ModifierKind, Stage};
use crate::dice::odds::budget::{Budget, OrNarrow, Stop, unsupported};
use crate::dice::odds::faces::{self, Weighted, power};
use crate::dice::odds::poly::{Poly, Sums, Worth};
use crate::dice::odds::pool::{Pool, PoolFace, choose, kept_of_mixed};
use crate::dice::odds::weight::{Weight, powers};
use crate::dice::throw::{explodes, successes};
use std::ops::Range;

/// The chance, as a power of two, below which explosions of one term are cut off: a hundred terms
/// stay below 2^-64 together.
const CUT_LOG2: f64 = -71.0;

/// Ways to reach each sum, of so many ways in all.
pub(super) struct Counted<W> {
    pub(super) poly: Poly<W>,
    pub(super) ways: W,
}

/// A term, taken apart.
struct Reading<'a, W> {
    dice: &'a Dice,
    count: usize,
    /// Settled faces with their ways.
    faces: Weighted<W>,
    /// The ways of one settled die.
    each: W,
}

pub(super) fn dice<W: Weight>(dice: &Dice, budget: &mut Budget) -> Result<Counted<W>, Stop> {
    let reading = Reading::<W>::new(dice)?;
    let explosion = dice.modifiers.iter().find_map(|modifier| match modifier.kind {
        ModifierKind::Explode { explosion, penetrating, .. } => Some((explosion, penetrating)),
        _ => None,
    });
    match explosion {
        None => reading.plain(budget),
        Some((Explosion::Once, penetrating)) => reading.once(penetrating, budget),
        Some((Explosion::Compound, penetrating)) if !reading.is_sum() => reading.compound(penetrating, budget),
        // Without anything done to single dice, only the sum of faces matters.
        Some((_, penetrating)) if reading.is_sum() => reading.exploding_sum(penetrating, budget),
        Some((_, false)) if !reading.has(Stage::Keep) => reading.exploding_sum(false, budget),
        Some((_, true)) if !reading.has(Stage::Keep) => reading.chains(budget),
        Some((_, penetrating)) => reading.exploding_pool(penetrating, budget),
    }
}

impl<'a, W: Weight> Reading<'a, W> {
    fn new(dice: &'a Dice) -> Result<Self, Stop> {
        let (faces, each) = match dice.bonus() {
            0 => faces::settled(dice)?,
            bonus => faces::percentile(bonus)?,
        };
        Ok(Reading { dice, count: usize::try_from(dice.count()).unwrap_or(0), faces, each })
    }

    fn has(&self, stage: Stage) -> bool {
        self.dice.modifiers.iter().any(|modifier| modifier.kind.stage() == stage)
    }

    /// Whether the result is the plain sum of all faces.
    fn is_sum(&self) -> bool {
        !self.has(Stage::Clamp) && !self.has(Stage::Keep) && !self.has(Stage::Count)
    }

    /// A face of a pool from the value of a die before clamps.
    fn pool_face(&self, value: i64, ways: W) -> PoolFace<W> {
        let mut value = value;
        let (mut wanted, mut restricted, mut dropped) = (false, false, false);
        for modifier in &self.dice.modifiers {
            if let ModifierKind::Minimum(minimum) = &modifier.kind {
                value = value.max(minimum.get());
            }
        }
        for modifier in &self.dice.modifiers {
            if let ModifierKind::Maximum(maximum) = &modifier.kind {
                value = value.min(maximum.get());
            }
        }
        for modifier in &self.dice.modifiers {
            match &modifier.kind {
                ModifierKind::KeepWhere(point) => {
                    restricted = true;
                    wanted |= point.matches(value);
                }
                ModifierKind::DropWhere(point) => dropped |= point.matches(value),
                _ => {}
            }
        }
        let worth = match (dropped || (restricted && !wanted), self.dice.counts()) {
            (true, _) => 0,
            (false, true) => successes(&self.dice.modifiers, value),
            (false, false) => value,
        };
        PoolFace { value, worth, ways }
    }

    /// A pool of dice with these faces, each worth `less` less.
    fn pool(&self, faces: &[(i64, W)], less: i64, count: usize) -> Result<Pool<W>, Stop> {
        let faces = faces.iter().map(|(face, ways)| self.pool_face(face - less, ways.clone()));
        Pool::new(faces.collect(), count)
    }

    /// The ranks that are kept of so many dice; `None` when no rank matters.
    fn ranks(&self, count: usize) -> Option<Range<usize>> {
        let mut ranks = 0..count;
        let mut matters = false;
        let size = |count: i64| usize::try_from(count).unwrap_or(0);
        for modifier in &self.dice.modifiers {
            let (start, end) = match &modifier.kind {
                ModifierKind::Keep(End::Highest, kept) => (0, size(kept.get())),
                ModifierKind::Keep(End::Lowest, kept) => (count.saturating_sub(size(kept.get())), count),
                ModifierKind::Drop(End::Highest, drop) => (size(drop.get()), count),
                ModifierKind::Drop(End::Lowest, drop) => (0, count.saturating_sub(size(drop.get()))),
                _ => continue,
            };
            matters = true;
            ranks = ranks.start.max(start)..ranks.end.min(end);
        }
        matters.then_some(ranks)
    }

    /// Faces that do not explode, and faces that do.
    fn split(&self) -> (Weighted<W>, Weighted<W>) {
        let faces = self.dice.die().faces();
        let all = self.faces.iter().cloned();
        all.partition(|(face, _)| !explodes(&self.dice.modifiers, faces, *face))
    }

    fn plain(&self, budget: &mut Budget) -> Result<Counted<W>, Stop> {
        let pool = self.pool(&self.faces, 0, self.count)?;
        let ranks = self.ranks(self.count).unwrap_or(0..self.count);
        let poly = pool.kept(ranks, budget)?.unwrap_or_else(Poly::unit);
        let ways = power(&self.each, self.count)?;
        Ok(Counted { poly, ways })
    }

    /// The sum of all dice and of all extra dice, less one for each extra face if penetrating.
    fn exploding_sum(&self, penetrating: bool, budget: &mut Budget) -> Result<Counted<W>, Stop> {
        let (stay, explode) = self.split();
        let most = self.most_explosions(&explode);
        let less = i64::from(penetrating);
        let mut stay = self.pool(&stay, 0, self.count)?.all();
        let extra_pool = self.pool(&explode, 0, most)?;
        let mut extra = extra_pool.all();
        let each = powers(&self.each, self.count + most).wide()?;
        let words = each.last().map_or(0, Weight::words);
        let worths = extra_pool.faces.iter().map(|face| (face.worth - less) * as_i64(most));
        let (low, high) = worths.fold((0, 0), |(low, high), worth| (low.min(worth), high.max(worth)));
        let mut extras = Poly::zero(low, high, budget, words)?;
        let mut orders = W::small(1);
        for number in 0..=most {
            let missing = each.get(most - number).cloned().unwrap_or_else(|| W::small(1));
            let times = orders.times(&missing).wide()?;
            if let Some(sum) = extra.of(number, budget)? {
                extras.add_scaled(sum, -less * as_i64(number), &times, budget)?;
            }
            orders = next_orders(&orders, self.count, number)?;
        }
        let base = stay.of(self.count, budget)?;
        let poly = match base {
            Some(base) => base.convolve(&extras, budget)?,
            None => extras,
        };
        let ways = each.last().cloned().unwrap_or_else(|| W::small(1));
        Ok(Counted { poly, ways })
    }

    /// Single dice of which each adds up all its faces.
    fn compound(&self, penetrating: bool, budget: &mut Budget) -> Result<Counted<W>, Stop> {
        let (stay, explode) = self.split();
        let most = self.chain_length(&explode);
        let raw = |faces: &[(i64, W)]| {
            let worth = |(face, ways): &(i64, W)| Worth { worth: *face, ways: ways.clone() };
            Sums::new(faces.iter().map(worth).collect())
        };
        let mut stays = raw(&stay);
        let mut extras = raw(&explode);
        let each = powers(&self.each, most + 1).wide()?;
        let mut faces = Vec::new();
        for number in 0..=most {
            let (Some(last), Some(sum)) = (stays.of(1, budget)?, extras.of(number, budget)?) else {
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
        let ranks = self.ranks(self.count).unwrap_or(0..self.count);
        let poly = pool.kept(ranks, budget)?.unwrap_or_else(Poly::unit);
        let one = each.last().cloned().unwrap_or_else(|| W::small(1));
        let ways = power(&one, self.count)?;
        Ok(Counted { poly, ways })
    }

    /// Each die explodes at most once.
    fn once(&self, penetrating: bool, budget: &mut Budget) -> Result<Counted<W>, Stop> {
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
        let ways = power(&self.each, 2 * self.count)?;
        Ok(result.finish(ways))
    }

    /// Single chains of penetrating dice, where nothing depends on ranks.
    fn chains(&self, budget: &mut Budget) -> Result<Counted<W>, Stop> {
        let (stay, explode) = self.split();
        let most = self.chain_length(&explode);
        let each = powers(&self.each, most + 1).wide()?;
        let mut first_stays = self.pool(&stay, 0, 1)?.all();
        let mut first_explodes = self.pool(&explode, 0, 1)?.all();
        let mut later_stays = self.pool(&stay, 1, 1)?.all();
        let mut later_explodes = self.pool(&explode, 1, most)?.all();
        let mut chain = Adder::new();
        for number in 0..=most {
            let sum = match number {
                0 => first_stays.of(1, budget)?.cloned(),
                _ => match (
                    first_explodes.of(1, budget)?,
                    later_explodes.of(number - 1, budget)?,
                    later_stays.of(1, budget)?,
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
        let chain = chain.finish(one);
        let die = chain.poly.outcomes().map(|(worth, ways)| Worth { worth, ways: ways.clone() });
        let mut sums = Sums::new(die.collect());
        let poly = sums.of(self.count, budget)?.cloned().unwrap_or_else(Poly::unit);
        let ways = power(&chain.ways, self.count)?;
        Ok(Counted { poly, ways })
    }

    /// Ranks of dice and extra dice together.
    fn exploding_pool(&self, penetrating: bool, budget: &mut Budget) -> Result<Counted<W>, Stop> {
        let (stay, explode) = self.split();
        let most = self.most_explosions(&explode);
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
                let pools = [self.pool(&stay, 0, self.count)?, self.pool(&explode, 0, number)?];
                if let Some(sum) = self.joined(&pools, budget)? {
                    result.add(&sum, &orders.times(missing).wide()?, budget)?;
                }
                orders = next_orders(&orders, self.count, number)?;
            }
        }
        let ways = power(&self.each, self.count + most)?;
        Ok(result.finish(ways))
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
        let range = if number == 0 { 0..=0 } else { 1..=self.count.min(number) };
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
            let which: W = choose(self.count, first)?;
            let spread: W = choose(number.saturating_sub(1), first.saturating_sub(1))?;
            let times = which.times(&spread).wide()?.times(missing).wide()?;
            result.add(&sum, &times, budget)?;
        }
        Ok(())
    }

    /// What is kept of several pools together; `None` when there is no way.
    fn joined(&self, pools: &[Pool<W>], budget: &mut Budget) -> Result<Option<Poly<W>>, Stop> {
        let count: usize = pools.iter().map(|pool| pool.count).sum();
        let ranks = self.ranks(count).unwrap_or(0..count);
        let mut used: Vec<&Pool<W>> = pools.iter().filter(|pool| pool.count > 0).collect();
        if used.iter().any(|pool| pool.faces.is_empty()) {
            return Ok(None);
        }
        used.sort_by_key(|pool| std::cmp::Reverse(pool.lowest()));
        let apart = used.windows(2).all(|pair| match pair {
            [upper, lower] => upper.lowest() >= lower.highest(),
            _ => true,
        });
        if apart || ranks == (0..count) {
            // No die of one pool outranks one of a pool before it: each keeps its own ranks.
            let mut sum = Poly::unit();
            let mut start = 0;
            for pool in used {
                let end = start + pool.count;
                let inside = ranks.start.max(start)..ranks.end.min(end);
                let own = match inside.is_empty() {
                    true => 0..0,
                    false => inside.start - start..inside.end - start,
                };
                match pool.kept(own, budget)? {
                    Some(kept) => sum = sum.convolve(&kept, budget)?,
                    None => return Ok(None),
                }
                start = end;
            }
            return Ok(Some(sum));
        }
        let kept = ranks.len();
        if ranks.start == 0 {
            kept_of_mixed(pools, kept, false, budget)
        } else if ranks.end == count {
            kept_of_mixed(pools, kept, true, budget)
        } else {
            Err(unsupported())
        }
    }

    /// The chance that one settled die explodes.
    fn explosion_chance(&self, explode: &[(i64, W)]) -> f64 {
        let number = |ways: &W| u64::try_from(ways.big()).unwrap_or(u64::MAX) as f64;
        let explode: f64 = explode.iter().map(|(_, ways)| number(ways)).sum();
        explode / number(&self.each)
    }

    /// The number of explosions of all dice above which they are cut off.
    fn most_explosions(&self, explode: &[(i64, W)]) -> usize {
        let chance = self.explosion_chance(explode);
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
    fn chain_length(&self, explode: &[(i64, W)]) -> usize {
        let chance = self.explosion_chance(explode).log2();
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
        let (low, high) = match &self.sum {
            Some(sum) => (sum.low.min(poly.low), sum.high().max(poly.high())),
            None => (poly.low, poly.high()),
        };
        let fits = self.sum.as_ref().is_some_and(|sum| sum.low == low && sum.high() == high);
        if !fits {
            let words = times.words() + poly.widest();
            let mut wider = Poly::zero(low, high, budget, words)?;
            if let Some(sum) = &self.sum {
                wider.add_scaled(sum, 0, &W::small(1), budget)?;
            }
            self.sum = Some(wider);
        }
        match &mut self.sum {
            Some(sum) => sum.add_scaled(poly, 0, times, budget),
            None => Ok(()),
        }
    }

    fn finish(self, ways: W) -> Counted<W> {
        Counted { poly: self.sum.unwrap_or_else(Poly::unit), ways }
    }
}

fn as_i64(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// `C(n + x, x + 1)` from `C(n + x - 1, x)`.
fn next_orders<W: Weight>(orders: &W, count: usize, number: usize) -> Result<W, Stop> {
    let up = u64::try_from(count + number).unwrap_or(u64::MAX);
    let down = u64::try_from(number + 1).unwrap_or(u64::MAX);
    Ok(orders.times(&W::small(up)).wide()?.divided(down))
}
