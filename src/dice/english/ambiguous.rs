//! What notation reads in one way and a person may mean in another.
//!
//! Only what is typed is refused for it. The canonical text of a log keeps its one meaning.

use crate::dice::ast::{Node, Test};
use crate::dice::compare::Comparison;
use crate::dice::error::{Code, DiceError};
use crate::dice::expression::Expression;
use crate::dice::rewrite::Rewrite;
use crate::dice::span::Span;

/// The refusal of `8d10[cold]>=8`: without the label it counts dice, so nobody should have to know that a label ends them.
pub(super) fn behind_label(text: &str, expression: &Expression) -> Option<DiceError> {
    let check = &expression.request().check;
    let (Node::Labelled(inner, _), Some(Test::Compare(comparison, Node::Number(_)))) = (&check.node, &check.test)
    else {
        return None;
    };
    let Node::Dice(dice) = &**inner else { return None };
    // Parentheses around the dice say that the total is meant.
    let dice_range = dice.span.range();
    if dice.counts() || text.find(|char: char| !char.is_whitespace()) != Some(dice_range.start) {
        return None;
    }
    let written = text.get(..text.find('#').unwrap_or(text.len()))?;
    let label_end = written.rfind(']')? + 1;
    let test = label_end..written.trim_end().len();
    let condition = text.get(test.clone())?.trim();
    let count = Rewrite::new("to count dice").insert(dice_range.end, condition).delete(test.clone());
    let number = condition.trim_start_matches(['<', '>', '=']);
    let word = match comparison {
        Comparison::AtLeast => Some("vs"),
        Comparison::AtMost => Some("under"),
        _ => None,
    };
    let refusal = DiceError::new(
        Code::Ambiguous,
        Span::new(test.start, test.end),
        "Behind a label, a comparison could count dice or check the total.",
        "To count dice write t before the label; to check the total put the dice in parentheses.",
        "8d10t8[cold]",
    )
    .offering(count);
    Some(match word {
        Some(word) => refusal.offering(Rewrite::new("to check the total").replace(test, format!(" {word} {number}"))),
        None => refusal,
    })
}
