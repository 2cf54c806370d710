//! Arithmetic of values, and its refusals.

use crate::compare::Comparison;
use crate::error::{Code, DiceError, Fault, Rewrite};
use crate::expression::tree::{Factor, Function};
use crate::fraction::Fraction;
use crate::text::Span;
use std::cmp::Ordering;

/// `product * value` or `product / value`; `None` when it is too large or a division by zero.
pub(crate) fn multiply(product: Fraction, factor: Factor, value: Fraction) -> Option<Fraction> {
    match factor {
        Factor::Times => product.multiply(value),
        Factor::Divide => product.divide(value),
        Factor::DivideFloor => product.divide(value).map(Fraction::floor),
    }
}

impl Function {
    /// Its value for these arguments; `None` without any, and when it is too large.
    pub fn apply(self, values: &[Fraction]) -> Option<Fraction> {
        let first = values.first().copied()?;
        let is_true = |value: &Fraction| *value != Fraction::ZERO;
        let truth = |holds: bool| Some(Fraction::int(i64::from(holds)));
        let extreme = |wanted: Ordering| {
            values.iter().try_fold(first, |best, value| {
                Some(if value.compare(best)? == wanted {
                    *value
                } else {
                    best
                })
            })
        };
        match self {
            Function::Floor => Some(first.floor()),
            Function::Ceil => Some(first.ceil()),
            Function::Round => first.round(),
            Function::Abs => Some(first.abs()),
            Function::Min => extreme(Ordering::Less),
            Function::Max => extreme(Ordering::Greater),
            Function::Mod => {
                let by = *values.get(1)?;
                let times = first.divide(by)?.floor();
                first.plus(times.multiply(by)?.negative())
            }
            Function::If => values.get(if is_true(&first) { 1 } else { 2 }).copied(),
            Function::Not => truth(!is_true(&first)),
            Function::And => truth(values.iter().all(is_true)),
            Function::Or => truth(values.iter().any(is_true)),
            Function::Compare(comparison) => truth(holds(first, comparison, *values.get(1)?)),
        }
    }
}

pub(crate) fn holds(value: Fraction, comparison: Comparison, target: Fraction) -> bool {
    value
        .compare(target)
        .is_some_and(|ordering| comparison.holds(ordering))
}

pub(crate) fn overflow(span: Span) -> DiceError {
    Fault::new(
        Code::Overflow,
        span,
        "The result could become too large to stay exact.",
    )
    .hint("Use smaller numbers.", "10d10 * 100")
}

/// The refusal of a divisor of zero, or that lies between a lowest and a highest value around zero.
pub(crate) fn division_by_zero(span: Span, certain: bool) -> DiceError {
    let range = span.range();
    let message = if certain {
        "This divides by zero."
    } else {
        "This may divide by zero: the divisor can lie on both sides of it."
    };
    Fault::new(Code::DivZero, span, message)
        .hint("Divide by something that can never be zero.", "2d6 / 2")
        .offering(Rewrite::new("to halve it").replace(range, "2"))
}
