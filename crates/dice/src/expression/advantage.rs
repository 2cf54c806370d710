//! Advantage and disadvantage: one d20 becomes two, of which one is kept.
//!
//! The rule is that of the fifth edition of Dungeons & Dragons (System Reference Document 5.1).

use crate::compare::{Comparison, Int};
use crate::die::Die;
use crate::error::{Code, DiceError, Fault, Rewrite};
use crate::expression::tree::{Check, Count, Dice, DieSlot, Test};
use crate::modifiers::keep::{End, Selection};
use crate::modifiers::{Modifier, ModifierKind, Stage};
use crate::record::Mode;
use crate::text::Span;
use std::ops::Range;

impl Mode {
    /// The notation of one d20 with it.
    fn dice(self) -> &'static str {
        if self == Mode::Advantage {
            "2d20kh1"
        } else {
            "2d20kl1"
        }
    }

    fn end(self) -> End {
        if self == Mode::Advantage {
            End::Highest
        } else {
            End::Lowest
        }
    }

    fn capital(self) -> &'static str {
        if self == Mode::Advantage {
            "Advantage"
        } else {
            "Disadvantage"
        }
    }
}

pub(crate) const WORDS: [(&str, Mode); 5] = [
    ("adv", Mode::Advantage),
    ("advantage", Mode::Advantage),
    ("dis", Mode::Disadvantage),
    ("disadv", Mode::Disadvantage),
    ("disadvantage", Mode::Disadvantage),
];

/// Turns the one d20 of a check into two, on whichever side of its test it is. Errors:
/// `invalid_advantage_usage` unless there is one d20 term, of one die, nothing kept or dropped yet.
pub(crate) fn apply(check: &mut Check, mode: Mode, span: Span) -> Result<(), DiceError> {
    match d20s(check).as_slice() {
        [one] => check_die(one, mode, span)?,
        others => return Err(not_one(others, mode, span)),
    }
    let target = check.test.as_mut().and_then(Test::node_mut);
    for node in [&mut check.node].into_iter().chain(target) {
        node.visit_dice_mut(&mut |dice| {
            if is_d20(dice) {
                double(dice, mode, span);
            }
        });
    }
    Ok(())
}

fn d20s(check: &Check) -> Vec<&Dice> {
    let mut d20s: Vec<&Dice> = Vec::new();
    check.visit_dice(&mut |dice| d20s.extend(Some(dice).filter(|dice| is_d20(dice))));
    d20s
}

pub(crate) fn is_low_good(check: &Check) -> bool {
    matches!(
        check.test,
        Some(Test::Under(_) | Test::Compare(Comparison::AtMost | Comparison::Less, _))
    )
}

/// Refuses a word on a die that is to roll low: is its better die the higher or the one that
/// succeeds? Games differ.
pub(crate) fn check_direction(check: &Check, mode: Mode, span: Span) -> Result<(), DiceError> {
    let d20s = d20s(check);
    let ([die], true) = (d20s.as_slice(), is_low_good(check)) else {
        return Ok(());
    };
    let keeping = |purpose: &'static str, dice: &str| {
        Rewrite::new(purpose)
            .delete(span.range())
            .replace(place(die, span), dice)
    };
    let message = format!(
        "{} where low is good could keep the higher die or the lower.",
        mode.capital()
    );
    Err(Fault::new(Code::Ambiguous, span, message)
        .hint(
            "Write which of two d20 is kept: 2d20kl1 for the lower, 2d20kh1 for the higher.",
            "2d20kl1 under 15",
        )
        .offering(keeping("to keep the lower die", "2d20kl1"))
        .offering(keeping("to keep the higher", "2d20kh1")))
}

/// The refusal of words on both sides of a test.
pub(crate) fn on_both_sides(left: Mode, right: Mode, span: Span) -> DiceError {
    let message = "Advantage as a word holds for one d20 of a check, and here each side has one.";
    Fault::new(Code::InvalidAdvantageUsage, span, message).hint(
        "Write which die of each side is kept: 2d20kh1 for advantage, 2d20kl1 for disadvantage.",
        format!("{} vs {}", left.dice(), right.dice()),
    )
}

/// Where a d20 is, without the word after it.
fn place(dice: &Dice, word: Span) -> Range<usize> {
    dice.span.range().start..dice.span.range().end.min(word.range().start)
}

/// Refuses a die that advantage cannot be written at.
pub(crate) fn check_die(dice: &Dice, mode: Mode, span: Span) -> Result<(), DiceError> {
    if !is_d20(dice) {
        return Err(refusal(
            span,
            mode,
            format!("{} is for a single d20.", mode.capital()),
        ));
    }
    if dice.count != Count::Int(Int::Literal(1)) {
        let message = format!(
            "{} rolls one d20 twice; it does not go with more than one.",
            mode.capital()
        );
        return Err(refusal(span, mode, message));
    }
    if dice.has(Stage::Keep) {
        let keeps = dice
            .modifiers
            .iter()
            .filter(|modifier| modifier.kind.stage() == Stage::Keep);
        let without = keeps.fold(Rewrite::new("without that"), |rewrite, keep| {
            rewrite.delete(keep.span.range())
        });
        return Err(refusal(
            span,
            mode,
            "This d20 already keeps or drops dice.".to_owned(),
        )
        .offering(without));
    }
    Ok(())
}

/// The refusal where there is no d20, or any of several could be meant.
fn not_one(d20s: &[&Dice], mode: Mode, span: Span) -> DiceError {
    let here = if d20s.is_empty() {
        "is none"
    } else {
        "are several"
    };
    let message = format!("{} needs exactly one d20; here {here}.", mode.capital());
    let plain = |dice: &&Dice| check_die(dice, mode, span).is_ok() && dice.modifiers.is_empty();
    let twice = mode.dice();
    let with = |purpose: &'static str, first: usize, count: usize| {
        let one = Rewrite::new(purpose).delete(span.range());
        d20s.iter()
            .skip(first)
            .take(count)
            .fold(one, |rewrite, dice| {
                rewrite.replace(place(dice, span), twice)
            })
    };
    let error = refusal(span, mode, message);
    if d20s.is_empty() || !d20s.iter().all(plain) {
        return error;
    }
    error
        .offering(with("for the first of them", 0, 1))
        .offering(with("for the last", d20s.len() - 1, 1))
        .offering(with("for each of them", 0, d20s.len()))
}

/// The mode that `2d20kh1` or `2d20kl1` is, whichever way it was written.
pub(crate) fn mode_of(dice: &Dice) -> Option<Mode> {
    if dice.count() != 2 || !is_d20(dice) || dice.counts() {
        return None;
    }
    let mut selections = dice.each();
    match (selections.next(), selections.next()) {
        (Some(Selection::Keep(End::Highest, Int::Literal(1))), None) => Some(Mode::Advantage),
        (Some(Selection::Keep(End::Lowest, Int::Literal(1))), None) => Some(Mode::Disadvantage),
        _ => None,
    }
}

pub(crate) fn double(dice: &mut Dice, mode: Mode, span: Span) {
    dice.count = Count::Int(Int::Literal(2));
    let later = dice
        .modifiers
        .iter()
        .position(|modifier| modifier.kind.stage() > Stage::Keep);
    let place = later.unwrap_or(dice.modifiers.len());
    let kind = ModifierKind::Keep(Selection::Keep(mode.end(), Int::Literal(1)));
    dice.modifiers.insert(place, Modifier { kind, span });
}

fn is_d20(dice: &Dice) -> bool {
    matches!(dice.die, DieSlot::Fixed(Die::Sides(20)))
}

fn refusal(span: Span, mode: Mode, message: String) -> DiceError {
    let is_high = mode == Mode::Advantage;
    let keep = if is_high {
        "best of several dice write kh"
    } else {
        "worst of several dice write kl"
    };
    let word = if is_high { "adv" } else { "dis" };
    Fault::new(Code::InvalidAdvantageUsage, span, message).hint(
        format!("Write it with one d20 (other dice may stand beside it); to keep the {keep}."),
        format!("1d20 {word} + 5"),
    )
}
