//! What every kind of modifier says of itself: when it acts, how it is written, printed and checked.

use crate::compare::{ComparePoint, Comparison, Int};
use crate::error::DiceError;
use crate::modifiers::bounds::Bounds;
use crate::text::Span;

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
        Spelling { word, form, example, for_groups: false }
    }

    /// The same, also for groups.
    pub(crate) const fn of_groups(self) -> Self {
        Spelling { for_groups: true, ..self }
    }
}
