//! What notation reads in one way and a person may mean in another.
//!
//! Only what is typed is refused for it. The canonical text of a log keeps its one meaning.

use crate::dice::compare::Comparison;
use crate::dice::error::{Code, DiceError, Rewrite};
use crate::dice::expression::Expression;
use crate::dice::expression::tree::{Factor, Node, Test};
use crate::dice::notation::suggest;
use crate::dice::text::Span;

/// Refuses what is typed and may be meant in another way.
pub(crate) fn unambiguous(text: &str, expression: Expression) -> Result<Expression, DiceError> {
    match after_label(text, &expression).or_else(|| loss(text, &expression)) {
        Some(error) => Err(suggest(error, text)),
        None => Ok(expression),
    }
}

/// The refusal of `8d10[cold]>=8`: without the label it counts dice, so nobody should have to know that a label ends them.
fn after_label(text: &str, expression: &Expression) -> Option<DiceError> {
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

/// The refusal of `1/1d6`, as games with percentile dice write a loss: the left on a success, the right on a failure. What
/// divides by dice says so by parentheses, `1/(1d6)`; a number behind the sign (`3d6/2`) divides as ever.
fn loss(text: &str, expression: &Expression) -> Option<DiceError> {
    let request = expression.request();
    let node = &request.check.node;
    let all = match node {
        Node::Sum(terms) => terms.iter().map(|(_, term)| term).collect(),
        other => vec![other],
    };
    let (left, right) = all.into_iter().filter(|_| request.check.test.is_none()).find_map(parted)?;
    let (left, dice) = (left.span().range(), right.span().range());
    let dice = dice.start..dice.start + text.get(dice.clone())?.trim_end().len();
    let between = text.get(left.end..dice.start)?;
    let (before, behind) = between.rsplit_once('/')?;
    let before = before.trim();
    // Parentheses say that it is arithmetic; a label belongs to what stands before it.
    if !behind.trim().is_empty() || !(before.is_empty() || before.ends_with(']')) {
        return None;
    }
    let slash = dice.start - behind.len() - 1;
    let whole = match request.repeat {
        Some(_) => node.span().range(),
        None => 0..text.get(..text.find('#').unwrap_or(text.len()))?.trim_end().len(),
    };
    let divided = format!(
        "{}({}){}",
        text.get(..dice.start)?.trim_start(),
        text.get(dice.clone())?,
        text.get(dice.end..)?.trim_end()
    );
    let refusal = DiceError::new(
        Code::Ambiguous,
        Span::new(left.start, dice.end),
        format!(
            "A `/` before dice could part what is lost on a success from what is lost on a failure, or divide by the dice, \
             which is written `{divided}`."
        ),
        "Write the one or the other, or put the dice in parentheses to divide by them.",
        "1d6",
    );
    let success = Rewrite::new("for the loss on a success").delete(slash..whole.end);
    let failure = Rewrite::new("for the loss on a failure").delete(whole.start..slash + 1);
    Some(refusal.offering(success).offering(failure))
}

/// A number or dice before a `/`, and dice behind it.
fn parted(term: &Node) -> Option<(&Node, &Node)> {
    let Node::Product(factors) = term else { return None };
    let [(_, left), (Factor::Divide, right)] = factors.as_slice() else { return None };
    let is_plain = matches!(bare(left), Node::Number(_) | Node::Dice(_)) && matches!(bare(right), Node::Dice(_));
    is_plain.then_some((left, right))
}

fn bare(node: &Node) -> &Node {
    match node {
        Node::Labelled(inner, _) => bare(inner),
        other => other,
    }
}
