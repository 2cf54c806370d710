//! What is refused before the first draw.
//!
//! Interval arithmetic over the tree: each node gets the interval in which its value must lie, a
//! bound on its denominator, and whether it is pips or successes. From these follow division by
//! zero, overflow, and the mixing of types. The dice themselves are looked at in `dice`.

mod dice;
mod faces;

use crate::dice::arithmetic::{call, division_by_zero, overflow};
use crate::dice::ast::{Factor, Function, Group, ModifierKind, Node, Request, Sign, Stage, Test};
use crate::dice::error::{Code, DiceError};
use crate::dice::fraction::{Fraction, gcd};
use crate::dice::limits::Limits;
use crate::dice::span::Span;

pub(crate) use dice::{Settled, rerolled};

const LIMITS: Limits = Limits::DEFAULT;

/// What a value is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Constant,
    Pips,
    Successes,
}

/// What is known of a value before it is rolled.
#[derive(Clone, Copy, Debug)]
struct Facts {
    kind: Kind,
    low: Fraction,
    high: Fraction,
    /// A bound on the value's denominator.
    denominator: i128,
    /// Whether the denominator surely divides the bound.
    divides: bool,
}

/// What a whole request may cost.
#[derive(Clone, Copy, Debug, Default)]
struct Cost {
    dice: u64,
    /// Expected number of draws.
    draws: f64,
    /// The chance that some die reaches the limit of explosions or rerolls.
    capped: f64,
}

/// Refuses a request that must not be rolled; answers what its result is made of.
pub(crate) fn validate(request: &Request) -> Result<Kind, DiceError> {
    let mut cost = Cost::default();
    let facts = node(&request.check.node, &mut cost)?;
    if let Some(test) = &request.check.test {
        validate_test(test, facts.kind, &mut cost)?;
    }
    let span = request.check.node.span();
    let times = request.repeat.unwrap_or(1);
    if cost.dice.saturating_mul(u64::from(times)) > LIMITS.dice {
        return Err(DiceError::limit("dice", LIMITS.dice, span, "repeat(4d6kh3, 6)"));
    }
    if cost.draws * f64::from(times) > LIMITS.draws as f64 {
        return Err(DiceError::limit("draws", LIMITS.draws, span, "100d6!"));
    }
    if cost.capped > 0.0 && (cost.capped * f64::from(times)).log2() > f64::from(LIMITS.capped_log2) {
        return Err(never_ends(span, "These explosions or rerolls would hardly ever end."));
    }
    let most = Fraction::int(LIMITS.total / i64::from(times));
    for end in [facts.low, facts.high] {
        if !end.abs().compare(most).is_some_and(|order| order.is_le()) {
            return Err(overflow(span));
        }
    }
    Ok(facts.kind)
}

fn never_ends(span: Span, message: &str) -> DiceError {
    DiceError::new(
        Code::NonTerminating,
        span,
        message,
        "Explode or reroll on fewer faces, or only once (ro, !o).",
        "5d6!",
    )
}

fn validate_test(test: &Test, kind: Kind, cost: &mut Cost) -> Result<(), DiceError> {
    let Some(target) = test.node() else {
        return Ok(());
    };
    let facts = node(target, cost)?;
    join(kind, facts.kind, target.span()).map(|_| ())
}

/// The kind of two values added, compared or chosen from.
fn join(left: Kind, right: Kind, span: Span) -> Result<Kind, DiceError> {
    match (left, right) {
        (Kind::Constant, other) | (other, Kind::Constant) => Ok(other),
        (left, right) if left == right => Ok(left),
        _ => Err(DiceError::new(
            Code::TypeMix,
            span,
            "Successes cannot be mixed with the pips of other dice.",
            "Count successes on all dice, or on none; a plain number may stand beside them.",
            "5d10t8 + 2",
        )),
    }
}

impl Facts {
    fn constant(value: Fraction) -> Self {
        Facts { kind: Kind::Constant, low: value, high: value, denominator: value.bottom(), divides: true }
    }

    fn whole(kind: Kind, low: i64, high: i64) -> Self {
        Facts { kind, low: Fraction::int(low), high: Fraction::int(high), denominator: 1, divides: true }
    }

    fn negative(self) -> Self {
        Facts { low: self.high.negative(), high: self.low.negative(), ..self }
    }

    /// Checks that every value inside fits in 128 bits, and every floor in a record.
    fn checked(self, span: Span) -> Result<Self, DiceError> {
        let most = Fraction::int(LIMITS.total);
        let fits = |end: Fraction| end.abs().compare(most).is_some_and(|order| order.is_le());
        // 2^53 times the denominator, added to its like: 2^40 leaves room to compare, too.
        if fits(self.low) && fits(self.high) && self.denominator < 1 << 36 {
            return Ok(self);
        }
        Err(overflow(span))
    }

    fn denominators(self, other: Self) -> Option<(i128, bool)> {
        let divides = self.divides && other.divides;
        let product = self.denominator.checked_mul(other.denominator)?;
        let common = if divides { gcd(self.denominator, other.denominator) } else { 1 };
        Some((product / common, divides))
    }

    fn add(self, other: Self, span: Span) -> Result<Self, DiceError> {
        let kind = join(self.kind, other.kind, span)?;
        let sum = || {
            let (denominator, divides) = self.denominators(other)?;
            Some(Facts { kind, low: self.low.add(other.low)?, high: self.high.add(other.high)?, denominator, divides })
        };
        sum().ok_or_else(|| overflow(span))?.checked(span)
    }

    fn multiply(self, factor: Factor, other: Self, span: Span) -> Result<Self, DiceError> {
        let kind = join(self.kind, other.kind, span)?;
        if factor == Factor::Times {
            let result = self.corners(other, |a, b| a.multiply(b)).and_then(|(low, high)| {
                Some(Facts {
                    kind,
                    low,
                    high,
                    denominator: self.denominator.checked_mul(other.denominator)?,
                    divides: self.divides && other.divides,
                })
            });
            return result.ok_or_else(|| overflow(span))?.checked(span);
        }
        if other.low.top() <= 0 && other.high.top() >= 0 {
            return Err(division_by_zero(span));
        }
        let result = self.corners(other, |a, b| a.divide(b)).and_then(|(low, high)| {
            let largest = match other.low.abs().compare(other.high.abs())? {
                std::cmp::Ordering::Less => other.high.abs(),
                _ => other.low.abs(),
            };
            let constant = other.kind == Kind::Constant;
            let top = match constant {
                true => largest.top(),
                false => largest.multiply(Fraction::new(other.denominator, 1)?)?.ceil().top(),
            };
            Some(Facts {
                kind,
                low,
                high,
                denominator: self.denominator.checked_mul(top)?,
                divides: self.divides && constant,
            })
        });
        let quotient = result.ok_or_else(|| overflow(span))?.checked(span)?;
        match factor {
            Factor::DivideFloor => Ok(quotient.mapped(Fraction::floor)),
            _ => Ok(quotient),
        }
    }

    /// A rounding to whole numbers.
    fn mapped(self, round: impl Fn(Fraction) -> Fraction) -> Self {
        Facts { low: round(self.low), high: round(self.high), denominator: 1, divides: true, ..self }
    }

    /// The least and the greatest of an operation on the ends.
    fn corners(
        self,
        other: Self,
        operation: impl Fn(Fraction, Fraction) -> Option<Fraction>,
    ) -> Option<(Fraction, Fraction)> {
        let corners = [
            operation(self.low, other.low)?,
            operation(self.low, other.high)?,
            operation(self.high, other.low)?,
            operation(self.high, other.high)?,
        ];
        Some((call(Function::Min, &corners)?, call(Function::Max, &corners)?))
    }

    /// The interval that covers both, when one of them is chosen.
    fn either(self, other: Self, span: Span) -> Result<Self, DiceError> {
        let kind = join(self.kind, other.kind, span)?;
        let cover = || {
            let (denominator, divides) = self.denominators(other)?;
            Some(Facts {
                kind,
                low: call(Function::Min, &[self.low, other.low])?,
                high: call(Function::Max, &[self.high, other.high])?,
                denominator,
                divides,
            })
        };
        cover().ok_or_else(|| overflow(span))?.checked(span)
    }
}

fn node(node: &Node, cost: &mut Cost) -> Result<Facts, DiceError> {
    match node {
        Node::Number(number) => Facts::constant(number.value()).checked(number.span),
        Node::Variable(_) => Ok(Facts::constant(Fraction::ZERO)),
        Node::Dice(dice) => dice::dice(dice, cost),
        Node::Negative(inner) => Ok(self::node(inner, cost)?.negative()),
        Node::Labelled(inner, _) => self::node(inner, cost),
        Node::Sum(terms) => {
            let mut total = Facts::constant(Fraction::ZERO);
            for (sign, term) in terms {
                let facts = self::node(term, cost)?;
                let signed = match sign {
                    Sign::Plus => facts,
                    Sign::Minus => facts.negative(),
                };
                total = total.add(signed, term.span())?;
            }
            Ok(total)
        }
        Node::Product(factors) => {
            let mut product = Facts::constant(Fraction::int(1));
            for (factor, node) in factors {
                let facts = self::node(node, cost)?;
                product = product.multiply(*factor, facts, node.span())?;
            }
            Ok(product)
        }
        Node::Call(function, nodes, span) => function_facts(*function, nodes, *span, cost),
        Node::Group(group) => group_facts(group, cost),
    }
}

fn function_facts(function: Function, nodes: &[Node], span: Span, cost: &mut Cost) -> Result<Facts, DiceError> {
    let mut facts = Vec::with_capacity(nodes.len());
    for node in nodes {
        facts.push(self::node(node, cost)?);
    }
    let Some(first) = facts.first().copied() else {
        return Ok(Facts::constant(Fraction::ZERO));
    };
    match function {
        Function::Floor => Ok(first.mapped(Fraction::floor)),
        Function::Ceil => Ok(first.mapped(Fraction::ceil)),
        Function::Round => Ok(first.mapped(|value| value.round().unwrap_or(value))),
        Function::Abs => {
            let zero = Facts::constant(Fraction::ZERO);
            match first.low.top() < 0 {
                true if first.high.top() > 0 => {
                    let upper = first.either(first.negative(), span)?;
                    Ok(Facts { low: zero.low, ..upper })
                }
                true => Ok(first.negative()),
                false => Ok(first),
            }
        }
        Function::Min | Function::Max => {
            let mut result = first;
            for other in facts.iter().skip(1) {
                let cover = result.either(*other, span)?;
                let ends = |a, b| call(function, &[a, b]).ok_or_else(|| overflow(span));
                result = Facts { low: ends(result.low, other.low)?, high: ends(result.high, other.high)?, ..cover };
            }
            Ok(result)
        }
    }
}

fn group_facts(group: &Group, cost: &mut Cost) -> Result<Facts, DiceError> {
    let mut members = Vec::with_capacity(group.members.len());
    for member in &group.members {
        members.push(node(member, cost)?);
    }
    let Some(first) = members.first().copied() else {
        return Ok(Facts::constant(Fraction::ZERO));
    };
    let mut cover = first;
    let mut sum = first;
    for member in members.iter().skip(1) {
        cover = cover.either(*member, group.span)?;
        sum = sum.add(*member, group.span)?;
    }
    let Some(modifier) = &group.modifier else {
        return Ok(sum);
    };
    let count = i64::try_from(members.len()).unwrap_or(i64::MAX);
    if modifier.kind.stage() == Stage::Count {
        if sum.kind == Kind::Successes {
            join(Kind::Pips, Kind::Successes, modifier.span)?;
        }
        if let ModifierKind::Success(point) = &modifier.kind {
            faces::check_interval(point, cover.low, cover.high, modifier.span)?;
        }
        return Ok(Facts::whole(Kind::Successes, 0, count));
    }
    faces::check_selection(std::slice::from_ref(modifier), count)?;
    let (least, most) = faces::kept(std::slice::from_ref(modifier), count, count);
    scaled(cover, least, most, group.span)
}

/// The interval of the sum of between `least` and `most` values of one kind.
fn scaled(each: Facts, least: i64, most: i64, span: Span) -> Result<Facts, DiceError> {
    let low = if each.low.top() < 0 { most } else { least };
    let high = if each.high.top() > 0 { most } else { least };
    let ends = || {
        Some(Facts {
            low: each.low.multiply(Fraction::int(low))?,
            high: each.high.multiply(Fraction::int(high))?,
            ..each
        })
    };
    ends().ok_or_else(|| overflow(span))?.checked(span)
}
