//! What is done with dice after they are drawn.

use crate::dice::compare::{ComparePoint, Int};
use crate::dice::span::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Highest,
    Lowest,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Explosion {
    /// Each extra die stands by itself and may explode again.
    Each,
    /// One extra die, which does not explode.
    Once,
    /// Extra faces are added to the die.
    Compound,
}

/// What is done with dice after they are drawn.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Modifier {
    pub(crate) kind: ModifierKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ModifierKind {
    Keep(End, Int),
    KeepWhere(ComparePoint),
    Drop(End, Int),
    DropWhere(ComparePoint),
    RerollOnce(ComparePoint),
    RerollUntil(ComparePoint),
    Explode {
        explosion: Explosion,
        /// Each extra die counts one less.
        penetrating: bool,
        /// `None`: on the highest face.
        point: Option<ComparePoint>,
    },
    Minimum(Int),
    Maximum(Int),
    Success(ComparePoint),
    Even,
    Odd,
    Failure(ComparePoint),
    Double(ComparePoint),
    /// Bonus dice, or penalty dice when negative, of a percentile die.
    Bonus(Int),
    Penalty(Int),
    Crit(ComparePoint),
    Fumble(ComparePoint),
    SortAscending,
    SortDescending,
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

impl ModifierKind {
    pub(crate) fn stage(&self) -> Stage {
        match self {
            ModifierKind::Bonus(_) | ModifierKind::Penalty(_) => Stage::Draw,
            ModifierKind::RerollOnce(_) | ModifierKind::RerollUntil(_) => Stage::Reroll,
            ModifierKind::Explode { .. } => Stage::Explode,
            ModifierKind::Minimum(_) | ModifierKind::Maximum(_) => Stage::Clamp,
            ModifierKind::Keep(..)
            | ModifierKind::KeepWhere(_)
            | ModifierKind::Drop(..)
            | ModifierKind::DropWhere(_) => Stage::Keep,
            ModifierKind::Success(_)
            | ModifierKind::Even
            | ModifierKind::Odd
            | ModifierKind::Failure(_)
            | ModifierKind::Double(_) => Stage::Count,
            ModifierKind::Crit(_)
            | ModifierKind::Fumble(_)
            | ModifierKind::SortAscending
            | ModifierKind::SortDescending => Stage::Show,
        }
    }

    /// The modifier's integer, if it has one, for binding.
    pub(crate) fn int_mut(&mut self) -> Option<&mut Int> {
        match self {
            ModifierKind::Keep(_, int)
            | ModifierKind::Drop(_, int)
            | ModifierKind::Minimum(int)
            | ModifierKind::Maximum(int)
            | ModifierKind::Bonus(int)
            | ModifierKind::Penalty(int) => Some(int),
            ModifierKind::KeepWhere(point)
            | ModifierKind::DropWhere(point)
            | ModifierKind::RerollOnce(point)
            | ModifierKind::RerollUntil(point)
            | ModifierKind::Success(point)
            | ModifierKind::Failure(point)
            | ModifierKind::Double(point)
            | ModifierKind::Crit(point)
            | ModifierKind::Fumble(point) => Some(&mut point.value),
            ModifierKind::Explode { point, .. } => point.as_mut().map(|point| &mut point.value),
            ModifierKind::Even | ModifierKind::Odd | ModifierKind::SortAscending | ModifierKind::SortDescending => None,
        }
    }
}
