//! What every kind of modifier says of itself: when it acts, how it is written, printed and
//! checked, and against what.

use crate::compare::{ComparePoint, Comparison, Int};
use crate::die::Faces;
use crate::error::{Code, DiceError, Fault};
use crate::fraction::Fraction;
use crate::text::Span;
use std::cmp::Ordering;

/// A kind of modifier. How it acts and what it means for odds is beside it in its file.
pub(crate) trait Rule: Sized + 'static {
    /// When it acts.
    const STAGE: Stage;
    /// Every way to write one; the parser, near misses and the grammar read this.
    const SPELLINGS: &'static [Spelling<Self>];

    /// Appends its canonical text.
    fn print(&self, out: &mut String);

    /// Its integer, if it has one, for binding.
    fn int_mut(&mut self) -> Option<&mut Int> {
        None
    }

    /// Whether it must not follow another of its kind.
    fn repeats(&self, _earlier: &Self) -> bool {
        true
    }

    /// Refuses what never ends or changes nothing.
    fn check(&self, _bounds: &Bounds<'_>, _span: Span) -> Result<(), DiceError> {
        Ok(())
    }
}

/// The fixed stages in which modifiers act, whatever the written order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stage {
    Draw,
    Reroll,
    Explode,
    Clamp,
    Keep,
    Count,
    Show,
}

impl Stage {
    /// What is done in it.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Stage::Draw => "drawing",
            Stage::Reroll => "rerolling",
            Stage::Explode => "exploding",
            Stage::Clamp => "raising and lowering",
            Stage::Keep => "keeping and dropping",
            Stage::Count => "counting",
            Stage::Show => "sorting",
        }
    }
}

pub(crate) struct Spelling<M> {
    pub(crate) word: &'static str,
    pub(crate) form: Form<M>,
    /// A text that shows it, where its number is missing.
    pub(crate) example: &'static str,
    /// Whether the sub-totals of a group take it, too.
    pub(crate) for_groups: bool,
}

/// What follows the word of a modifier, and what comes of both.
pub(crate) enum Form<M> {
    /// Nothing: `even`.
    Bare(fn() -> M),
    /// A number: `min3`.
    Number(fn(Int) -> M),
    /// A number, and only after a percentile die: `b2`.
    OfPercentile(fn(Int) -> M),
    /// How many, else one: `kh3`.
    HowMany(fn(Int) -> M),
    /// How many, else one, or a comparison: `k3`, `k>4`.
    HowManyOrPoint(fn(Int) -> M, fn(ComparePoint) -> M),
    /// A comparison; what a number by itself means comes first: `t8`, `t>8`.
    Point(Comparison, fn(ComparePoint) -> M),
    /// A comparison, a number that must be met exactly, or nothing: `!>4`, `!5`, `!`.
    AnyPoint(fn(Option<ComparePoint>) -> M),
}

impl<M> Spelling<M> {
    pub(crate) const fn new(word: &'static str, form: Form<M>, example: &'static str) -> Self {
        Spelling {
            word,
            form,
            example,
            for_groups: false,
        }
    }

    /// The same, also for groups.
    pub(crate) const fn of_groups(self) -> Self {
        Spelling {
            for_groups: true,
            ..self
        }
    }
}

pub(crate) struct Bounds<'a> {
    pub(crate) faces: Faces<'a>,
    pub(crate) span: Span,
    pub(crate) is_percentile: bool,
    pub(crate) rerolls: bool,
    pub(crate) explodes: bool,
    /// Whether a die is worth its face: it neither explodes nor is clamped, and has no bonus dice.
    pub(crate) is_natural: bool,
    /// The least and the greatest value of one die, as far as it is known when the modifier acts.
    pub(crate) values: (i64, i64),
}

impl Bounds<'_> {
    /// Refuses a condition on natural faces that none or all of them meet.
    pub(crate) fn check_faces(&self, point: &ComparePoint, span: Span) -> Result<(), DiceError> {
        match self
            .faces
            .iter()
            .filter(|face| point.matches(*face))
            .count()
        {
            0 => Err(no_effect(span, "No face of this die meets this condition.")),
            all if all == self.faces.len() => Err(no_effect(
                span,
                "Every face of this die meets this condition.",
            )),
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
pub(crate) fn check_interval(
    point: &ComparePoint,
    low: Fraction,
    high: Fraction,
    span: Span,
) -> Result<(), DiceError> {
    let value = Fraction::int(point.value.get());
    let (Some(low), Some(high)) = (low.compare(value), high.compare(value)) else {
        return Ok(());
    };
    let orders = [
        (Ordering::Less, low.is_lt()),
        (Ordering::Equal, low.is_le() && high.is_ge()),
        (Ordering::Greater, high.is_gt()),
    ];
    let mut met = orders
        .into_iter()
        .filter(|(_, may)| *may)
        .map(|(order, _)| point.comparison.holds(order));
    let first = met.next();
    match first {
        Some(first) if met.any(|other| other != first) => Ok(()),
        Some(true) => Err(no_effect(span, "Everything here meets this condition.")),
        _ => Err(no_effect(span, "Nothing here can meet this condition.")),
    }
}

pub(crate) fn no_effect(span: Span, message: &str) -> DiceError {
    Fault::new(Code::NoEffect, span, message).hint(
        "Leave it out, or write a number that some faces meet and others do not.",
        "5d10t8",
    )
}

pub(crate) fn never_ends(span: Span, message: &str) -> DiceError {
    Fault::new(Code::NonTerminating, span, message).hint(
        "Explode or reroll on fewer faces, or only once (ro, !o).",
        "5d6!",
    )
}
