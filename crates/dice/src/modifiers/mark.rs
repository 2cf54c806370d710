//! Marks on natural faces: `crit20`, `fumble1`. They change nothing; the record and its line show them.

use crate::compare::{ComparePoint, Comparison, Int};
use crate::error::DiceError;
use crate::modifiers::bounds::Bounds;
use crate::modifiers::{Form, Rule, Spelling, Stage};
use crate::record::{RolledDie, Special};
use crate::text::Span;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Mark {
    Crit(ComparePoint),
    Fumble(ComparePoint),
}

impl Rule for Mark {
    const STAGE: Stage = Stage::Show;
    const SPELLINGS: &'static [Spelling<Self>] = &[
        Spelling::new("crit", Form::Point(Comparison::Equal, Mark::Crit), "1d20crit20"),
        Spelling::new("fumble", Form::Point(Comparison::Equal, Mark::Fumble), "1d20crit20"),
    ];

    fn print(&self, out: &mut String) {
        let (word, point) = match self {
            Mark::Crit(point) => ("crit", point),
            Mark::Fumble(point) => ("fumble", point),
        };
        out.push_str(word);
        point.print(out, Some(Comparison::Equal));
    }

    fn int_mut(&mut self) -> Option<&mut Int> {
        match self {
            Mark::Crit(point) | Mark::Fumble(point) => Some(&mut point.value),
        }
    }

    fn repeats(&self, earlier: &Self) -> bool {
        self == earlier
    }

    fn check(&self, bounds: &Bounds<'_>, span: Span) -> Result<(), DiceError> {
        match self {
            Mark::Crit(point) | Mark::Fumble(point) => bounds.check_faces(point, span),
        }
    }
}

/// Marks dice: as critical first, then as fumbles.
pub(crate) fn apply<'a>(marks: impl Iterator<Item = &'a Mark> + Clone, rolled: &mut [RolledDie]) {
    if marks.clone().next().is_none() {
        return;
    }
    for die in rolled {
        let natural = die.natural();
        let is_crit = marks.clone().any(|mark| matches!(mark, Mark::Crit(point) if point.matches(natural)));
        let is_fumble = marks.clone().any(|mark| matches!(mark, Mark::Fumble(point) if point.matches(natural)));
        die.special.extend(is_crit.then_some(Special::Crit));
        die.special.extend(is_fumble.then_some(Special::Fumble));
    }
}
