//! The exact chance of every total, and a distribution in as many lines as a person reads.

use crate::odds::ratio::{Ratio, share};
use num_bigint::BigUint;

/// The exact chance of every total.
///
/// Explosions without end are cut off where less than 2^-64 of the chance is left; that rest is
/// [`Distribution::cut`], and all other chances are exact (not rescaled).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distribution {
    /// Totals, rising, each with its number of ways.
    outcomes: Vec<(i64, BigUint)>,
    /// All ways, the cut-off ones included.
    ways: BigUint,
}

impl Distribution {
    /// From totals, rising, and their ways.
    pub(super) fn new(outcomes: Vec<(i64, BigUint)>, ways: BigUint) -> Self {
        Distribution { outcomes, ways }
    }

    /// Every total that can come up, rising, with its chance.
    pub fn outcomes(&self) -> impl Iterator<Item = (i64, Ratio)> {
        self.outcomes
            .iter()
            .map(|(total, ways)| (*total, self.ratio(ways.clone())))
    }

    /// The same in ways, each of [`Distribution::ways`].
    pub fn counts(&self) -> impl Iterator<Item = (i64, &BigUint)> {
        self.outcomes.iter().map(|(total, ways)| (*total, ways))
    }

    /// All ways, the cut-off ones included.
    pub fn ways(&self) -> &BigUint {
        &self.ways
    }

    /// Every total that can come up, rising.
    pub fn totals(&self) -> impl Iterator<Item = i64> {
        self.outcomes.iter().map(|(total, _)| *total)
    }

    /// The number of different totals.
    pub fn len(&self) -> usize {
        self.outcomes.len()
    }

    /// Whether no total can come up; never so for an expression.
    pub fn is_empty(&self) -> bool {
        self.outcomes.is_empty()
    }

    /// Whether all its fractions are too long to be written out, or brought to their lowest terms.
    pub fn is_long(&self) -> bool {
        let bits = self.ways.bits() as f64;
        let written = self.outcomes.len() as f64 * bits;
        // A fraction's common factor takes a subtraction a bit, four words a step.
        written > WRITTEN_BITS_MAX || written * bits / 256.0 > REDUCED_STEPS_MAX
    }

    /// The least total.
    pub fn min(&self) -> Option<i64> {
        self.outcomes.first().map(|(total, _)| *total)
    }

    /// The greatest total (of those that are not cut off).
    pub fn max(&self) -> Option<i64> {
        self.outcomes.last().map(|(total, _)| *total)
    }

    /// The chance of exactly this total.
    pub fn exactly(&self, total: i64) -> Ratio {
        self.chance(|other| other == total)
    }

    /// The chance of this total or more.
    pub fn at_least(&self, total: i64) -> Ratio {
        self.chance(|other| other >= total)
    }

    /// The chance of this total or less.
    pub fn at_most(&self, total: i64) -> Ratio {
        self.chance(|other| other <= total)
    }

    /// The chance of the totals that `wanted` names.
    pub fn chance(&self, wanted: impl Fn(i64) -> bool) -> Ratio {
        let wanted = self.outcomes.iter().filter(|(total, _)| wanted(*total));
        self.ratio(wanted.map(|(_, ways)| ways).sum())
    }

    /// The chance of every total from `first` to `last`.
    pub fn between(&self, first: i64, last: i64) -> Ratio {
        self.chance(|total| first <= total && total <= last)
    }

    /// The chance of every total, rising, as floating-point numbers: quick, and for showing only.
    pub fn shares(&self) -> Vec<f64> {
        self.outcomes
            .iter()
            .map(|(_, ways)| share(ways, &self.ways))
            .collect()
    }

    /// The chance that was cut off; zero without explosions.
    pub fn cut(&self) -> Ratio {
        self.ratio(&self.ways - self.counted())
    }

    /// The mean, over what was not cut off.
    pub fn mean(&self) -> Ratio {
        let (mut up, mut down) = (BigUint::ZERO, BigUint::ZERO);
        for (total, ways) in &self.outcomes {
            *(if *total < 0 { &mut down } else { &mut up }) += ways * total.unsigned_abs();
        }
        let (is_negative, sum) = if up >= down {
            (false, up - down)
        } else {
            (true, down - up)
        };
        Ratio::new(is_negative, sum, self.counted())
    }

    /// The standard deviation, over what was not cut off.
    pub fn deviation(&self) -> f64 {
        let mean = self.mean().to_f64();
        let shares = self.shares();
        let variance: f64 = self
            .totals()
            .zip(shares)
            .map(|(total, share)| (total as f64 - mean).powi(2) * share)
            .sum();
        (variance / self.ratio(self.counted()).to_f64()).sqrt()
    }

    fn counted(&self) -> BigUint {
        self.outcomes.iter().map(|(_, ways)| ways).sum()
    }

    fn ratio(&self, ways: BigUint) -> Ratio {
        Ratio::new(false, ways, self.ways.clone())
    }

    /// The distribution in at most `rows_max` lines, without the tails that hold less than one roll
    /// in 200,000. Where the totals are too many, each line is a range of a round width.
    pub fn ranges(&self, rows_max: usize) -> Ranges {
        let shares = self.shares();
        let below = tail(shares.iter().copied());
        let above = tail(shares.iter().rev().copied()).min(shares.len().saturating_sub(below + 1));
        let shown: Vec<i64> = self
            .totals()
            .skip(below)
            .take(shares.len() - below - above)
            .collect();
        let (Some(first), Some(last)) = (shown.first().copied(), shown.last().copied()) else {
            return Ranges {
                rows: Vec::new(),
                below: 0,
                above: 0,
            };
        };
        let span = last.saturating_sub(first);
        let width = if shown.len() <= rows_max {
            1
        } else {
            round_width(span, rows_max.saturating_sub(1).max(1))
        };
        // A whole distribution begins where it does (1-25, 26-50), a part at round numbers.
        let start = if below == 0 {
            first
        } else {
            first.div_euclid(width) * width
        };
        let row = |total: &i64| (total - start).div_euclid(width);
        let rows = shown
            .chunk_by(|one, next| row(one) == row(next))
            .filter_map(|totals| {
                let (first, last) = (*totals.first()?, *totals.last()?);
                Some(Range {
                    first,
                    last,
                    chance: self.between(first, last),
                })
            });
        Ranges {
            rows: rows.collect(),
            below,
            above,
        }
    }
}

/// Bits that all ways of a distribution together may have to be written out: 2.5 MB.
const WRITTEN_BITS_MAX: f64 = 20_000_000.0;

/// Steps that bringing all its fractions to their lowest terms may take: about a second.
const REDUCED_STEPS_MAX: f64 = 250_000_000.0;

/// Totals at either end are left out while all of them together are less likely than this.
const TAIL: f64 = 5e-6;

/// A line: one total, or several in a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// The least total.
    pub first: i64,
    /// The greatest total; that of `first` for a single one.
    pub last: i64,
    /// The chance of any of them.
    pub chance: Ratio,
}

/// What a person is shown of a distribution.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranges {
    /// The lines, rising.
    pub rows: Vec<Range>,
    /// How many totals lie below the first line.
    pub below: usize,
    /// How many totals lie above the last line.
    pub above: usize,
}

/// How many at the beginning are together less likely than [`TAIL`].
fn tail(shares: impl Iterator<Item = f64>) -> usize {
    let mut sum = 0.0;
    let is_unlikely = |share: &f64| {
        sum += share;
        sum < TAIL
    };
    shares.take_while(is_unlikely).count()
}

/// The least of 2, 5, 10, 20, 25, 50, 100, 200, 250, … that covers the span in so many steps.
fn round_width(span: i64, steps: usize) -> i64 {
    let steps = i64::try_from(steps).unwrap_or(i64::MAX);
    let covers = |width: &i64| *width > 1 && span / width < steps;
    let mut unit = 1_i64;
    loop {
        let [two, five] = [2, 5].map(|times| unit.saturating_mul(times));
        // A quarter of a unit to come: 25, 250, but not 2.5.
        let quarter = if unit >= 10 { five / 2 } else { five };
        if let Some(width) = [unit, two, quarter, five].into_iter().find(covers) {
            return width;
        }
        unit = unit.saturating_mul(10);
    }
}
