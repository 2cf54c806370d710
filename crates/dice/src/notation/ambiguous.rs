//! What notation reads in one way and a person may mean in another.
//!
//! Only what is typed is refused for it. The canonical text of a log keeps its one meaning.

use crate::compare::Comparison;
use crate::error::{Code, DiceError, Fault, Rewrite};
use crate::expression::Expression;
use crate::expression::tree::{Factor, Function, Node, Test};
use crate::modifiers::Modifier;
use crate::notation::suggest;
use crate::text::{Span, is_minus};
use std::ops::Range;

/// Refuses what is typed and may be meant in another way.
pub(crate) fn unambiguous(text: &str, expression: Expression) -> Result<Expression, DiceError> {
    let refused = after_label(text, &expression).or_else(|| in_brackets(text, &expression));
    match refused
        .or_else(|| loss(text, &expression))
        .or_else(|| strict_sign(text, &expression))
        .or_else(|| signed_count(text))
    {
        Some(error) => Err(suggest(error, text)),
        None => Ok(expression),
    }
}

/// The refusal of `roll 5d6!`: the mark explodes dice, or ends the sentence. The dice begin at
/// `from`, the mark is in `mark`.
pub(crate) fn mark_at_dice(text: &str, from: usize, mark: Range<usize>) -> DiceError {
    let message = "The `!` could mean exploding dice, or just end the sentence.";
    let error = Fault::new(
        Code::Ambiguous,
        Span::new(
            mark.start,
            text.get(..mark.end).unwrap_or(text).trim_end().len(),
        ),
        message,
    )
    .hint(
        "For exploding dice write `5d6!` by itself; else leave the `!` out.",
        "5d6!",
    );
    let exploding = Rewrite::new("for exploding dice").delete(0..from);
    let without = Rewrite::new("without exploding")
        .delete(0..from)
        .delete(mark);
    suggest(error.offering(exploding).offering(without), text)
}

/// The refusal of `8d10[cold]>=8`: without the label it counts dice, so nobody should have to know
/// that a label ends them.
fn after_label(text: &str, expression: &Expression) -> Option<DiceError> {
    let check = &expression.request().check;
    let (Node::Labelled(inner, _), Some(Test::Compare(comparison, Node::Number(_)))) =
        (&check.node, &check.test)
    else {
        return None;
    };
    let Node::Dice(dice) = &**inner else {
        return None;
    };
    // Parentheses around the dice say that the total is meant.
    let dice_range = dice.span.range();
    if dice.counts() || text.find(|char: char| !char.is_whitespace()) != Some(dice_range.start) {
        return None;
    }
    let written = text.get(..text.find('#').unwrap_or(text.len()))?;
    let label_end = written.rfind(']')? + 1;
    let test = label_end..written.trim_end().len();
    let condition = text.get(test.clone())?.trim();
    let count = Rewrite::new("to count dice")
        .insert(dice_range.end, condition)
        .delete(test.clone());
    let number = condition.trim_start_matches(['<', '>', '=']);
    let word = match comparison {
        Comparison::AtLeast => Some("vs"),
        Comparison::AtMost => Some("under"),
        _ => None,
    };
    let message = "Behind a label, a comparison could count dice or check the total.";
    let refusal = Fault::new(Code::Ambiguous, Span::new(test.start, test.end), message)
        .hint("To count dice write t before the label; to check the total put the dice in parentheses.", "8d10t8[cold]")
        .offering(count);
    Some(match word {
        Some(word) => refusal.offering(
            Rewrite::new("to check the total").replace(test, format!(" {word} {number}")),
        ),
        None => refusal,
    })
}

/// The refusal of `(1d20+5>=15)`, whose total would be 1 or 0: bare, it checks the total.
fn in_brackets(text: &str, expression: &Expression) -> Option<DiceError> {
    let check = &expression.request().check;
    let Node::Call(function, ..) = &check.node else {
        return None;
    };
    if check.test.is_some() || function.binds().is_none() {
        return None;
    }
    let written = text.get(..text.find('#').unwrap_or(text.len()))?.trim_end();
    let start = text.len() - text.trim_start().len();
    let message = "In brackets a comparison is a number, 1 or 0, and nothing is rolled beside it.";
    let refusal = Fault::new(Code::Ambiguous, Span::new(start, written.len()), message).hint(
        "To check a total, write it without brackets around the whole.",
        "1d20 + 5 >= 15",
    );
    let is_whole = matches!(function, Function::Compare(_)) && text.get(start..)?.starts_with('(');
    let rewrite = Rewrite::new("to check the total")
        .delete(start..start + 1)
        .delete(written.len() - 1..written.len());
    Some(if is_whole && written.ends_with(')') {
        refusal.offering(rewrite)
    } else {
        refusal
    })
}

/// The refusal of `+3 d20`, which could be three dice, or one and a constant before it.
fn signed_count(text: &str) -> Option<DiceError> {
    let begin = text.len() - text.trim_start().len();
    let sign = text
        .get(begin..)?
        .chars()
        .next()
        .filter(|sign| *sign == '+' || is_minus(*sign))?;
    let start = begin + sign.len_utf8();
    let number = text.get(start..)?.trim_start();
    let dice = number.trim_start_matches(|digit: char| digit.is_ascii_digit());
    let (digits, gap) = (
        number.len() - dice.len(),
        dice.len() - dice.trim_start().len(),
    );
    if digits == 0 || gap == 0 || !dice.trim_start().starts_with(['d', 'D']) {
        return None;
    }
    let (first, from) = (
        text.len() - number.len(),
        text.len() - dice.trim_start().len(),
    );
    let constant = number.get(..digits)?;
    let end = text.find('#').unwrap_or(text.len());
    let end = text.get(..end)?.trim_end().len();
    let several = Rewrite::new("for so many dice").delete(first + digits..from);
    let several = if sign == '+' {
        several.delete(begin..start)
    } else {
        several
    };
    let word = if sign == '+' {
        "to add it to one"
    } else {
        "to take it from one"
    };
    let added = format!(" {} {constant}", if sign == '+' { '+' } else { '-' });
    let one = Rewrite::new(word).delete(begin..from).insert(end, &added);
    let message = "Before dice, a number with a sign could say how many, or be added to them.";
    let refusal = Fault::new(Code::Ambiguous, Span::new(begin, from), message).hint(
        "Write `3d20` for three dice, `d20 + 3` for one and a constant.",
        "1d20 + 3",
    );
    Some(refusal.offering(several).offering(one))
}

/// The refusal of `1/1d6`, as games with percentile dice write a loss: the left on a success, the
/// right on a failure. What divides by dice says so by parentheses, `1/(1d6)`; a number after the
/// sign (`3d6/2`) divides as ever.
fn loss(text: &str, expression: &Expression) -> Option<DiceError> {
    let request = expression.request();
    let node = &request.check.node;
    let all = match node {
        Node::Sum(terms) => terms.iter().map(|(_, term)| term).collect(),
        other => vec![other],
    };
    let (left, right) = all
        .into_iter()
        .filter(|_| request.check.test.is_none())
        .find_map(parted)?;
    let (left, dice) = (left.span().range(), right.span().range());
    let dice = dice.start..dice.start + text.get(dice.clone())?.trim_end().len();
    let between = text.get(left.end..dice.start)?;
    let (before, after) = between.rsplit_once('/')?;
    let before = before.trim();
    // Parentheses say that it is arithmetic; a label belongs to what is before it.
    if !after.trim().is_empty() || !(before.is_empty() || before.ends_with(']')) {
        return None;
    }
    let slash = dice.start - after.len() - 1;
    let whole = match request.repeat {
        Some(_) => node.span().range(),
        None => {
            0..text
                .get(..text.find('#').unwrap_or(text.len()))?
                .trim_end()
                .len()
        }
    };
    let divided = format!(
        "{}({}){}",
        text.get(..dice.start)?.trim_start(),
        text.get(dice.clone())?,
        text.get(dice.end..)?.trim_end()
    );
    let refusal = Fault::new(Code::Ambiguous, Span::new(left.start, dice.end), format!(
            "A `/` before dice could part what is lost on a success from what is lost on a failure, or divide by the dice, \
             which is written `{divided}`."
        )).hint("Write the one or the other, or put the dice in parentheses to divide by them.", "1d6");
    let success = Rewrite::new("for the loss on a success").delete(slash..whole.end);
    let failure = Rewrite::new("for the loss on a failure").delete(whole.start..slash + 1);
    Some(refusal.offering(success).offering(failure))
}

/// The refusal of `8d10>8` and `2d6ro<2`: Roll20 counts the number itself in, others leave it out.
/// `t`, `crit` and `fumble` are of this notation alone, and have one meaning.
fn strict_sign(text: &str, expression: &Expression) -> Option<DiceError> {
    let mut found: Vec<(usize, &str, i64)> = Vec::new();
    let mut look = |modifier: &Modifier| {
        let range = modifier.span.range();
        let written = text.get(range.clone()).unwrap_or_default();
        let Some((word, number)) = written.split_once(['<', '>']) else {
            return;
        };
        let at = range.start + word.len();
        if let Ok(number) = number.trim().parse()
            && !["t", "crit", "fumble"].contains(&&*word.trim().to_ascii_lowercase())
        {
            found.push((at, text.get(at..range.end).unwrap_or_default(), number));
        }
    };
    let node = &expression.request().check.node;
    node.visit(&mut |node| {
        if let Node::Dice(dice) = node {
            dice.modifiers.iter().for_each(&mut look);
        } else if let Node::Group(group) = node {
            group.modifier.iter().for_each(&mut look);
        }
    });
    let (at, sign, _) = *found.first()?;
    let with = |purpose, step: i64| {
        let edit = |rewrite: Rewrite, (at, written, number): &(usize, &str, i64)| {
            let sign = written.get(..1).unwrap_or_default();
            let number = number + if sign == "<" { -step } else { step };
            rewrite.replace(*at..at + written.len(), format!("{sign}={number}"))
        };
        found.iter().fold(Rewrite::new(purpose), edit)
    };
    let message = "Some programs count the number after `<` or `>` in, others leave it out.";
    let refusal = Fault::new(
        Code::Ambiguous,
        Span::new(at, at + sign.trim_end().len()),
        message,
    )
    .hint(
        "Write `<=` or `>=` and the last number that counts.",
        "8d10>=8",
    );
    let (out, within) = ("to leave it out", "to count it in");
    Some(refusal.offering(with(out, 1)).offering(with(within, 0)))
}

/// A number or dice before a `/`, and dice after it.
fn parted(term: &Node) -> Option<(&Node, &Node)> {
    let Node::Product(factors) = term else {
        return None;
    };
    let [(_, left), (Factor::Divide, right)] = factors.as_slice() else {
        return None;
    };
    let is_plain = matches!(bare(left), Node::Number(_) | Node::Dice(_))
        && matches!(bare(right), Node::Dice(_));
    is_plain.then_some((left, right))
}

fn bare(node: &Node) -> &Node {
    match node {
        Node::Labelled(inner, _) => bare(inner),
        other => other,
    }
}
