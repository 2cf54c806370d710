//! What is known of a dice term before it is rolled, and the refusals that modifiers share.

use crate::compare::{ComparePoint, Comparison};
use crate::die::Faces;
use crate::error::{Code, DiceError, Fault};
use crate::fraction::Fraction;
use crate::text::Span;
use std::cmp::Ordering;

pub(crate) struct Bounds<'a> {
    pub(crate) faces: Faces<'a>,
    pub(crate) span: Span,
    pub(crate) is_percentile: bool,
    pub(crate) rerolls: bool,
    pub(crate) explodes: bool,
    /// Whether a die is worth the face that it shows: it neither explodes nor is clamped, and has no bonus dice.
    pub(crate) is_natural: bool,
    /// The least and the greatest value of one die, as far as it is known when the modifier acts.
    pub(crate) values: (i64, i64),
}

impl Bounds<'_> {
    /// Refuses a condition on natural faces that none or all of them meet.
    pub(crate) fn check_faces(&self, point: &ComparePoint, span: Span) -> Result<(), DiceError> {
        match self.faces.iter().filter(|face| point.matches(*face)).count() {
            0 => Err(no_effect(span, "No face of this die meets this condition.")),
            all if all == self.faces.len() => Err(no_effect(span, "Every face of this die meets this condition.")),
            _ => Ok(()),
        }
    }

    /// Refuses a condition on values that none or all of them meet.
    pub(crate) fn check_values(&self, point: &ComparePoint, span: Span) -> Result<(), DiceError> {
        if self.is_natural && !self.rerolls {
            return self.check_faces(point, span);
        }
        let (low, high) = self.values;
        check_interval(point, Fraction::int(low), Fraction::int(high), span)
    }
}

/// Refuses a comparison that no number, or every number, of an interval meets.
pub(crate) fn check_interval(point: &ComparePoint, low: Fraction, high: Fraction, span: Span) -> Result<(), DiceError> {
    let value = Fraction::int(point.value.get());
    let (Some(low), Some(high)) = (low.compare(value), high.compare(value)) else { return Ok(()) };
    let inside = low != Ordering::Greater && high != Ordering::Less;
    let single = low == Ordering::Equal && high == Ordering::Equal;
    let (never, always) = match point.comparison {
        Comparison::Equal => (!inside, single),
        Comparison::NotEqual => (single, !inside),
        Comparison::Less => (low.is_ge(), high.is_lt()),
        Comparison::AtMost => (low.is_gt(), high.is_le()),
        Comparison::Greater => (high.is_le(), low.is_gt()),
        Comparison::AtLeast => (high.is_lt(), low.is_ge()),
    };
    match (never, always) {
        (true, _) => Err(no_effect(span, "Nothing here can meet this condition.")),
        (_, true) => Err(no_effect(span, "Everything here meets this condition.")),
        _ => Ok(()),
    }
}

pub(crate) fn no_effect(span: Span, message: &str) -> DiceError {
    Fault::new(Code::NoEffect, span, message)
        .hint("Leave it out, or write a number that some faces meet and others do not.", "5d10t8")
}

pub(crate) fn never_ends(span: Span, message: &str) -> DiceError {
    Fault::new(Code::NonTerminating, span, message)
        .hint("Explode or reroll on fewer faces, or only once (ro, !o).", "5d6!")
}
