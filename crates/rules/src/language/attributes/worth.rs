//! What a score is worth in a d20 game that has its roll in a sentence, and no Modifier rule.

use super::modifier::Modifier;
use crate::language::ledger::Ledger;
use crate::language::number_table::Base;
use crate::language::system::System;
use rollbook_dice::parse_formula;

/// Scores up to this are modifiers themselves.
const SCORE_MAX_OF_MODIFIERS: i64 = 10;

/// The modifier of the d20 family.
const HALF_ABOVE_TEN: &str = "floor(({score} - 10) / 2)";

/// Assumes the usual modifier for scores beyond ten where a sentence rolls a d20.
pub fn assume_modifiers(system: &mut System, ledger: &mut Ledger<'_>) {
    let Some(check) = system.checks.iter().find(|check| check.assumed && check.rolls_d20()) else { return };
    let is_score = |range: Option<(i64, i64)>| range.is_some_and(|(_, high)| high > SCORE_MAX_OF_MODIFIERS);
    let open = system.attributes.iter_mut().filter(|attribute| attribute.modifier.assumed && is_score(attribute.range));
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
