//! Exact odds: the chance of every total, without sampling.
//!
//! Ways are counted as integers over a common number of equally likely ways. [`Distribution`] and
//! [`Ratio`] are exact; floating-point numbers are for showing only.
//!
//! Each dice term occurs once in a tree, so the parts of a node are independent and every operation
//! is a sum over pairs of outcomes (a convolution, for sums of whole numbers).

mod budget;
mod dist;
mod distribution;
mod paths;
mod poly;
mod pool;
mod pools;
mod ratio;
mod term;
mod weight;

pub use distribution::{Distribution, Range, Ranges};
pub use paths::Walker;
pub use pools::{Chains, Extra, Kept, Pool, PoolFace};
pub use ratio::Ratio;

use crate::compare::{Band, Comparison};
use crate::error::DiceError;
use crate::expression::Expression;
use crate::expression::arithmetic::{holds, multiply, overflow};
use crate::expression::bounds::exact;
use crate::expression::tree::{Factor, Function, Group, Node, Request, Sign, Test};
use crate::fraction::Fraction;
use crate::modifiers::count::{Counting, successes_of};
use crate::modifiers::each;
use crate::modifiers::keep::{End, Selection, is_wanted};
use crate::odds::budget::{Budget, OrNarrow, Stop};
use crate::odds::dist::{Dist, Values, kept_members, negative, sum_of, too_large};
use crate::odds::weight::Weight;
use crate::text::Span;
use num_bigint::BigUint;

/// The odds of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Odds {
    /// The chance of every total: of repeats the sum, of repeated checks that can succeed or fail
    /// how many succeed.
    pub totals: Distribution,
    /// Whether the totals are of several checks together.
    pub repeated: bool,
    /// The chance that one check passes its test (`vs`, `under` or a comparison).
    pub success: Option<Ratio>,
    /// The chance of each of the ranges that `bands` make; the first is below all of them.
    pub bands: Vec<(Band, Ratio)>,
}

impl Expression {
    /// The exact odds. Errors: `limit_exceeded` when they would take about a second; the span is of the
    /// whole.
    pub fn odds(&self) -> Result<Odds, DiceError> {
        let odds = match self.request().check.shares_a_deck() {
            true => paths::odds(self),
            false => match request::<u128>(self.request()) {
                Err(Stop::Narrow) => request::<BigUint>(self.request()),
                narrow => narrow,
            },
        };
        odds.map_err(|stop| {
            let error = match stop {
                Stop::Refused(error) => error,
                // Big integers are never too narrow; a bound passed on the way is an overflow.
                Stop::Narrow => overflow(Span::default()),
            };
            // It is the whole that is too much.
            DiceError {
                span: 0..self.as_str().len(),
                ..error
            }
        })
    }
}

fn request<W: Weight>(request: &Request) -> Result<Odds, Stop> {
    let mut budget = Budget::new();
    let dist = dist_of::<W>(&request.check.node, &mut budget)?;
    let total = match &dist.values {
        Values::Sparse(list) if list.iter().any(|(value, _)| value.bottom() != 1) => {
            dist.map(|value| Some(value.floor()), &mut budget)?
        }
        Values::Dense(_) | Values::Sparse(_) => dist,
    };
    let mut odds = Odds {
        totals: distribution(&total, &budget)?,
        repeated: request.repeat.is_some(),
        success: None,
        bands: Vec::new(),
    };
    odds.bands = bands_of(&odds.totals, request.check.test.as_ref());
    if let Some((comparison, node)) = request.check.test.as_ref().and_then(Test::comparison) {
        let target = dist_of(node, &mut budget)?;
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
    let outcomes = match &dist.values {
        Values::Dense(poly) => poly
            .outcomes()
            .map(|(total, ways)| (total, ways.big()))
            .collect(),
        Values::Sparse(list) => {
            budget.hold(list.len(), dist.ways.words())?;
            list.iter()
                .filter_map(|(value, ways)| Some((value.whole()?, ways.big())))
                .collect()
        }
    };
    Ok(Distribution::new(outcomes, dist.ways.big()))
}

/// The chances of the bands, where the test has some.
fn bands_of(totals: &Distribution, test: Option<&Test>) -> Vec<(Band, Ratio)> {
    let Some(Test::Bands(numbers)) = test else {
        return Vec::new();
    };
    Band::all(numbers)
        .map(|band| (band, totals.chance(|total| band.holds(total))))
        .collect()
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
        for (_, ways) in totals
            .iter()
            .filter(|(total, _)| holds(*total, comparison, *target))
        {
            passing.plus(ways).wide()?;
        }
        passed.plus_product(&passing, ways).wide()?;
    }
    let all = total.ways.times(&target.ways).wide()?;
    Ok(Ratio::new(false, passed.big(), all.big()))
}

fn dist_of<W: Weight>(node: &Node, budget: &mut Budget) -> Result<Dist<W>, Stop> {
    match node {
        Node::Number(number) => Ok(Dist::constant(number.value())),
        Node::Variable(_) => Ok(Dist::constant(Fraction::ZERO)),
        Node::Dice(dice) => {
            let (poly, ways) = term::dice(dice, budget)?;
            Ok(Dist {
                values: Values::Dense(poly),
                ways,
            })
        }
        Node::Labelled(inner, _) => dist_of(inner, budget),
        Node::Negative(inner) => negative(dist_of(inner, budget)?, budget),
        Node::Sum(terms) => {
            let (runs, rest) = term::runs(terms);
            let mut parts = Vec::with_capacity(rest.len() + 1);
            if !runs.is_empty() {
                let (poly, ways) = term::sum_of_runs(&runs, budget)?;
                parts.push(Dist {
                    values: Values::Dense(poly),
                    ways,
                });
            }
            for (sign, term) in rest {
                let dist = dist_of(term, budget)?;
                parts.push(if *sign == Sign::Minus {
                    negative(dist, budget)?
                } else {
                    dist
                });
            }
            sum_of(parts, budget)
        }
        Node::Product(factors) => product(factors, budget),
        Node::Call(function, nodes, _) => function_of(*function, nodes, budget),
        Node::Group(group) => group_of(group, budget),
    }
}

fn product<W: Weight>(factors: &[(Factor, Node)], budget: &mut Budget) -> Result<Dist<W>, Stop> {
    let mut product = Dist::constant(Fraction::int(1));
    for (factor, node) in factors {
        let dist = dist_of(node, budget)?;
        product = match dist.single() {
            Some(value) => product.map(|product| multiply(product, *factor, value), budget)?,
            None => product.pairs(
                &dist,
                |product, value| multiply(product, *factor, value),
                budget,
            )?,
        };
    }
    Ok(product)
}

fn function_of<W: Weight>(
    function: Function,
    nodes: &[Node],
    budget: &mut Budget,
) -> Result<Dist<W>, Stop> {
    if let (Function::If, [condition, yes, no]) = (function, nodes) {
        // Dice decide between numbers alone.
        let (yes, no) = exact(yes).zip(exact(no)).ok_or_else(too_large)?;
        return dist_of::<W>(condition, budget)?
            .map(|value| function.apply(&[value, yes, no]), budget);
    }
    let Some((first, others)) = nodes.split_first() else {
        return Ok(Dist::constant(Fraction::ZERO));
    };
    let first = dist_of::<W>(first, budget)?;
    if others.is_empty() {
        return first.map(|value| function.apply(&[value]), budget);
    }
    others.iter().try_fold(first, |result, other| {
        let other = dist_of(other, budget)?;
        result.pairs(&other, |a, b| function.apply(&[a, b]), budget)
    })
}

fn group_of<W: Weight>(group: &Group, budget: &mut Budget) -> Result<Dist<W>, Stop> {
    let members = group
        .members
        .iter()
        .map(|member| dist_of(member, budget))
        .collect::<Result<Vec<Dist<W>>, Stop>>()?;
    let count = members.len();
    let modifiers = group.modifier.as_slice();
    if modifiers.is_empty() {
        return sum_of(members, budget);
    }
    if let Some((end, kept)) = each::<Selection>(modifiers)
        .next()
        .and_then(|selection| selection.best(count))
    {
        return kept_members(members, kept, end == End::Lowest, budget);
    }
    let counting = each::<Counting>(modifiers).next();
    let worth = |value: Fraction| match (
        is_wanted(each(modifiers), |point| point.holds(value)),
        counting,
    ) {
        (false, _) => Fraction::ZERO,
        (true, Some(counting)) => Fraction::int(successes_of(counting, value)),
        (true, None) => value,
    };
    let changed = members
        .iter()
        .map(|member| member.map(|value| Some(worth(value)), budget));
    sum_of(changed.collect::<Result<Vec<Dist<W>>, Stop>>()?, budget)
}
