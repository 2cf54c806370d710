//! Advantage and disadvantage of a check.

use std::borrow::Cow;

use crate::grammar::line::Added;
use crate::language::checks::Check;
use crate::language::dice::read::two_d20;
use crate::language::system::System;
use crate::section::SectionKind;
use rollbook_dice::{Formula, Mode, parse_formula};
use rollbook_text::diagnostic::Place;
use rollbook_text::names::same;

/// What advantage or disadvantage rolls for one check.
#[derive(Debug, Clone, PartialEq)]
pub struct Swap<'s> {
    pub roll: Cow<'s, Formula>,
    pub how: SwapHow,
    /// The line with the rule; for the usual two d20 the check's.
    pub place: &'s Place,
}

/// What happens to the dice of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SwapHow {
    /// Another roll is made instead.
    ReplacesAll,
    /// Two d20 replace the one, since the rules have no other line.
    ReplacesOne,
    /// Others are added.
    Added,
}

impl System {
    /// What (dis)advantage rolls for this check: by the check's line, else the Dice section's.
    ///
    /// Without both lines a check on one d20 rolls two and keeps the better or the worse. The Dice
    /// section's dice are added.
    pub fn swap<'s>(&'s self, mode: Mode, check: &'s Check) -> Option<Swap<'s>> {
        let (label, section) = match mode {
            Mode::Advantage => ("Advantage", &self.advantage),
            Mode::Disadvantage => ("Disadvantage", &self.disadvantage),
        };
        let Some(added) = check.swap_line(mode).or(section.as_ref()) else {
            let is_usual = self.has_usual_advantage() && check.rolls_one_die(20);
            let roll = is_usual
                .then(|| parse_formula(two_d20(mode, check.succeed)).ok())
                .flatten()?;
            return Some(Swap {
                roll: Cow::Owned(roll),
                how: SwapHow::ReplacesOne,
                place: &check.place,
            });
        };
        let bullet = check.bullet(label).or_else(|| {
            self.bullets(SectionKind::Dice)
                .find(|bullet| same(&bullet.label, label))
        });
        let how = if matches!(added, Added::Roll(_)) {
            SwapHow::ReplacesAll
        } else {
            SwapHow::Added
        };
        Some(Swap {
            roll: Cow::Borrowed(added.dice()?),
            how,
            place: bullet.map_or(&check.place, |bullet| &bullet.place),
        })
    }
}
