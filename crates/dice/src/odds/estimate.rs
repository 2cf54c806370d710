//! What odds would cost, before any are worked out.
//!
//! Dice terms run through the methods of odds with numbers that count nothing ([`Dry`]); for what
//! joins them the number of outcomes is enough. So odds that would take too long are refused in
//! milliseconds, and without their memory.

use crate::expression::tree::{Factor, Function, Group, Node, Request, Sign, Test};
use crate::modifiers::keep::Selection;
use crate::modifiers::{Stage, each};
use crate::odds::budget::{Budget, LOOK_UP, Stop};
use crate::odds::poly::Run;
use crate::odds::term;
use crate::odds::weight::Dry;

/// Refuses odds that would take too long.
pub(super) fn check(request: &Request) -> Result<(), Stop> {
    if is_small(request) {
        return Ok(());
    }
    let mut budget = Budget::estimate();
    let total = node(&request.check.node, &mut budget)?;
    let mut repeated = total;
    if let Some(target) = request.check.test.as_ref().and_then(Test::node) {
        let target = node(target, &mut budget)?;
        charge(
            &mut budget,
            total.outcomes * target.outcomes,
            total.bits + target.bits,
        )?;
        repeated = Size::whole(0, 1, total.bits + target.bits);
    }
    let mut sum = Size::constant(0.0);
    for _ in 0..request.repeat.unwrap_or(0) {
        sum = sum.add(&repeated, &mut budget)?;
    }
    if is_plain(request) {
        budget.widen(total.bits)?;
        return budget.hold(total.outcomes as usize, (total.bits / 128.0) as u64);
    }
    let shown = if request.repeat.is_some() { sum } else { total };
    budget.show(shown.outcomes, shown.bits)
}

/// Whether it is dice that are only added up or multiplied, with numbers beside them: a recurrence
/// has their ways at once, and of so many totals a person is shown ranges.
fn is_plain(request: &Request) -> bool {
    let plain = |node: &Node| matches!(node, Node::Dice(dice) if dice.modifiers.is_empty() && dice.bonus() == 0);
    let number = |node: &Node| matches!(node, Node::Number(_));
    let is_alone = request.repeat.is_none()
        && request
            .check
            .test
            .as_ref()
            .and_then(Test::node)
            .is_none_or(number);
    // One factor that is dice, as in `2 * 500d6`: two would be looked at pair by pair.
    let multiple = |node: &Node| match node {
        Node::Product(factors) => {
            let dice = factors.iter().filter(|(_, node)| plain(node)).count();
            dice == 1 && factors.iter().all(|(_, node)| plain(node) || number(node))
        }
        node => plain(node),
    };
    is_alone
        && match &request.check.node {
            Node::Sum(terms) => terms.iter().all(|(_, term)| multiple(term) || number(term)),
            node => multiple(node),
        }
}

/// Whether it is one handful of dice, whose odds take no longer than their estimate.
fn is_small(request: &Request) -> bool {
    let Node::Dice(dice) = &request.check.node else {
        return false;
    };
    let faces = dice.die().faces();
    let size = usize::try_from(dice.count())
        .unwrap_or(usize::MAX)
        .saturating_mul(faces.len());
    let alone = request.repeat.is_none() && request.check.test.is_none();
    alone && !dice.has(Stage::Explode) && size <= 500 && faces.highest() - faces.lowest() <= 1000
}

fn node(node: &Node, budget: &mut Budget) -> Result<Size, Stop> {
    match node {
        Node::Number(number) => Ok(Size::constant(
            number.scaled as f64 / 10_f64.powi(i32::from(number.places)),
        )),
        Node::Variable(_) => Ok(Size::constant(0.0)),
        Node::Dice(dice) => {
            term::size(dice, budget).map(|(low, high, bits)| Size::whole(low, high, bits))
        }
        Node::Labelled(inner, _) => self::node(inner, budget),
        Node::Negative(inner) => Ok(self::node(inner, budget)?.negative()),
        Node::Sum(terms) => {
            let (runs, rest) = term::runs(terms);
            let mut total = Size::constant(0.0);
            if !runs.is_empty() {
                let (poly, _) = term::sum_of_runs::<Dry<true>>(&runs, budget)?;
                total = Size::whole(poly.low, poly.high(), runs.iter().map(Run::bits).sum());
            }
            for (sign, term) in rest {
                let size = self::node(term, budget)?;
                let size = if *sign == Sign::Minus {
                    size.negative()
                } else {
                    size
                };
                let is_nothing = total.outcomes <= 1.0 && total.bits == 0.0 && total.low == 0.0;
                total = if is_nothing {
                    size
                } else {
                    total.add(&size, budget)?
                };
            }
            Ok(total)
        }
        Node::Product(factors) => {
            factors
                .iter()
                .try_fold(Size::constant(1.0), |product, (factor, node)| {
                    let size = self::node(node, budget)?;
                    product.multiply(*factor, &size, budget)
                })
        }
        Node::Call(function, nodes, _) => call(*function, nodes, budget),
        Node::Group(group) => self::group(group, budget),
    }
}

fn call(function: Function, nodes: &[Node], budget: &mut Budget) -> Result<Size, Stop> {
    let mut result: Option<Size> = None;
    for node in nodes {
        let size = self::node(node, budget)?;
        result = Some(match result {
            None => size,
            Some(result) => {
                let ends = (result.low.min(size.low), result.high.max(size.high));
                let either = result.pair(&size, ends, result.parts.max(size.parts));
                result.look_up(&size, &either, budget)?;
                Size {
                    outcomes: either.outcomes.min(result.outcomes + size.outcomes),
                    ..either
                }
            }
        });
    }
    let result = result.unwrap_or_else(|| Size::constant(0.0));
    charge(budget, result.outcomes * LOOK_UP as f64, result.bits)?;
    Ok(match function {
        Function::Floor | Function::Ceil | Function::Round => Size {
            parts: 1.0,
            outcomes: result.outcomes.min(result.high - result.low + 2.0),
            ..result
        },
        Function::Abs => Size {
            low: result.low.max(0.0),
            high: result.low.abs().max(result.high.abs()),
            ..result
        },
        Function::Min | Function::Max | Function::Mod | Function::If => result,
        Function::Not | Function::And | Function::Or | Function::Compare(_) => {
            Size::whole(0, 1, result.bits)
        }
    })
}

fn group(group: &Group, budget: &mut Budget) -> Result<Size, Stop> {
    let members = group
        .members
        .iter()
        .map(|member| node(member, budget))
        .collect::<Result<Vec<Size>, Stop>>()?;
    let count = members.len();
    let selection = each::<Selection>(group.modifier.as_slice()).next();
    let kept = selection
        .and_then(|selection| selection.best(count))
        .map_or(count, |(_, kept)| kept);
    if kept < count {
        return choice(&members, kept, budget);
    }
    members.iter().try_fold(Size::constant(0.0), |sum, member| {
        charge(budget, member.outcomes * LOOK_UP as f64, member.bits)?;
        sum.add(member, budget)
    })
}

/// The highest or lowest members: for every value that may be the last one kept, every member meets
/// every sum of those before it.
fn choice(members: &[Size], kept: usize, budget: &mut Budget) -> Result<Size, Stop> {
    let bits: f64 = members.iter().map(|member| member.bits).sum();
    let parts = members
        .iter()
        .map(|member| member.parts)
        .fold(1.0, f64::max);
    let low = members
        .iter()
        .map(|member| member.low)
        .fold(f64::INFINITY, f64::min);
    let high = members
        .iter()
        .map(|member| member.high)
        .fold(f64::NEG_INFINITY, f64::max);
    let places = ((high - low) * parts + 1.0).max(1.0);
    let all: f64 = members.iter().map(|member| member.outcomes).sum();
    let thresholds = all.min(places);
    let kept_sums = kept as f64;
    let mut operations = 0.0;
    // Sums of so many members before the threshold.
    let mut sums = 1.0_f64;
    for (index, member) in members.iter().enumerate() {
        let before = index.min(kept.saturating_sub(1)) as f64;
        let here = (index.min(kept) + 1) as f64;
        let additions = if kept > 1 { member.outcomes / 2.0 } else { 0.0 };
        operations += (before + 1.0) * here / 2.0 * sums * (additions + 2.0) * LOOK_UP as f64;
        if kept > 1 {
            sums = (sums * member.outcomes).min(places * kept_sums);
        }
    }
    charge(budget, thresholds * operations, bits)?;
    let (low, high) = ((low * kept_sums).min(low), (high * kept_sums).max(high));
    let outcomes = ((high - low) * parts + 1.0).min((sums * thresholds).max(all));
    budget.hold(outcomes as usize, LOOKED_UP_WORDS)?;
    Ok(Size {
        low,
        high,
        outcomes,
        parts,
        bits,
    })
}

/// Words that an outcome takes where values are looked up: key, ways, and room to grow.
const LOOKED_UP_WORDS: u64 = 6;

/// What is known of a distribution that was not worked out.
#[derive(Clone, Copy, Debug)]
struct Size {
    low: f64,
    high: f64,
    /// Outcomes, at most.
    outcomes: f64,
    /// What every value is a multiple of one part of; infinite where that is not known.
    parts: f64,
    /// The width of its ways.
    bits: f64,
}

fn charge(budget: &mut Budget, operations: f64, bits: f64) -> Result<(), Stop> {
    budget.widen(bits)?;
    budget.charge(operations as usize, 0)
}

/// Charges for so many products of ways of so many bits each.
fn charge_products(budget: &mut Budget, operations: f64, a: f64, b: f64) -> Result<(), Stop> {
    charge(budget, operations, a + b)?;
    // Half of either width on average, and two words multiplied a step.
    budget.take((operations * (a / 64.0) * (b / 64.0) / 8.0) as u64)
}

impl Size {
    /// Every whole number from `low` to `high`.
    fn whole(low: i64, high: i64, bits: f64) -> Self {
        let (low, high) = (low as f64, high as f64);
        Size {
            low,
            high,
            outcomes: high - low + 1.0,
            parts: 1.0,
            bits,
        }
    }

    fn constant(value: f64) -> Self {
        let parts = if value.fract() == 0.0 {
            1.0
        } else {
            1_000_000.0
        };
        Size {
            low: value,
            high: value,
            outcomes: 1.0,
            parts,
            bits: 0.0,
        }
    }

    /// Values and ways that arise from each pair of two.
    fn pair(&self, other: &Size, (low, high): (f64, f64), parts: f64) -> Size {
        let places = (high - low) * parts + 1.0;
        let outcomes = (self.outcomes * other.outcomes).min(places);
        Size {
            low,
            high,
            outcomes,
            parts,
            bits: self.bits + other.bits,
        }
    }

    /// Whether its values lie close together, so that they need not be looked up.
    fn is_dense(&self) -> bool {
        self.parts <= 1.0 && self.outcomes > 1.0 && self.high - self.low <= self.outcomes * 4.0
    }

    fn add(&self, other: &Size, budget: &mut Budget) -> Result<Size, Stop> {
        let sum = self.pair(
            other,
            (self.low + other.low, self.high + other.high),
            self.parts.max(other.parts),
        );
        if self.is_dense() && other.is_dense() {
            let operations = (self.high - self.low + 1.0) * (other.high - other.low + 1.0);
            charge_products(budget, operations, self.bits, other.bits)?;
            budget.hold((sum.high - sum.low) as usize, 0)?;
            return Ok(sum);
        }
        let shifted = (self.is_dense() && other.outcomes <= 1.0)
            || (other.is_dense() && self.outcomes <= 1.0);
        if !shifted {
            self.look_up(other, &sum, budget)?;
        }
        Ok(sum)
    }

    /// Charges for looking up the value of each pair.
    fn look_up(&self, other: &Size, result: &Size, budget: &mut Budget) -> Result<(), Stop> {
        let pairs = self.outcomes * other.outcomes;
        charge(budget, pairs * LOOK_UP as f64, result.bits)?;
        charge_products(budget, pairs, self.bits, other.bits)?;
        budget.hold(result.outcomes as usize, LOOKED_UP_WORDS)
    }

    fn multiply(&self, factor: Factor, other: &Size, budget: &mut Budget) -> Result<Size, Stop> {
        let is_product = factor == Factor::Times;
        let corners = [
            (self.low, other.low),
            (self.low, other.high),
            (self.high, other.low),
            (self.high, other.high),
        ];
        let corners = corners.map(|(a, b)| if is_product { a * b } else { a / b });
        let ends = (
            corners.into_iter().fold(f64::INFINITY, f64::min),
            corners.into_iter().fold(f64::NEG_INFINITY, f64::max),
        );
        let parts = match factor {
            Factor::Times => self.parts * other.parts,
            Factor::DivideFloor => 1.0,
            Factor::Divide if other.outcomes <= 1.0 => self.parts * other.low.abs() * other.parts,
            Factor::Divide => f64::INFINITY,
        };
        let result = self.pair(other, ends, parts);
        self.look_up(other, &result, budget)?;
        Ok(result)
    }

    /// Of the values turned round.
    fn negative(self) -> Size {
        Size {
            low: -self.high,
            high: -self.low,
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::odds::budget::STEPS_MAX;
    use crate::parse;
    use num_bigint::BigUint;

    fn is_refused(text: &str) -> bool {
        check(parse(text).expect(text).request()).is_err()
    }

    /// Odds that would take too long are never begun.
    #[test]
    fn too_much_is_known_beforehand() {
        for text in [
            &[
                "1d1000 * 1d1000 * 1d1000",
                "200d20kh100min5!",
                "1000d1000",
                "1000d1000kh999",
                "1000d6!o",
            ][..],
            &[
                "300d6!okh100",
                "20d20!pkh10",
                "100d100!!kh50",
                "500d100!kh250",
                "1000d6dl1dh1",
            ],
            &[
                "{9d100, 9d100, 9d100, 9d100, 9d100, 9d100}kh4",
                "1d1000 / 1d1000 + 1d1000 / 1d1000",
            ],
            &[
                "max(1d1000 * 1d1000, 1d1000 * 1d999)",
                "1d1000 * 1d1000 vs 1d1000 * 1d1000",
                "2d{1,1000000000}",
            ],
            &[
                "400d%b1",
                "300d%b1",
                "100d%b9",
                "50d%b9kh25",
                "10d4!pdl1",
                "12d6!pdl2",
                "30d6!pkh15",
                "1000d6kh999",
            ],
            &["1000d6ro1", "1d1000 * 1d1000"],
            // Fractions of thousands of digits take longer to be written than to be found.
            &[
                "repeat(5d10!!>5t10,100)",
                "repeat(5d4!!pmax3,100)",
                "repeat(3d6!!p>3t2,100)",
                "repeat(5d10!p>5t10,100)",
            ],
            &[
                "repeat(5d6!p>3t2 vs 15,100)",
                "repeat(3d10!!max9 vs 15,100)",
                "150d4!p>2t4",
                "400d4!!rr1kh1",
            ],
            &["repeat(8d2!!pt2,40)"],
        ]
        .concat()
        {
            assert!(is_refused(text), "{text}");
        }
    }

    /// Work that is counted as it is done is not more than was estimated, but for how often numbers
    /// turn out wider than half the widest.
    #[test]
    fn the_estimate_is_no_less_than_the_work() {
        for text in [
            &[
                "10d%b1", "8d%b1kh4", "9d%p3", "4d6!pkh2", "4d4!pdl1", "10d6ro1", "20d6kh10",
                "6d6!okh3", "60d6kh59",
            ][..],
            &["5d6!!kl2", "5d6!odl1dh1", "3d6!pdl1dh1", "9d6dl2dh3"],
        ]
        .concat()
        {
            let expression = parse(text).expect(text);
            let spent = |budget: Budget| STEPS_MAX * 2 - budget.left();
            let mut estimated = Budget::new();
            let mut worked = Budget::new();
            assert!(
                node(&expression.request().check.node, &mut estimated).is_ok(),
                "{text}"
            );
            let top = &expression.request().check.node;
            if crate::odds::dist_of::<u128>(top, &mut worked).is_err() {
                worked = Budget::new();
                assert!(
                    crate::odds::dist_of::<BigUint>(top, &mut worked).is_ok(),
                    "{text}"
                );
            }
            let (estimated, worked) = (spent(estimated), spent(worked));
            assert!(
                worked <= estimated * 2,
                "{text}: {worked} steps, estimated {estimated}"
            );
        }
    }

    /// The estimate may be high, but not so high that it refuses what takes no time.
    #[test]
    fn what_a_table_asks_for_is_not_too_much() {
        for text in [
            &[
                "1000d6",
                "1000d20",
                "1000d20 + 5",
                "100d1000",
                "100d100",
                "1000dF",
                "1d500 * 1d1000",
                "20d%b1",
            ][..],
            &[
                "100d20kh50",
                "100d6!",
                "100d6!!",
                "40d6!o",
                "20d6!okh10",
                "6d6!pkh3",
                "200d6ro1",
            ],
            &[
                "{4d6, 3d8, 2d20}kh2",
                "max(10d10, 10d10, 10d10)",
                "abs(20d20 - 20d20)",
                "1d20 / 1d20 + 1d20 / 1d20",
            ],
            &["repeat(10d6, 50)", "repeat(20d6! vs 80, 50)"],
        ]
        .concat()
        {
            assert!(!is_refused(text), "{text}");
        }
    }
}
