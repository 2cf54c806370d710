//! A quantity and the range it must lie in.

use super::expr::{Expr, Range};
use super::facts::Facts;
use super::quantity::Measure;

/// Something that must lie in a range.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// What is looked at.
    pub what: Expr,
    /// Where it must lie.
    pub range: Range,
    /// Whether it must lie outside of it.
    pub is_not: bool,
}

impl Condition {
    /// Whether it holds; none when something it looks at is not known.
    pub fn holds(&self, facts: &Facts) -> Option<bool> {
        Some(self.range.holds(self.what.value(facts)?, facts)? != self.is_not)
    }

    /// The number from which on it makes no difference how large a measure is that is compared with what the roll cannot
    /// change: 2 for `10s 2+`, 3 for `10s {nerve} or less` where that is known to be 2. None of anything else.
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
        self.range.collect(measures, names);
    }
}
