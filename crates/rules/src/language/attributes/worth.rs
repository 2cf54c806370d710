//! What an attribute's score is worth in a d20 game that says its roll in a sentence, and has no Modifier rule.

use super::modifier::Modifier;
use crate::language::ledger::Ledger;
use crate::language::number_table::Base;
use crate::language::system::System;
use rollbook_dice::parse_formula;

/// The d20 family derives modifiers from scores; scores that stop here are modifiers themselves.
const SCORE_MAX_OF_MODIFIERS: i64 = 10;

/// What they derive.
const HALF_ABOVE_TEN: &str = "floor(({score} - 10) / 2)";

/// Where a sentence rolls a d20, scores beyond ten stand for a modifier that the file need not spell out. What is assumed is said.
pub fn assume_modifiers(system: &mut System, ledger: &mut Ledger<'_>) {
    let Some(check) = system.checks.iter().find(|check| check.assumed && check.rolls_d20()) else { return };
    let is_score = |range: Option<(i64, i64)>| range.is_some_and(|(_, high)| high > SCORE_MAX_OF_MODIFIERS);
    let open = system.attributes.iter_mut().filter(|own| own.modifier.assumed && is_score(own.range));
    let mut open = open.peekable();
    if open.peek().is_none() {
        return;
    }
    for attribute in open {
        let Ok(formula) = parse_formula(HALF_ABOVE_TEN) else { return };
        let stated = Modifier::stated(Base::Formula(formula), attribute.place.clone());
        attribute.modifier = Modifier { assumed: true, ..stated };
    }
    let otherwise = "to have it otherwise write a `- Modifier:` bullet or a | Score | Modifier | table";
    ledger.assume(format!("what an attribute is worth is {HALF_ABOVE_TEN}; {otherwise}"), Some(check.place.clone()));
}
