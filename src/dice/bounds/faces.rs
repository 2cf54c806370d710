//! Conditions that decide nothing, and selections that cannot be made.

use crate::dice::ast::{End, Modifier, ModifierKind, Stage};
use crate::dice::compare::{ComparePoint, Comparison};
use crate::dice::die::Faces;
use crate::dice::error::{Code, DiceError, Rewrite};
use crate::dice::fraction::Fraction;
use crate::dice::span::Span;
use std::cmp::Ordering;

pub(super) fn no_effect(span: Span, message: impl Into<String>) -> DiceError {
    DiceError::new(
        Code::NoEffect,
        span,
        message,
        "Leave it out, or write a number that some faces meet and others do not.",
        "5d10t8",
    )
}

/// Refuses a comparison that no number, or every number, of an interval meets.
pub(super) fn check_interval(point: &ComparePoint, low: Fraction, high: Fraction, span: Span) -> Result<(), DiceError> {
    let value = Fraction::int(point.value.get());
    let (Some(low), Some(high)) = (low.compare(value), high.compare(value)) else {
        return Ok(());
    };
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

fn invalid_keep(span: Span, message: &str, hint: &str) -> DiceError {
    DiceError::new(Code::InvalidKeep, span, message, hint, "4d6kh3")
}

/// Refuses selections that contradict each other or the number of dice (or members).
pub(super) fn check_selection(modifiers: &[Modifier], count: i64) -> Result<(), DiceError> {
    let mut dropped = 0;
    let mut earlier: Option<&ModifierKind> = None;
    for modifier in modifiers.iter().filter(|modifier| modifier.kind.stage() == Stage::Keep) {
        let span = modifier.span;
        if let Some(earlier) = earlier {
            check_pair(earlier, &modifier.kind, span)?;
        }
        earlier = Some(&modifier.kind);
        match &modifier.kind {
            ModifierKind::Keep(_, kept) | ModifierKind::Drop(_, kept) if kept.get() < 1 => {
                return Err(invalid_keep(
                    span,
                    "Keep or drop at least one.",
                    "Write a number from 1, or leave the modifier out.",
                ));
            }
            ModifierKind::Keep(_, kept) if kept.get() > count => {
                let refusal =
                    invalid_keep(span, "More would be kept than are rolled.", "Roll more dice or keep fewer.");
                return Err(refusal.offering(Rewrite::new("to keep them all").delete(span.range())));
            }
            ModifierKind::Drop(_, drop) => {
                dropped += drop.get();
                if dropped >= count {
                    return Err(invalid_keep(span, "Every die would be dropped.", "Roll more dice or drop fewer."));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn check_pair(earlier: &ModifierKind, later: &ModifierKind, span: Span) -> Result<(), DiceError> {
    let hint = "Write one of the two.";
    match (earlier, later) {
        (ModifierKind::KeepWhere(_), ModifierKind::KeepWhere(_))
        | (ModifierKind::DropWhere(_), ModifierKind::DropWhere(_))
        | (ModifierKind::Drop(End::Highest, _), ModifierKind::Drop(End::Lowest, _))
        | (ModifierKind::Drop(End::Lowest, _), ModifierKind::Drop(End::Highest, _)) => Ok(()),
        (ModifierKind::Keep(a, _), ModifierKind::Keep(b, _)) | (ModifierKind::Drop(a, _), ModifierKind::Drop(b, _))
            if a == b =>
        {
            Err(DiceError::new(Code::Duplicate, span, "The same keep or drop is written twice.", hint, "4d6kh3"))
        }
        (ModifierKind::Keep(..), ModifierKind::Keep(..)) => {
            Err(invalid_keep(span, "Highest and lowest cannot both be kept.", hint))
        }
        _ => Err(invalid_keep(span, "These ways to keep and drop contradict each other.", hint)),
    }
}

/// The least and the greatest number of dice kept, when between `least` and `most` are rolled.
pub(super) fn kept(modifiers: &[Modifier], least: i64, most: i64) -> (i64, i64) {
    let mut range = (least, most);
    for modifier in modifiers {
        range = match &modifier.kind {
            ModifierKind::Keep(_, count) => (range.0.min(count.get()), range.1.min(count.get())),
            ModifierKind::Drop(_, count) => ((range.0 - count.get()).max(0), (range.1 - count.get()).max(0)),
            ModifierKind::KeepWhere(_) | ModifierKind::DropWhere(_) => (0, range.1),
            _ => range,
        };
    }
    range
}

/// Refuses a condition on natural faces that none or all of them meet.
pub(super) fn some_faces(faces: Faces<'_>, point: &ComparePoint, modifier: &Modifier) -> Result<(), DiceError> {
    let meeting = faces.iter().filter(|face| point.matches(*face)).count();
    if meeting == 0 {
        return Err(no_effect(modifier.span, "No face of this die meets this condition."));
    }
    if meeting == faces.len() {
        return Err(no_effect(modifier.span, "Every face of this die meets this condition."));
    }
    Ok(())
}
