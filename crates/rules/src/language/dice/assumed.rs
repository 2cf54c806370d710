//! Advantage of a single d20 where the rules have no line about it.

use crate::language::checks::Check;
use crate::language::ledger::Ledger;
use crate::language::system::System;
use crate::when::facts::Succeed;
use rollbook_dice::Mode;

/// Notes that checks on one d20 have the usual advantage: the better die, which is the lower one where low is good.
/// [`System::swapping`] gives each check its dice.
pub fn assume_advantage(system: &System, ledger: &mut Ledger<'_>) {
    let is_open = |check: &&Check| check.advantage.is_none() && check.disadvantage.is_none();
    let Some(first) = system.checks.iter().filter(is_open).find(|check| check.rolls_one_d20()) else { return };
    let dice = [Mode::Advantage, Mode::Disadvantage].map(|mode| two_d20(mode, Succeed::AtLeast));
    let text = format!(
        "advantage of a single d20 is {} and disadvantage {}, the other way round where low is good",
        dice[0], dice[1]
    );
    ledger.assume(text, Some(first.place.clone()));
}

/// Two d20 of which the better or the worse is kept.
pub fn two_d20(mode: Mode, succeed: Succeed) -> &'static str {
    match (mode, succeed) {
        (Mode::Advantage, Succeed::AtLeast) | (Mode::Disadvantage, Succeed::AtMost) => "2d20kh1",
        (Mode::Advantage, Succeed::AtMost) | (Mode::Disadvantage, Succeed::AtLeast) => "2d20kl1",
    }
}
