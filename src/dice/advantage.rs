//! Advantage and disadvantage: one d20 becomes two, of which one is kept.
//!
//! The rule is that of the fifth edition of Dungeons & Dragons (System Reference Document 5.1).

use crate::dice::ast::{Count, Dice, DieSlot, End, Int, Modifier, ModifierKind, Node, Stage};
use crate::dice::die::Die;
use crate::dice::error::{Code, DiceError};
use crate::dice::rewrite::Rewrite;
use crate::dice::span::Span;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which of two d20 is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// The higher.
    Advantage,
    /// The lower.
    Disadvantage,
}

impl Mode {
    /// `advantage` or `disadvantage`.
    pub fn as_str(self) -> &'static str {
        match self {
            Mode::Advantage => "advantage",
            Mode::Disadvantage => "disadvantage",
        }
    }

    fn end(self) -> End {
        match self {
            Mode::Advantage => End::Highest,
            Mode::Disadvantage => End::Lowest,
        }
    }
}

/// Turns the one d20 of the expression into two.
///
/// # Errors
/// `invalid_advantage_usage` unless the node has exactly one d20 term, its count is 1 and nothing
/// is kept or dropped from it yet.
pub(crate) fn apply(node: &mut Node, mode: Mode, span: Span) -> Result<(), DiceError> {
    let mut d20s: Vec<&Dice> = Vec::new();
    node.visit_dice(&mut |dice| {
        if is_d20(dice) {
            d20s.push(dice);
        }
    });
    match d20s.as_slice() {
        [] => return Err(refusal(span, mode, format!("{} needs exactly one d20; here is none.", capital(mode)))),
        [one] => check_die(one, mode, span)?,
        several => return Err(of_several(several, mode, span)),
    }
    node.visit_dice_mut(&mut |dice| {
        if is_d20(dice) {
            double(dice, mode, span);
        }
    });
    Ok(())
}

/// Refuses a die that advantage cannot be written at.
pub(crate) fn check_die(dice: &Dice, mode: Mode, span: Span) -> Result<(), DiceError> {
    if !is_d20(dice) {
        return Err(refusal(span, mode, format!("{} is for a single d20.", capital(mode))));
    }
    if dice.count != Count::Int(Int::Literal(1)) {
        let message = format!("{} rolls one d20 twice; it does not go with more than one.", capital(mode));
        return Err(refusal(span, mode, message));
    }
    let keeps = || dice.modifiers.iter().filter(|modifier| modifier.kind.stage() == Stage::Keep);
    if keeps().next().is_some() {
        let without = keeps().fold(Rewrite::new("without that"), |rewrite, keep| rewrite.delete(keep.span.range()));
        return Err(refusal(span, mode, "This d20 already keeps or drops dice.".to_owned()).offering(without));
    }
    Ok(())
}

/// The refusal where any of several d20 could be meant.
fn of_several(d20s: &[&Dice], mode: Mode, span: Span) -> DiceError {
    let message = format!("{} needs exactly one d20; here are several.", capital(mode));
    let plain = |dice: &&Dice| check_die(dice, mode, span).is_ok() && dice.modifiers.is_empty();
    let twice = match mode {
        Mode::Advantage => "2d20kh1",
        Mode::Disadvantage => "2d20kl1",
    };
    let with = |purpose: &'static str, count: usize| {
        let one = Rewrite::new(purpose).delete(span.range());
        // The word may stand within the last of them.
        let place = |dice: &Dice| dice.span.range().start..dice.span.range().end.min(span.range().start);
        d20s.iter().take(count).fold(one, |rewrite, dice| rewrite.replace(place(dice), twice))
    };
    let error = refusal(span, mode, message);
    match d20s.iter().all(plain) {
        true => error.offering(with("for the first of them", 1)).offering(with("for each of them", d20s.len())),
        false => error,
    }
}

/// The mode that `2d20kh1` or `2d20kl1` is, whichever way it was written.
pub(crate) fn mode_of(dice: &Dice) -> Option<Mode> {
    if dice.count() != 2 || !is_d20(dice) || dice.counts() {
        return None;
    }
    let mut keeps = dice.modifiers.iter().filter(|modifier| modifier.kind.stage() == Stage::Keep);
    let keep = keeps.next()?;
    match (&keep.kind, keeps.next()) {
        (ModifierKind::Keep(End::Highest, Int::Literal(1)), None) => Some(Mode::Advantage),
        (ModifierKind::Keep(End::Lowest, Int::Literal(1)), None) => Some(Mode::Disadvantage),
        _ => None,
    }
}

fn double(dice: &mut Dice, mode: Mode, span: Span) {
    dice.count = Count::Int(Int::Literal(2));
    let later = dice.modifiers.iter().position(|modifier| modifier.kind.stage() > Stage::Keep);
    let place = later.unwrap_or(dice.modifiers.len());
    let kind = ModifierKind::Keep(mode.end(), Int::Literal(1));
    dice.modifiers.insert(place, Modifier { kind, span });
}

fn is_d20(dice: &Dice) -> bool {
    matches!(dice.die, DieSlot::Fixed(Die::Sides(20)))
}

fn capital(mode: Mode) -> &'static str {
    match mode {
        Mode::Advantage => "Advantage",
        Mode::Disadvantage => "Disadvantage",
    }
}

fn refusal(span: Span, mode: Mode, message: String) -> DiceError {
    let (keep, word) = match mode {
        Mode::Advantage => ("best of several dice write kh", "adv"),
        Mode::Disadvantage => ("worst of several dice write kl", "dis"),
    };
    DiceError::new(
        Code::InvalidAdvantageUsage,
        span,
        message,
        format!("Write it with one d20 (other dice may stand beside it); to keep the {keep}."),
        format!("1d20 {word} + 5"),
    )
}
