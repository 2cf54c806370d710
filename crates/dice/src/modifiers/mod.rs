//! What is done with dice after they are drawn.
//!
//! One file a kind of modifier, with all that is known of it. The table below is the only list. A
//! new one is a file with a [`Rule`], a line in the table, and a call where its stage is rolled;
//! `tests::modifiers` names a spelling that does nothing, or whose odds are not those of its rolls.
//!
//! 1. [`rule`]: what every kind says of itself; what is known of a term before its roll.
//! 2. [`bonus`], [`reroll`], [`explode`], [`clamp`], [`keep`], [`count`], [`mark`], [`sort`], [`unique`]:
//!    the kinds, in the order of their stages. None of them knows another.

pub(crate) mod bonus;
pub(crate) mod clamp;
pub(crate) mod count;
pub(crate) mod explode;
pub(crate) mod keep;
pub(crate) mod mark;
pub(crate) mod reroll;
mod rule;
pub(crate) mod sort;
pub(crate) mod unique;

use crate::compare::Int;
use crate::error::DiceError;
use crate::modifiers::bonus::Tens;
use crate::modifiers::clamp::Clamp;
use crate::modifiers::count::Counting;
use crate::modifiers::explode::Explode;
use crate::modifiers::keep::Selection;
use crate::modifiers::mark::Mark;
use crate::modifiers::reroll::Reroll;
use crate::modifiers::sort::Sort;
use crate::modifiers::unique::Unique;
use crate::text::Span;

pub(crate) use rule::{Bounds, Form, Rule, Spelling, Stage, check_interval, never_ends, no_effect};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Modifier {
    pub(crate) kind: ModifierKind,
    pub(crate) span: Span,
}

/// A word that a modifier begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) text: &'static str,
    /// Where it is in the table.
    place: usize,
    /// Whether it belongs to percentile dice alone.
    pub(crate) of_percentile: bool,
    pub(crate) for_groups: bool,
}

/// Reads what is after the word of a modifier.
pub(crate) trait ReadForm {
    fn read<M>(&mut self, spelling: &Spelling<M>) -> Result<M, DiceError>;
}

/// A kind of modifier that is in the table.
pub(crate) trait Listed: Rule {
    fn from_kind(kind: &ModifierKind) -> Option<&Self>;
}

/// Makes the enum of all kinds from the table, and every match over it.
macro_rules! table {
    ($($name:ident($rule:ty),)+) => {
        #[derive(Clone, Debug, PartialEq)]
        pub(crate) enum ModifierKind {
            $($name($rule),)+
        }

        $(impl Listed for $rule {
            fn from_kind(kind: &ModifierKind) -> Option<&Self> {
                if let ModifierKind::$name(rule) = kind { Some(rule) } else { None }
            }
        })+

        impl ModifierKind {
            pub(crate) fn stage(&self) -> Stage {
                match self {
                    $(ModifierKind::$name(_) => <$rule>::STAGE,)+
                }
            }

            pub(crate) fn print(&self, out: &mut String) {
                match self {
                    $(ModifierKind::$name(rule) => rule.print(out),)+
                }
            }

            pub(crate) fn int_mut(&mut self) -> Option<&mut Int> {
                match self {
                    $(ModifierKind::$name(rule) => rule.int_mut(),)+
                }
            }

            pub(crate) fn repeats(&self, earlier: &ModifierKind) -> bool {
                match earlier {
                    $(ModifierKind::$name(earlier) => <$rule>::from_kind(self).is_some_and(|rule| rule.repeats(earlier)),)+
                }
            }

            pub(crate) fn check(&self, bounds: &Bounds<'_>, span: Span) -> Result<(), DiceError> {
                match self {
                    $(ModifierKind::$name(rule) => rule.check(bounds, span),)+
                }
            }

            pub(crate) fn read(word: Word, reader: &mut impl ReadForm) -> Option<Result<Self, DiceError>> {
                let place = word.place;
                $(let Some(place) = place.checked_sub(<$rule>::SPELLINGS.len()) else {
                    let spelling = <$rule>::SPELLINGS.get(place)?;
                    return Some(reader.read(spelling).map(ModifierKind::$name));
                };)+
                let _ = place;
                None
            }
        }

        /// Every word that a modifier begins with.
        pub(crate) fn words() -> impl Iterator<Item = Word> {
            let words = std::iter::empty()$(.chain(<$rule>::SPELLINGS.iter().map(Word::new)))+;
            words.enumerate().map(|(place, word)| Word { place, ..word })
        }
    };
}

table! {
    Bonus(Tens),
    Reroll(Reroll),
    Explode(Explode),
    Clamp(Clamp),
    Keep(Selection),
    Count(Counting),
    Mark(Mark),
    Sort(Sort),
    Unique(Unique),
}

impl Word {
    fn new<M>(spelling: &Spelling<M>) -> Word {
        let of_percentile = matches!(spelling.form, Form::OfPercentile(_));
        Word {
            text: spelling.word,
            place: 0,
            of_percentile,
            for_groups: spelling.for_groups,
        }
    }
}

/// The modifiers of one kind, in written order.
pub(crate) fn each<R: Listed>(
    modifiers: &[Modifier],
) -> impl DoubleEndedIterator<Item = &R> + Clone {
    modifiers
        .iter()
        .filter_map(|modifier| R::from_kind(&modifier.kind))
}

/// As [`each`], with their places.
pub(crate) fn placed<R: Listed>(modifiers: &[Modifier]) -> impl Iterator<Item = (&R, Span)> {
    modifiers
        .iter()
        .filter_map(|modifier| Some((R::from_kind(&modifier.kind)?, modifier.span)))
}
