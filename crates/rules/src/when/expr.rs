//! The values of expressions and ranges.

use std::cmp::Ordering;

use super::facts::Facts;
use crate::grammar::tree::{Among, Expr, Function, Op, Range, Which};
use rollbook_dice::Fraction;
use rollbook_text::names::fold;

fn truth(holds: bool) -> Fraction {
    Fraction::from(i64::from(holds))
}

impl Expr {
    /// Its value; none with an unknown name, a divisor of zero, too large a number, or dice.
    pub fn value(&self, facts: &Facts) -> Option<Fraction> {
        match self {
            Self::Number(number) => Some(Fraction::from(*number)),
            Self::Ref(name) => facts
                .values
                .get(&fold(&name.lookup_name()))
                .copied()
                .or(name.default)
                .map(Fraction::from),
            Self::Measure(measure) => measure.value(facts).map(Fraction::from),
            Self::Minus(inner) => inner.value(facts).map(Fraction::negative),
            Self::Not(inner) => inner
                .value(facts)
                .map(|value| truth(value == Fraction::ZERO)),
            Self::Binary(left, op, right) => binary(*op, left.value(facts)?, right.value(facts)?),
            Self::Call(function, arguments) => call(*function, arguments, facts),
            Self::Dice(_) | Self::Group(..) => None,
        }
    }

    /// Its value rounded up and down, where it does not depend on the roll.
    pub(super) fn whole_numbers(&self, known: &Facts) -> Option<(i64, i64)> {
        let value = self.value(known).filter(|_| self.measures().is_empty())?;
        value.ceil().whole().zip(value.floor().whole())
    }

    /// Collects its names and measures.
    pub(super) fn collect<'a>(&'a self, found: &mut Vec<&'a Expr>) {
        match self {
            Self::Number(_) | Self::Dice(_) | Self::Group(..) => {}
            Self::Ref(_) => found.push(self),
            Self::Measure(measure) => {
                found.push(self);
                match measure.among() {
                    Some(Among::Dice {
                        which: Some(Which::Highest(amount) | Which::Lowest(amount)),
                        ..
                    }) => {
                        amount.collect(found);
                    }
                    Some(Among::Dice {
                        which: Some(Which::Showing(range)),
                        ..
                    }) => range.collect(found),
                    _ => {}
                }
            }
            Self::Minus(inner) | Self::Not(inner) => inner.collect(found),
            Self::Binary(left, _, right) => [left, right]
                .into_iter()
                .for_each(|side| side.collect(found)),
            Self::Call(_, arguments) => arguments
                .iter()
                .for_each(|argument| argument.collect(found)),
        }
    }
}

impl Range {
    /// Whether a number is in the range; none when a bound is not known.
    pub fn holds(&self, what: Fraction, facts: &Facts) -> Option<bool> {
        let compared = |bound: &Expr| what.compare(bound.value(facts)?);
        Some(match self {
            Range::Exactly(bound) => compared(bound)? == Ordering::Equal,
            Range::Between(low, high) => {
                compared(low)? != Ordering::Less && compared(high)? != Ordering::Greater
            }
            Range::AtLeast(bound) => compared(bound)? != Ordering::Less,
            Range::AtMost(bound) => compared(bound)? != Ordering::Greater,
        })
    }

    /// The least and the largest whole number in it, where its bounds do not depend on the roll.
    pub fn whole_numbers(&self, known: &Facts) -> Option<(i64, i64)> {
        Some(match self {
            Range::Exactly(bound) => bound.whole_numbers(known)?,
            Range::Between(low, high) => {
                (low.whole_numbers(known)?.0, high.whole_numbers(known)?.1)
            }
            Range::AtLeast(bound) => (bound.whole_numbers(known)?.0, i64::MAX),
            Range::AtMost(bound) => (i64::MIN, bound.whole_numbers(known)?.1),
        })
    }

    pub(super) fn collect<'a>(&'a self, found: &mut Vec<&'a Expr>) {
        match self {
            Range::Between(low, high) => [low, high]
                .into_iter()
                .for_each(|bound| bound.collect(found)),
            Range::Exactly(bound) | Range::AtLeast(bound) | Range::AtMost(bound) => {
                bound.collect(found)
            }
        }
    }
}

fn binary(op: Op, left: Fraction, right: Fraction) -> Option<Fraction> {
    let is = |fits: fn(Ordering) -> bool| left.compare(right).map(fits).map(truth);
    match op {
        Op::Or => Some(truth(left != Fraction::ZERO || right != Fraction::ZERO)),
        Op::And => Some(truth(left != Fraction::ZERO && right != Fraction::ZERO)),
        Op::Equal => is(Ordering::is_eq),
        Op::Unequal => is(Ordering::is_ne),
        Op::Less => is(Ordering::is_lt),
        Op::AtMost => is(Ordering::is_le),
        Op::More => is(Ordering::is_gt),
        Op::AtLeast => is(Ordering::is_ge),
        Op::Add => left.plus(right),
        Op::Subtract => left.plus(right.negative()),
        Op::Multiply => left.multiply(right),
        Op::Divide => left.divide(right),
    }
}

fn call(function: Function, arguments: &[Expr], facts: &Facts) -> Option<Fraction> {
    if let (Function::If, [condition, yes, no]) = (function, arguments) {
        return if condition.value(facts)? == Fraction::ZERO {
            no.value(facts)
        } else {
            yes.value(facts)
        };
    }
    let values: Vec<Fraction> = arguments
        .iter()
        .map(|argument| argument.value(facts))
        .collect::<Option<_>>()?;
    function.apply(&values)
}
