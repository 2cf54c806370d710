//! A quantity and the range it must lie in.

use std::cmp::Ordering;

use super::expr::Expr;
use super::facts::Facts;
use super::quantity::{Measure, Quantity};
use crate::dice::Fraction;

/// Something that must lie in a range.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// What is looked at.
    pub what: Expr,
    /// Where it must lie.
    pub range: Range,
}

/// Where a quantity must lie. Every bound is an expression; a literal is the simplest one.
#[derive(Debug, Clone, PartialEq)]
pub enum Range {
    /// Anything but zero.
    NonZero,
    /// This.
    Exactly(Expr),
    /// From the first to the second, both included.
    Between(Expr, Expr),
    /// This or more.
    AtLeast(Expr),
    /// This or less.
    AtMost(Expr),
    /// More than this.
    MoreThan(Expr),
    /// Less than this.
    LessThan(Expr),
}

impl Condition {
    /// Whether it holds; none when something it looks at is not known.
    pub fn holds(&self, facts: &Facts) -> Option<bool> {
        self.holds_of(self.what.value(facts)?, facts)
    }

    /// Whether this number lies where it must.
    pub(super) fn holds_of(&self, what: Fraction, facts: &Facts) -> Option<bool> {
        let compared = |bound: &Expr| what.compare(bound.value(facts)?);
        Some(match &self.range {
            Range::NonZero => what != Fraction::ZERO,
            Range::Exactly(bound) => compared(bound)? == Ordering::Equal,
            Range::Between(low, high) => compared(low)? != Ordering::Less && compared(high)? != Ordering::Greater,
            Range::AtLeast(bound) => compared(bound)? != Ordering::Less,
            Range::AtMost(bound) => compared(bound)? != Ordering::Greater,
            Range::MoreThan(bound) => compared(bound)? == Ordering::Greater,
            Range::LessThan(bound) => compared(bound)? == Ordering::Less,
        })
    }

    /// The width or the height of the widest set, where nothing else is looked at.
    pub(super) fn of_set(&self) -> Option<&Measure> {
        match &self.what {
            Expr::Measure(own) if matches!(own.quantity, Quantity::Width(0) | Quantity::Height(0)) => Some(own),
            _ => None,
        }
    }

    /// The number from which on it makes no difference how large a measure is that is compared with what the roll cannot
    /// change: 2 for `tens 2+`, 3 for `tens at most {nerve}` where that is known to be 2. None of anything else.
    pub(super) fn same_from(&self, known: &Facts) -> Option<usize> {
        let Expr::Measure(_) = self.what else { return None };
        // The first whole number that is not below this, or that is above it.
        let number = |bound: &Expr, above: bool| {
            let number = bound.fixed(known)?;
            let whole = if above { number.floor().whole()?.checked_add(1)? } else { number.ceil().whole()? };
            Some(usize::try_from(whole).unwrap_or(0))
        };
        match &self.range {
            Range::NonZero => Some(1),
            Range::Exactly(bound) | Range::AtMost(bound) | Range::MoreThan(bound) => number(bound, true),
            Range::AtLeast(bound) | Range::LessThan(bound) => number(bound, false),
            Range::Between(low, high) => Some(number(low, false)?.max(number(high, true)?)),
        }
    }

    pub(super) fn collect<'a>(&'a self, measures: &mut Vec<&'a Measure>, names: &mut Vec<(&'a str, Option<i64>)>) {
        self.what.collect(measures, names);
        match &self.range {
            Range::NonZero => {}
            Range::Between(low, high) => {
                low.collect(measures, names);
                high.collect(measures, names);
            }
            Range::Exactly(bound)
            | Range::AtLeast(bound)
            | Range::AtMost(bound)
            | Range::MoreThan(bound)
            | Range::LessThan(bound) => bound.collect(measures, names),
        }
    }
}
