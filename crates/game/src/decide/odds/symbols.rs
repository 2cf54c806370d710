//! The odds of symbols on dice that are rolled by themselves.

use super::{Chances, OddsTally, by_verdicts};
use crate::refusal::{Code, Refusal};
use rollbook_dice::Expression;
use rollbook_rules::{Check, Means, OwnDice};

/// How likely each number of each symbol is, those that cancel taken off: the values, and nothing else. None where no symbol is on these
/// dice, or where they are compared or repeated.
///
/// # Errors
/// `limit_exceeded` when there are too many possible rolls.
pub fn chances_of_symbols(expression: &Expression, own: &OwnDice) -> Result<Option<Chances>, Refusal> {
    let Some(rule) = expression.has_symbols().then(|| Check::of_symbols(expression, own)).flatten() else {
        return Ok(None);
    };
    let means = Means { lookup: &|_, _| None, extra: 0, dice: 0, targeted: false };
    let Ok(attempt) = rule.attempt(&means) else { return Ok(None) };
    match by_verdicts(&rule, &attempt, OddsTally::default()) {
        Ok(found) => Ok(Some(Chances { rows: Vec::new(), ..found.chances(Some(&rule)) })),
        // The totals tell of cards what there is to tell.
        Err(refusal) if refusal.code == Code::LimitExceeded && !expression.is_numberless() => Ok(None),
        Err(refusal) => Err(refusal),
    }
}
