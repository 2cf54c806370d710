//! Marks on natural faces: `crit20`, `fumble1`. They change nothing; the record shows them.

use crate::compare::{ComparePoint, Comparison, Int};
use crate::error::DiceError;
use crate::modifiers::{Bounds, Form, Rule, Spelling, Stage};
use crate::record::{RolledDie, Special};
use crate::text::Span;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mark {
    special: Special,
    point: ComparePoint,
}

const fn spelling(word: &'static str, make: fn(ComparePoint) -> Mark) -> Spelling<Mark> {
    Spelling::new(word, Form::Point(Comparison::Equal, make), "1d20crit20")
}

impl Rule for Mark {
    const STAGE: Stage = Stage::Show;
    const SPELLINGS: &'static [Spelling<Self>] = &[
        spelling("crit", |point| Mark {
            special: Special::Crit,
            point,
        }),
        spelling("fumble", |point| Mark {
            special: Special::Fumble,
            point,
        }),
    ];

    fn print(&self, out: &mut String) {
        out.push_str(self.special.as_str());
        self.point.print(out, Some(Comparison::Equal));
    }

    fn int_mut(&mut self) -> Option<&mut Int> {
        Some(&mut self.point.value)
    }

    fn repeats(&self, earlier: &Self) -> bool {
        self == earlier
    }

    fn check(&self, bounds: &Bounds<'_>, span: Span) -> Result<(), DiceError> {
        bounds.check_faces(&self.point, span)
    }
}

/// Marks dice: as critical first, then as fumbles.
pub(crate) fn apply<'a>(marks: impl Iterator<Item = &'a Mark> + Clone, rolled: &mut [RolledDie]) {
    if marks.clone().next().is_none() {
        return;
    }
    for die in rolled {
        let natural = die.natural();
        let has = |special| {
            marks
                .clone()
                .any(|mark| mark.special == special && mark.point.matches(natural))
        };
        die.special.extend(
            [Special::Crit, Special::Fumble]
                .into_iter()
                .filter(|special| has(*special)),
        );
    }
}
