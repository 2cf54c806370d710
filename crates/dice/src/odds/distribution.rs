//! The exact chance of every total.

use crate::odds::budget::Budget;
use crate::odds::poly::Poly;
use crate::odds::ratio::{Ratio, share};
use crate::odds::weight::Weight;
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
    pub(super) fn new<W: Weight>(poly: &Poly<W>, ways: &W) -> Self {
        Distribution { outcomes: poly.outcomes().map(|(total, ways)| (total, ways.big())).collect(), ways: ways.big() }
    }

    /// From totals, rising, and their ways.
    pub(super) fn of(outcomes: Vec<(i64, BigUint)>, ways: BigUint) -> Self {
        Distribution { outcomes, ways }
    }

    /// Every total that can come up, rising, with its chance.
    pub fn outcomes(&self) -> impl Iterator<Item = (i64, Ratio)> {
        self.outcomes.iter().map(|(total, ways)| (*total, self.ratio(ways.clone())))
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

    /// Whether all its fractions together are too long to be written out, or to be brought to their lowest terms.
    pub fn is_long(&self) -> bool {
        Budget::estimate().show(self.outcomes.len() as f64, self.ways.bits() as f64).is_err()
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
        self.outcomes.iter().map(|(_, ways)| share(ways, &self.ways)).collect()
    }

    /// The chance that was cut off; zero without explosions.
    pub fn cut(&self) -> Ratio {
        self.ratio(&self.ways - self.counted())
    }

    /// The mean, over what was not cut off.
    pub fn mean(&self) -> Ratio {
        let mut up = BigUint::ZERO;
        let mut down = BigUint::ZERO;
        for (total, ways) in &self.outcomes {
            let share = ways * total.unsigned_abs();
            *(if *total < 0 { &mut down } else { &mut up }) += share;
        }
        if up >= down {
            Ratio::new(false, up - down, self.counted())
        } else {
            Ratio::new(true, down - up, self.counted())
        }
    }

    /// The standard deviation, over what was not cut off.
    pub fn deviation(&self) -> f64 {
        let mean = self.mean().to_f64();
        let shares = self.shares();
        let variance: f64 = self.totals().zip(shares).map(|(total, share)| (total as f64 - mean).powi(2) * share).sum();
        (variance / self.ratio(self.counted()).to_f64()).sqrt()
    }

    /// The total with the greatest chance; the least such.
    pub fn mode(&self) -> Option<i64> {
        let best = self.outcomes.iter().rev().max_by(|a, b| a.1.cmp(&b.1));
        best.map(|(total, _)| *total)
    }

    /// The least total that at least half of all rolls do not pass.
    pub fn median(&self) -> Option<i64> {
        let mut seen = BigUint::ZERO;
        for (total, ways) in &self.outcomes {
            seen += ways;
            if &seen * 2_u8 >= self.ways {
                return Some(*total);
            }
        }
        self.max()
    }

    fn counted(&self) -> BigUint {
        self.outcomes.iter().map(|(_, ways)| ways).sum()
    }

    fn ratio(&self, ways: BigUint) -> Ratio {
        Ratio::new(false, ways, self.ways.clone())
    }
}
