//! Advantage and disadvantage: one d20 becomes two, of which one is kept.
//!
//! The rule is that of the fifth edition of Dungeons & Dragons (System Reference Document 5.1).

use crate::dice::ast::{Count, Dice, DieSlot, End, Int, Modifier, ModifierKind, Node, Stage};
use crate::dice::die::Die;
use crate::dice::error::{Code, DiceError};
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
    let mut d20_terms = 0;
    let mut fault = None;
    node.visit_dice(&mut |dice| {
        if is_d20(dice) {
            d20_terms += 1;
            fault = check_die(dice, mode, span).err();
        }
    });
    if d20_terms != 1 {
        let found = if d20_terms == 0 { "none" } else { "several" };
        let message = format!("{} needs exactly one d20; here are {found}.", capital(mode));
        return Err(refusal(span, message));
    }
    if let Some(error) = fault {
        return Err(error);
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
        return Err(refusal(span, format!("{} is for a single d20.", capital(mode))));
    }
    if dice.count != Count::Int(Int::Literal(1)) {
        let message = format!("{} rolls one d20 twice; it does not go with more than one.", capital(mode));
        return Err(refusal(span, message));
    }
    if dice.modifiers.iter().any(|modifier| modifier.kind.stage() == Stage::Keep) {
        return Err(refusal(span, "This d20 already keeps or drops dice.".to_owned()));
    }
    Ok(())
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

fn refusal(span: Span, message: String) -> DiceError {
    DiceError::new(
        Code::InvalidAdvantageUsage,
        span,
        message,
        "Write it with one d20 (other dice may stand beside it); to keep the best of several dice write kh.",
        "1d20 adv + 5",
    )
}
