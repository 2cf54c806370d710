//! Exact odds: the chance of every total, without sampling.
//!
//! Ways are counted as integers over a common number of equally likely ways. [`Distribution`] and
//! [`Ratio`] are exact; floating-point numbers are for showing only.

mod budget;
mod dist;
mod distribution;
mod estimate;
mod paths;
mod poly;
mod pool;
mod pools;
mod ratio;
mod term;
mod tree;
mod weight;

pub use distribution::{Distribution, Range, Ranges};
pub use paths::DeepWalker;
pub use pools::{Chains, Extra, Kept, Pool, PoolFace};
pub use ratio::Ratio;

use crate::compare::Comparison;
use crate::error::DiceError;
use crate::expression::Expression;
use crate::expression::arithmetic::{holds, overflow};
use crate::expression::band::Band;
use crate::expression::tree::{Request, Test};
use crate::fraction::Fraction;
use crate::odds::budget::{Budget, OrNarrow, Stop};
use crate::odds::dist::{Dist, Values};
use crate::odds::weight::Weight;
use crate::text::Span;
use num_bigint::BigUint;

/// The odds of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Odds {
    /// The chance of every total; of a repeated expression, of the sum; of a repeated check that can
    /// succeed or fail, of how many succeed.
    pub totals: Distribution,
    /// Whether the totals are of several checks together.
    pub repeated: bool,
    /// The chance that one check passes its test (`vs`, `under` or a comparison).
    pub success: Option<Ratio>,
    /// The chance of each of the ranges that `bands` make; the first is below all of them.
    pub bands: Vec<(Band, Ratio)>,
}

impl Expression {
    /// The exact odds.
    /// Errors: `limit_exceeded` when they would take too long to work out (about a second), which is known
    /// before they are begun. The span is of the canonical text.
    pub fn odds(&self) -> Result<Odds, DiceError> {
        let odds = match self.request().check.shares_a_deck() {
            true => paths::odds(self),
            false => estimate::check(self.request()).and_then(|()| match request::<u128>(self.request()) {
                Err(Stop::Narrow) => request::<BigUint>(self.request()),
                narrow => narrow,
            }),
        };
        odds.map_err(|stop| {
            let error = match stop {
                Stop::Refused(error) => error,
                // Big integers are never too narrow; a bound passed on the way is an overflow.
                Stop::Narrow => overflow(Span::default()),
            };
            // It is the whole that is too much.
            DiceError { span: 0..self.as_str().len(), ..error }
        })
    }
}

fn request<W: Weight>(request: &Request) -> Result<Odds, Stop> {
    let mut budget = Budget::new();
    let dist = tree::node::<W>(&request.check.node, &mut budget)?;
    let total = match dist.values {
        // A dense distribution is whole already.
        Values::Dense(_) => dist,
        Values::Sparse(_) => dist.map(|value| Some(value.floor()), &mut budget)?,
    };
    let mut odds = Odds {
        totals: distribution(&total, &budget)?,
        repeated: request.repeat.is_some(),
        success: None,
        bands: Vec::new(),
    };
    odds.bands = bands_of(&odds.totals, request.check.test.as_ref());
    if let Some((comparison, node)) = request.check.test.as_ref().and_then(Test::comparison) {
        let target = tree::node(node, &mut budget)?;
        odds.success = Some(success(&total, comparison, &target, &mut budget)?);
    }
    if let Some(times) = request.repeat {
        let one = match &odds.success {
            Some(success) => Dist::one_or_none(success)?,
            None => total,
        };
        let mut sum = Dist::constant(Fraction::ZERO);
        for _ in 0..times {
            sum = sum.add(&one, &mut budget)?;
        }
        odds.totals = distribution(&sum, &budget)?;
    }
    Ok(odds)
}

fn distribution<W: Weight>(dist: &Dist<W>, budget: &Budget) -> Result<Distribution, Stop> {
    match &dist.values {
        Values::Dense(poly) => Ok(Distribution::new(poly, &dist.ways)),
        Values::Sparse(list) => {
            budget.hold(list.len(), dist.ways.words())?;
            let whole = list.iter().filter_map(|(value, ways)| Some((value.whole()?, ways.big())));
            Ok(Distribution::from_outcomes(whole.collect(), dist.ways.big()))
        }
    }
}

/// The chances of the bands, where the test has some.
fn bands_of(totals: &Distribution, test: Option<&Test>) -> Vec<(Band, Ratio)> {
    let Some(Test::Bands(numbers)) = test else { return Vec::new() };
    Band::all(numbers).map(|band| (band, totals.chance(|total| band.holds(total)))).collect()
}

/// The chance that the total compares so with the target.
fn success<W: Weight>(
    total: &Dist<W>,
    comparison: Comparison,
    target: &Dist<W>,
    budget: &mut Budget,
) -> Result<Ratio, Stop> {
    let (totals, targets) = (total.list(), target.list());
    let mut passed = W::small(0);
    for (target, ways) in &targets {
        budget.charge(totals.len(), ways.words())?;
        let mut passing = W::small(0);
        for (_, ways) in totals.iter().filter(|(total, _)| holds(*total, comparison, *target)) {
            passing.plus(ways).wide()?;
        }
        passed.plus_product(&passing, ways).wide()?;
    }
    let all = total.ways.times(&target.ways).wide()?;
    Ok(Ratio::new(false, passed.big(), all.big()))
}
