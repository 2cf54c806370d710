//! What advantage and disadvantage do to a check.

use std::borrow::Cow;

use crate::grammar::line::Added;
use crate::language::checks::Check;
use crate::language::dice::assumed::two_d20;
use crate::language::system::System;
use crate::section::SectionKind;
use rollbook_dice::{Formula, Mode, parse_formula};
use rollbook_text::diagnostic::Place;
use rollbook_text::names::same;

/// What advantage, or disadvantage, is on one check.
#[derive(Debug, Clone, PartialEq)]
pub struct Swap<'s> {
    pub roll: Cow<'s, Formula>,
    pub how: SwapHow,
    /// The line that says so; of two d20 that nobody wrote the check's.
    pub place: &'s Place,
}

/// What becomes of the dice of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SwapHow {
    /// Another roll is made.
    InPlaceOfAll,
    /// Two d20 come in the place of the one, since the rules say nothing else.
    InPlaceOfOne,
    /// Others come to them.
    Added,
}

impl System {
    /// What advantage, or disadvantage, is on this check: what it says itself, else what the Dice section does; none where there is none.
    ///
    /// What the rules leave open is better, or worse, for whoever rolls: of two d20 the higher, or the lower where low is good;
    /// a check on anything but one d20 has none. What the Dice section writes is added.
    pub fn swapping<'s>(&'s self, mode: Mode, check: &'s Check) -> Option<Swap<'s>> {
        let (label, section) = match mode {
            Mode::Advantage => ("Advantage", &self.advantage),
            Mode::Disadvantage => ("Disadvantage", &self.disadvantage),
        };
        let Some(own) = check.own_swap(mode).or(section.as_ref()) else {
            let is_usual = self.has_usual_advantage() && check.rolls_one_d20();
            let roll = is_usual.then(|| parse_formula(two_d20(mode, check.succeed)).ok()).flatten()?;
            return Some(Swap { roll: Cow::Owned(roll), how: SwapHow::InPlaceOfOne, place: &check.place });
        };
        let bullet =
            check.bullet(label).or_else(|| self.bullets(SectionKind::Dice).find(|own| same(&own.label, label)));
        let how = if matches!(own, Added::Roll(_)) { SwapHow::InPlaceOfAll } else { SwapHow::Added };
        Some(Swap { roll: Cow::Borrowed(own.dice()?), how, place: bullet.map_or(&check.place, |own| &own.place) })
    }
}
