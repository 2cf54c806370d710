//! What advantage and disadvantage do to a check.

use crate::dice::{Mode, parse_formula};
use crate::rules::language::checks::Check;
use crate::rules::language::dice::swap::two_d20;
use crate::rules::language::dice::{OwnSwap, Swap};
use crate::rules::language::system::System;

/// What advantage, or disadvantage, is on one check.
#[derive(Debug, Clone, PartialEq)]
pub enum Swapping<'s> {
    /// The check's own: this is rolled in the place of its Roll.
    Own(&'s Swap),
    /// Two d20 come in the place of the one, since the rules say nothing else.
    By(Swap),
    /// These dice, or this number, come to what is rolled.
    Added(&'s Swap),
    /// These dice are for other checks.
    Elsewhere(&'s Swap),
    /// The rules have none.
    Nowhere,
}

impl System {
    /// What advantage, or disadvantage, is on this check: what it says itself, else what the Dice section does.
    ///
    /// What the rules leave open is better, or worse, for whoever rolls: of two d20 the higher, or the lower where low is good;
    /// a check on anything but one d20 has none. What the Dice section writes is added.
    pub fn swapping<'s>(&'s self, mode: Mode, check: &'s Check) -> Swapping<'s> {
        match check.own_swap(mode) {
            OwnSwap::By(swap) if swap.adds => return Swapping::Added(swap),
            OwnSwap::By(swap) => return Swapping::Own(swap),
            OwnSwap::Nothing => return Swapping::Nowhere,
            OwnSwap::Unsaid => {}
        }
        let rule = match mode {
            Mode::Advantage => &self.advantage,
            Mode::Disadvantage => &self.disadvantage,
        };
        let two = || {
            let roll = check.rolls_one_d20().then(|| parse_formula(two_d20(mode, check.succeed)).ok()).flatten()?;
            Some(Swapping::By(Swap { roll, adds: false, place: Some(check.place.clone()), assumed: true }))
        };
        match rule {
            Some(rule) if rule.assumed => two().unwrap_or(Swapping::Elsewhere(rule)),
            Some(rule) => Swapping::Added(rule),
            // Of a check that its call states the rules could say nothing.
            None if check.is_stated() && !self.advantage_is_said => two().unwrap_or(Swapping::Nowhere),
            None => Swapping::Nowhere,
        }
    }
}
