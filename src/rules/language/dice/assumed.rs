//! Advantage of a single d20, where the rules say nothing of it.

use super::swap::two_d20;
use crate::dice::Mode;
use crate::rules::language::checks::Check;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::system::System;
use crate::rules::when::facts::Succeed;

/// A game with checks on one d20 has advantage unless it says otherwise: the better die, which is the lower one where low is
/// good. Each check has its own ([`System::swapping`]).
pub fn assume_advantage(system: &System, ledger: &mut Ledger<'_>) {
    let unsaid = |check: &&Check| check.advantage.is_none() && check.disadvantage.is_none();
    let (on_d20, others): (Vec<&Check>, Vec<&Check>) =
        system.checks.iter().filter(unsaid).partition(|check| check.rolls_one_d20());
    let Some(first) = on_d20.first() else { return };
    let (place, succeed) = (first.place.clone(), first.succeed);
    let dice = [Mode::Advantage, Mode::Disadvantage].map(|mode| two_d20(mode, succeed));
    let why = match succeed {
        Succeed::AtLeast => "as in any d20 system",
        Succeed::AtMost => "as in any d20 system where low is good",
    };
    let turned = names(on_d20.iter().filter(|check| check.succeed != succeed));
    let turned = if turned.is_empty() { turned } else { format!("; the other way round in {turned}") };
    let without = names(others.iter());
    let without = if without.is_empty() { without } else { format!("; none in {without}, which roll no single d20") };
    let text = format!("advantage is {} and disadvantage {}, {why}{turned}{without}", dice[0], dice[1]);
    ledger.assume(text, Some(place));
}

/// Names of checks that one sentence holds.
const NAMES_MAX: usize = 4;

fn names<'c>(checks: impl Iterator<Item = &'c &'c Check>) -> String {
    let names: Vec<&str> = checks.map(|check| check.name.as_str()).collect();
    let shown = names.iter().take(NAMES_MAX).copied().collect::<Vec<_>>().join(", ");
    if names.len() > NAMES_MAX { format!("{shown} and {} more", names.len() - NAMES_MAX) } else { shown }
}
