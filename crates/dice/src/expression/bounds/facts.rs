//! Intervals: what is known of a value before it is rolled.

use crate::error::{Code, DiceError, Fault};
use crate::expression::arithmetic::{division_by_zero, overflow};
use crate::expression::tree::{Factor, Function};
use crate::fraction::{Fraction, gcd};
use crate::limits;
use crate::text::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Constant,
    Pips,
    Successes,
}

/// What is known of a value before it is rolled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    pub(super) kind: Kind,
    pub(super) low: Fraction,
    pub(super) high: Fraction,
    /// A bound on the value's denominator.
    pub(super) denominator: i128,
    /// Whether the denominator surely divides the bound.
    pub(super) divides: bool,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cost {
    pub(super) dice: u64,
    pub(super) draws: f64,
    /// The chance that some die reaches the limit of explosions or rerolls.
    pub(super) capped: f64,
}

impl Facts {
    pub(super) fn constant(value: Fraction) -> Self {
        Facts {
            kind: Kind::Constant,
            low: value,
            high: value,
            denominator: value.bottom(),
            divides: true,
        }
    }

    pub(super) fn whole(kind: Kind, low: i64, high: i64) -> Self {
        Facts {
            kind,
            low: Fraction::int(low),
            high: Fraction::int(high),
            denominator: 1,
            divides: true,
        }
    }

    pub(super) fn negative(self) -> Self {
        Facts {
            low: self.high.negative(),
            high: self.low.negative(),
            ..self
        }
    }

    /// Checks that every value inside fits in 128 bits, and every floor in a record.
    pub(super) fn checked(self, span: Span) -> Result<Self, DiceError> {
        let most = Fraction::int(limits::TOTAL);
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
        let common = if divides {
            gcd(self.denominator, other.denominator)
        } else {
            1
        };
        Some((product / common, divides))
    }

    pub(super) fn add(self, other: Self, span: Span) -> Result<Self, DiceError> {
        let ends = self.low.plus(other.low).zip(self.high.plus(other.high));
        self.joined(other, ends, span)
    }

    /// The interval that covers both, when one of them is chosen.
    pub(super) fn either(self, other: Self, span: Span) -> Result<Self, DiceError> {
        let end = |function: Function, one, another| function.apply(&[one, another]);
        let ends =
            end(Function::Min, self.low, other.low).zip(end(Function::Max, self.high, other.high));
        self.joined(other, ends, span)
    }

    /// The interval with these ends, of values over a common denominator.
    fn joined(
        self,
        other: Self,
        ends: Option<(Fraction, Fraction)>,
        span: Span,
    ) -> Result<Self, DiceError> {
        let kind = join(self.kind, other.kind, span)?;
        let facts = ends.zip(self.denominators(other));
        let facts = facts.map(|((low, high), (denominator, divides))| Facts {
            kind,
            low,
            high,
            denominator,
            divides,
        });
        facts.ok_or_else(|| overflow(span))?.checked(span)
    }

    pub(super) fn multiply(
        self,
        factor: Factor,
        other: Self,
        span: Span,
    ) -> Result<Self, DiceError> {
        let kind = join(self.kind, other.kind, span)?;
        let is_product = factor == Factor::Times;
        if !is_product && other.low.top() <= 0 && other.high.top() >= 0 {
            return Err(division_by_zero(span, other.low == other.high));
        }
        let is_constant = other.kind == Kind::Constant;
        let divides = self.divides
            && if is_product {
                other.divides
            } else {
                is_constant
            };
        let facts = || {
            let (low, high) = self.corners(
                other,
                if is_product {
                    Fraction::multiply
                } else {
                    Fraction::divide
                },
            )?;
            let largest = Function::Max.apply(&[other.low.abs(), other.high.abs()])?;
            let by = match (is_product, is_constant) {
                (true, _) => other.denominator,
                (false, true) => largest.top(),
                (false, false) => largest
                    .multiply(Fraction::new(other.denominator, 1)?)?
                    .ceil()
                    .top(),
            };
            Some(Facts {
                kind,
                low,
                high,
                denominator: self.denominator.checked_mul(by)?,
                divides,
            })
        };
        let facts = facts().ok_or_else(|| overflow(span))?.checked(span)?;
        Ok(if factor == Factor::DivideFloor {
            facts.mapped(Fraction::floor)
        } else {
            facts
        })
    }

    /// A rounding to whole numbers.
    pub(super) fn mapped(self, round: impl Fn(Fraction) -> Fraction) -> Self {
        Facts {
            low: round(self.low),
            high: round(self.high),
            denominator: 1,
            divides: true,
            ..self
        }
    }

    /// The least and the greatest of an operation on the ends.
    fn corners(self, other: Self, operation: Operation) -> Option<(Fraction, Fraction)> {
        let [low, high] = [other.low, other.high];
        let corners = [
            (self.low, low),
            (self.low, high),
            (self.high, low),
            (self.high, high),
        ];
        let corners: Option<Vec<Fraction>> =
            corners.into_iter().map(|(a, b)| operation(a, b)).collect();
        let corners = corners?;
        Some((
            Function::Min.apply(&corners)?,
            Function::Max.apply(&corners)?,
        ))
    }
}

type Operation = fn(Fraction, Fraction) -> Option<Fraction>;

/// The kind of two values added, compared or chosen from.
pub(super) fn join(left: Kind, right: Kind, span: Span) -> Result<Kind, DiceError> {
    match (left, right) {
        (Kind::Constant, other) | (other, Kind::Constant) => Ok(other),
        (left, right) if left == right => Ok(left),
        _ => Err(Fault::new(
            Code::TypeMix,
            span,
            "Successes cannot be mixed with the pips of other dice.",
        )
        .hint(
            "Count successes on all dice, or on none; a plain number may stand beside them.",
            "5d10t8 + 2",
        )),
    }
}

/// The interval of the sum of between `least` and `most` values of one kind.
pub(super) fn scaled(each: Facts, least: i64, most: i64, span: Span) -> Result<Facts, DiceError> {
    let low = if each.low.top() < 0 { most } else { least };
    let high = if each.high.top() > 0 { most } else { least };
    let ends = each
        .low
        .multiply(Fraction::int(low))
        .zip(each.high.multiply(Fraction::int(high)));
    let (low, high) = ends.ok_or_else(|| overflow(span))?;
    Facts { low, high, ..each }.checked(span)
}
