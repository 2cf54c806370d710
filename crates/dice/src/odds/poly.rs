//! Ways to reach each whole number, as the coefficients of a polynomial.

use crate::odds::budget::{Budget, OrNarrow, Stop};
use crate::odds::weight::Weight;
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// The number of ways to reach `low`, `low + 1`, …; never empty.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Poly<W> {
    pub(super) low: i64,
    pub(super) ways: Vec<W>,
}

/// Values, each with the ways to reach it.
pub(super) type Weighted<W> = Vec<(i64, W)>;

/// Operations for one step of the recurrence.
const RECURRENCE: usize = 2;

/// Dice from which the recurrence is quicker than one die after the other.
pub(super) const RECURRENCE_DICE: usize = 8;

pub(super) fn as_i64(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// How far a value lies above another; 0 when it does not.
pub(super) fn gap(high: i64, low: i64) -> usize {
    usize::try_from(high.saturating_sub(low)).unwrap_or(0)
}

impl<W: Weight> Poly<W> {
    /// One way to reach 0.
    pub(super) fn unit() -> Self {
        Poly {
            low: 0,
            ways: vec![W::small(1)],
        }
    }

    /// No way to reach anything from `low` to `high`.
    pub(super) fn zero(low: i64, high: i64, budget: &Budget, words: u64) -> Result<Self, Stop> {
        let length = gap(high, low).saturating_add(1);
        budget.hold(length, words)?;
        Ok(Poly {
            low,
            ways: vec![W::small(0); length],
        })
    }

    /// The polynomial in a slot; if there is none, one without ways.
    pub(super) fn or_zero<'p>(
        slot: &'p mut Option<Self>,
        (low, high): (i64, i64),
        budget: &Budget,
        words: u64,
    ) -> Result<&'p mut Self, Stop> {
        let poly = match slot.take() {
            Some(poly) => poly,
            None => Poly::zero(low, high, budget, words)?,
        };
        Ok(slot.insert(poly))
    }

    pub(super) fn high(&self) -> i64 {
        self.low.saturating_add(as_i64(self.ways.len()) - 1)
    }

    /// The outcomes that can be reached.
    pub(super) fn outcomes(&self) -> impl Iterator<Item = (i64, &W)> {
        let values = self.low..;
        values.zip(&self.ways).filter(|(_, ways)| !ways.is_zero())
    }

    /// Adds ways to reach one value, which lies inside.
    pub(super) fn add(&mut self, value: i64, ways: &W) -> Option<()> {
        self.ways
            .get_mut(gap(value, self.low))
            .map_or(Some(()), |slot| slot.plus(ways))
    }

    /// Adds `other`, shifted and taken `times` over; all outcomes but empty ends lie inside.
    pub(super) fn add_scaled(
        &mut self,
        other: &Poly<W>,
        shift: i64,
        times: &W,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        if times.is_zero() {
            return Ok(());
        }
        budget.charge_products(other.ways.len(), times.words())?;
        self.add_times(other, shift, times)
    }

    /// As [`Poly::add_scaled`], paid for by the caller.
    fn add_times(&mut self, other: &Poly<W>, shift: i64, times: &W) -> Result<(), Stop> {
        let low = other.low.saturating_add(shift);
        let (start, empty) = (gap(low, self.low), gap(self.low, low));
        for (slot, ways) in self
            .ways
            .iter_mut()
            .skip(start)
            .zip(other.ways.iter().skip(empty))
        {
            if !ways.is_zero() {
                slot.plus_product(ways, times).wide()?;
            }
        }
        Ok(())
    }

    /// The ways to reach each sum of the two.
    pub(super) fn convolve(&self, other: &Poly<W>, budget: &mut Budget) -> Result<Self, Stop> {
        let (short, long) = if self.ways.len() <= other.ways.len() {
            (self, other)
        } else {
            (other, self)
        };
        if let [only] = short.ways.as_slice()
            && only.is_one()
        {
            return Ok(Poly {
                low: long.low + short.low,
                ways: long.ways.clone(),
            });
        }
        let words = short.widest() + long.widest();
        let mut sum = Poly::zero(
            self.low + other.low,
            self.high() + other.high(),
            budget,
            words,
        )?;
        for (value, ways) in short.outcomes() {
            sum.add_scaled(long, value, ways, budget)?;
        }
        Ok(sum)
    }

    /// The most words of any number in it, roughly.
    pub(super) fn widest(&self) -> u64 {
        let middle = self.ways.get(self.ways.len() / 2).map_or(0, Weight::words);
        let ends = self.ways.first().into_iter().chain(self.ways.last());
        ends.map(Weight::words).fold(middle, u64::max)
    }

    /// The ways to reach each sum with one more die.
    pub(super) fn with_die(&self, die: &[(i64, W)], budget: &mut Budget) -> Result<Self, Stop> {
        let (low, high) = ends(die);
        let words = self.widest();
        let mut sum = Poly::zero(self.low + low, self.high() + high, budget, words)?;
        if die.len() > 2 && is_run(die) {
            budget.charge(sum.ways.len(), words)?;
            sum.window(self, die.len())?;
            return Ok(sum);
        }
        for (worth, ways) in die {
            // One die's ways are few beside those of all.
            budget.charge(self.ways.len(), ways.words())?;
            sum.add_times(self, *worth, ways)?;
        }
        Ok(sum)
    }

    /// The ways to reach each sum of all these dice.
    ///
    /// The coefficients of a product of powers `((1 - x^s) / (1 - x))^n` by the recurrence that
    /// follows from its derivative (Knuth, The Art of Computer Programming, volume 2, section 4.7:
    /// powers of a series): a few products by small numbers each. Half of them are worked out; the
    /// other half are the same.
    pub(super) fn of_runs(runs: &[Run], budget: &mut Budget) -> Result<Self, Stop> {
        let low: i64 = runs.iter().map(|run| run.low * as_i64(run.count)).sum();
        let high = low
            + runs
                .iter()
                .map(|run| as_i64((run.faces - 1) * run.count))
                .sum::<i64>();
        let bits: f64 = runs.iter().map(Run::bits).sum();
        let length = gap(high, low).saturating_add(1);
        budget.hold(length, (bits / 128.0) as u64)?;
        let half = length.div_ceil(2);
        let steps = recurrence(runs);
        let words = if bits > 128.0 {
            (bits / 64.0) as u64 + 4
        } else {
            0
        };
        budget.charge(half * steps.len() * RECURRENCE, words)?;
        // No number is larger than that of all ways, so 128 bits are given up at once.
        W::from_big(&(BigUint::from(1_u8) << bits as u64)).wide()?;
        let rows = coefficients(&steps, half, bits as usize / 64 + 2);
        let ways = rows.iter().map(|row| W::from_words(row));
        let mut ways: Vec<W> = ways.collect::<Option<_>>().wide()?;
        let mirrored: Vec<W> = ways.iter().take(length - half).rev().cloned().collect();
        ways.extend(mirrored);
        Ok(Poly { low, ways })
    }

    /// Fills in sums over a window of `width` places of `before`.
    fn window(&mut self, before: &Poly<W>, width: usize) -> Result<(), Stop> {
        let (mut entering, mut leaving) = (before.ways.iter(), before.ways.iter());
        let mut running = W::small(0);
        for (place, slot) in self.ways.iter_mut().enumerate() {
            if let Some(ways) = entering.next() {
                running.plus(ways).wide()?;
            }
            if place >= width
                && let Some(ways) = leaving.next()
            {
                running.minus(ways);
            }
            *slot = running.clone();
        }
        Ok(())
    }
}

/// Dice that are worth `low` and the numbers after it, `faces` in all, each in one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) low: i64,
    pub(super) faces: usize,
    pub(super) count: usize,
}

impl Run {
    /// The width of all its ways.
    pub(super) fn bits(&self) -> f64 {
        self.count as f64 * (self.faces as f64).log2()
    }
}

/// How a coefficient `f(k)` of `F = (1 - x)^-n * product of (1 - x^s)^m` follows from those before
/// it: with `D = (1 - x) * product of (1 - x^s)`, of each `s` once, and `M = D * F' / F`, which are
/// short, `D * F' = M * F`. Each step has its places back, the coefficient of `M` one place before,
/// and that of `D`.
fn recurrence(runs: &[Run]) -> Vec<(usize, i64, i64)> {
    let mut sizes: BTreeMap<usize, i64> = BTreeMap::new();
    for run in runs {
        *sizes.entry(run.faces).or_default() += as_i64(run.count);
    }
    // Each factor is 1 - x^s to a power; the first is that of all dice.
    let all: i64 = sizes.values().sum();
    let factors: Vec<(usize, i64)> = std::iter::once((1, -all)).chain(sizes).collect();
    let product = |skipped: Option<usize>| {
        let mut product = BTreeMap::from([(0_usize, 1_i64)]);
        for (_, (size, _)) in factors
            .iter()
            .enumerate()
            .filter(|(nth, _)| Some(*nth) != skipped)
        {
            for (place, times) in product.clone() {
                *product.entry(place + size).or_default() -= times;
            }
        }
        product
    };
    let mut steps: BTreeMap<usize, (i64, i64)> = BTreeMap::new();
    for (place, times) in product(None) {
        steps.entry(place).or_default().1 = times;
    }
    for (nth, (size, power)) in factors.iter().enumerate() {
        for (place, times) in product(Some(nth)) {
            steps.entry(place + size).or_default().0 -= power * as_i64(*size) * times;
        }
    }
    let steps = steps.into_iter().filter(|(back, _)| *back > 0);
    steps.map(|(back, (m, d))| (back, m, d)).collect()
}

/// The first coefficients, each of so many 64-bit words, the lowest first. The sum of the steps to a
/// place is divided by it, which leaves no rest: from the lowest word on, by products with the
/// inverse of its odd part (T. Jebelean, An algorithm for exact division, 1993).
fn coefficients(steps: &[(usize, i64, i64)], count: usize, width: usize) -> Vec<Vec<u64>> {
    let mut first = vec![0; width];
    first.iter_mut().take(1).for_each(|word| *word = 1);
    let (mut rows, mut sums) = (vec![first], vec![0_i128; width]);
    for place in 1..count {
        sums.fill(0);
        for (back, m, d) in steps {
            let before = place.checked_sub(*back).and_then(|before| rows.get(before));
            let times = m - d * (as_i64(place) - as_i64(*back));
            let (is_less, times) = (times < 0, times.unsigned_abs());
            for (sum, word) in sums.iter_mut().zip(before.into_iter().flatten()) {
                let part = (u128::from(times) * u128::from(*word)) as i128;
                *sum += if is_less { -part } else { part };
            }
        }
        let twos = place.trailing_zeros();
        let odd = (place >> twos) as u64;
        // Each round doubles the bits that are right, of which three are at first.
        let inverse = (0..5).fold(odd, |inverse, _| {
            inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)))
        });
        let (mut carry, mut borrow) = (0_i128, 0_u64);
        let mut row: Vec<u64> = Vec::with_capacity(width);
        for sum in &sums {
            carry += sum;
            let (rest, is_below) = (carry as u64).overflowing_sub(borrow);
            carry >>= 64;
            let quotient = rest.wrapping_mul(inverse);
            let taken = u128::from(quotient) * u128::from(odd);
            borrow = (taken >> 64) as u64 + u64::from(is_below);
            if let Some(below) = row.last_mut() {
                *below = *below >> twos | quotient << 1 << (63 - twos);
            }
            row.push(quotient);
        }
        row.last_mut().into_iter().for_each(|word| *word >>= twos);
        rows.push(row);
    }
    rows
}

/// The least and the greatest that a die is worth.
fn ends<W>(die: &[(i64, W)]) -> (i64, i64) {
    let worths = || die.iter().map(|(worth, _)| *worth);
    (worths().min().unwrap_or(0), worths().max().unwrap_or(0))
}

/// Whether the die is worth successive numbers in one way each.
fn is_run<W: Weight>(die: &[(i64, W)]) -> bool {
    let steps_by = |step| {
        die.windows(2)
            .all(|pair| matches!(pair, [a, b] if b.0 == a.0 + step))
    };
    (steps_by(1) || steps_by(-1)) && die.iter().all(|(_, ways)| ways.is_one())
}

/// The sums of 0, 1, … dice. Only the last is held: in rising order, each is worked out once.
pub(super) struct Sums<W> {
    die: Weighted<W>,
    count: usize,
    sum: Poly<W>,
}

impl<W: Weight> Sums<W> {
    pub(super) fn new(die: Weighted<W>) -> Self {
        Sums {
            die,
            count: 0,
            sum: Poly::unit(),
        }
    }

    /// The ways to reach each sum of `count` dice; `None` when the die has no faces.
    pub(super) fn sum_of(
        &mut self,
        count: usize,
        budget: &mut Budget,
    ) -> Result<Option<&Poly<W>>, Stop> {
        if self.die.is_empty() && count > 0 {
            return Ok(None);
        }
        if count < self.count {
            self.count = 0;
            self.sum = Poly::unit();
        }
        if self.count == 0 && count >= RECURRENCE_DICE && self.die.len() > 2 && is_run(&self.die) {
            self.sum = Poly::of_runs(
                &[Run {
                    low: ends(&self.die).0,
                    faces: self.die.len(),
                    count,
                }],
                budget,
            )?;
            self.count = count;
        }
        while self.count < count {
            self.sum = self.sum.with_die(&self.die, budget)?;
            self.count += 1;
        }
        Ok(Some(&self.sum))
    }
}
