//! Conditions on a roll and a sheet: which row holds, which flag is raised. Arithmetic is exact.
//!
//! [`lowering`] prepares conditions; [`When::holds`], [`Expr::value`] evaluate them on [`facts`].

mod expr;
pub mod facts;
mod lowering;
mod measure;
mod named;

use std::borrow::Cow;

use crate::grammar::tree::Op;
use facts::Facts;
use rollbook_dice::Fraction;

pub use crate::grammar::condition::Condition as When;
pub use crate::grammar::tree::{Expr, Measure, Range, Word};
pub use lowering::Lowering;
pub use named::NamedNumber;

impl When {
    /// Whether it holds. A condition on something unknown does not.
    pub fn holds(&self, facts: &Facts) -> bool {
        self.truth_value(facts).unwrap_or(false)
    }

    fn truth_value(&self, facts: &Facts) -> Option<bool> {
        match self {
            Self::Otherwise => Some(true),
            Self::Within(what, None) => Some(what.value(facts)? != Fraction::ZERO),
            Self::Within(what, Some(range)) => range.holds(what.value(facts)?, facts),
            Self::Not(inner) => inner.truth_value(facts).map(|holds| !holds),
            Self::And(left, right) => Some(left.holds(facts) && right.holds(facts)),
            Self::Or(left, right) => Some(left.holds(facts) || right.holds(facts)),
        }
    }

    /// Its comparisons, in order.
    pub fn tests(&self) -> Vec<&When> {
        match self {
            Self::Otherwise => Vec::new(),
            Self::Within(..) => vec![self],
            Self::Not(inner) => inner.tests(),
            Self::And(left, right) | Self::Or(left, right) => {
                [left.tests(), right.tests()].concat()
            }
        }
    }

    /// For a measure that is compared with what does not depend on the roll: the measure, and the
    /// least and the largest whole number that it must be. None for other conditions.
    pub fn stretch(&self, known: &Facts) -> Option<(&Measure, i64, i64)> {
        let (measure, (low, high)) = match self {
            Self::Within(Expr::Measure(measure), None) => (measure, (1, i64::MAX)),
            Self::Within(Expr::Measure(measure), Some(range)) => {
                (measure, range.whole_numbers(known)?)
            }
            Self::Within(Expr::Binary(left, op, right), None) => {
                let Expr::Measure(measure) = &**left else {
                    return None;
                };
                let (above, below) = right.whole_numbers(known)?;
                let ends = match op {
                    Op::Equal | Op::Unequal => (above, below),
                    Op::AtLeast => (above, i64::MAX),
                    Op::More => (below.checked_add(1)?, i64::MAX),
                    Op::AtMost => (i64::MIN, below),
                    Op::Less => (i64::MIN, above.checked_sub(1)?),
                    Op::Or | Op::And | Op::Add | Op::Subtract | Op::Multiply | Op::Divide => {
                        return None;
                    }
                };
                (measure, ends)
            }
            _ => return None,
        };
        Some((measure, low, high))
    }

    /// Every measure that it asks for, in order.
    pub fn measures(&self) -> Vec<&Measure> {
        measures(self.parts())
    }

    /// Every variable that it names, in order, with its default.
    pub fn variables(&self) -> Vec<(Cow<'_, str>, Option<i64>)> {
        variables(self.parts())
    }

    fn parts(&self) -> Vec<&Expr> {
        collected(|found| self.collect(found))
    }

    fn collect<'e>(&'e self, found: &mut Vec<&'e Expr>) {
        match self {
            Self::Otherwise => {}
            Self::Within(what, range) => {
                what.collect(found);
                range.iter().for_each(|range| range.collect(found));
            }
            Self::Not(inner) => inner.collect(found),
            Self::And(left, right) | Self::Or(left, right) => {
                [left, right]
                    .into_iter()
                    .for_each(|side| side.collect(found));
            }
        }
    }
}

impl Expr {
    /// Every measure that it asks for, in order.
    pub fn measures(&self) -> Vec<&Measure> {
        measures(collected(|found| self.collect(found)))
    }

    /// Every variable that it names, in order, with its default.
    pub fn variables(&self) -> Vec<(Cow<'_, str>, Option<i64>)> {
        variables(collected(|found| self.collect(found)))
    }
}

impl Range {
    /// Every measure that it asks for, in order.
    pub fn measures(&self) -> Vec<&Measure> {
        measures(collected(|found| self.collect(found)))
    }

    /// Every variable that it names, in order, with its default.
    pub fn variables(&self) -> Vec<(Cow<'_, str>, Option<i64>)> {
        variables(collected(|found| self.collect(found)))
    }
}

fn collected<'e>(collect: impl FnOnce(&mut Vec<&'e Expr>)) -> Vec<&'e Expr> {
    let mut found = Vec::new();
    collect(&mut found);
    found
}

fn measures(parts: Vec<&Expr>) -> Vec<&Measure> {
    let measures = parts.into_iter().filter_map(|part| {
        if let Expr::Measure(measure) = part {
            Some(measure)
        } else {
            None
        }
    });
    measures.collect()
}

fn variables(parts: Vec<&Expr>) -> Vec<(Cow<'_, str>, Option<i64>)> {
    let names = parts.into_iter().filter_map(|part| {
        if let Expr::Ref(name) = part {
            Some(name)
        } else {
            None
        }
    });
    names
        .map(|name| (name.lookup_name(), name.default))
        .collect()
}
