//! What advantage and disadvantage do to a check.

use std::borrow::Cow;

use crate::dice::{Die, Mode, parse_formula};
use crate::rules::language::checks::{Check, main_die};
use crate::rules::language::dice::swap::two_d20;
use crate::rules::language::dice::{OwnSwap, Swap};
use crate::rules::language::system::System;

/// What advantage, or disadvantage, is on one check.
#[derive(Debug, Clone, PartialEq)]
pub enum Swapping<'s> {
    /// The check's own, or those of the Dice section that keep as many: these dice come in the place of its main dice, however many.
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
    /// other checks and not of this one: in the place of one die, or of all where as many are kept.
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
        match others {
            true => Swapping::Elsewhere(rule),
            false if keeps_as_many(rule, check) => Swapping::Own(rule),
            false => Swapping::By(Cow::Borrowed(rule)),
        }
    }
}

/// Whether of more dice as many are kept as the check always rolls: `3d6kh2` for `2d6`.
fn keeps_as_many(rule: &Swap, check: &Check) -> bool {
    let Ok(swapped) = rule.roll.bind(&mut |_| None) else { return false };
    let Ok(rolled) = check.roll.bind(&mut |_| Some(0)) else { return false };
    let (count, more) = (rolled.main_count(), swapped.main_count());
    let Some(Die::Sides(sides)) = swapped.main_die().filter(|_| count > 1 && more > count) else { return false };
    let most = count.checked_mul(i64::from(sides));
    usize::try_from(count).is_ok_and(|count| check.rolls_dice(count, sides))
        && most.is_some()
        && swapped.greatest() == most
}
