//! What advantage and disadvantage do to a check.

use std::borrow::Cow;

use crate::dice::{Mode, parse_formula};
use crate::rules::language::checks::{Check, main_die};
use crate::rules::language::dice::swap::two_d20;
use crate::rules::language::dice::{OwnSwap, Swap};
use crate::rules::language::system::System;

/// What advantage, or disadvantage, is on one check.
#[derive(Debug, Clone, PartialEq)]
pub enum Swapping<'s> {
    /// The check's own: these dice come in the place of its main dice, however many.
    Own(&'s Swap),
    /// These dice come in the place of the main die.
    By(Cow<'s, Swap>),
    /// These dice are for other checks.
    Elsewhere(&'s Swap),
    /// The rules have none.
    Nowhere,
}

impl System {
    /// What advantage, or disadvantage, is on this check: what it says itself, else what the Dice section does.
    ///
    /// What the rules leave open is better, or worse, for whoever rolls: of two d20 the higher, or the lower where low is good;
    /// a check on anything but one d20 has none. What they write is rolled as they write it, unless its die is that of
    /// other checks and not of this one.
    pub fn swapping<'s>(&'s self, mode: Mode, check: &'s Check) -> Swapping<'s> {
        match check.own_swap(mode) {
            OwnSwap::By(swap) => return Swapping::Own(swap),
            OwnSwap::Nothing => return Swapping::Nowhere,
            OwnSwap::Unsaid => {}
        }
        let rule = match mode {
            Mode::Advantage => &self.advantage,
            Mode::Disadvantage => &self.disadvantage,
        };
        let Some(rule) = rule else { return Swapping::Nowhere };
        if rule.assumed {
            let roll = check.rolls_one_d20().then(|| parse_formula(two_d20(mode, check.succeed)).ok()).flatten();
            let own = |roll| Swapping::By(Cow::Owned(Swap { roll, place: Some(check.place.clone()), assumed: true }));
            return roll.map_or(Swapping::Elsewhere(rule), own);
        }
        let die = main_die(&rule.roll);
        let others = die != check.main_die() && self.checks.iter().any(|other| other.main_die() == die);
        if others { Swapping::Elsewhere(rule) } else { Swapping::By(Cow::Borrowed(rule)) }
    }
}
