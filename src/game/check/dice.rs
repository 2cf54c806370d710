//! What moves a check's dice before they fall: advantage, disadvantage, the dice chain.

use super::CheckCall;
use super::conditions::Brought;
use crate::dice::{BindError, Bound, Expression, Mode};
use crate::game::refusal::Refusal;
use crate::game::values::dice_refusal;
use crate::rules::{Swap, System};

/// The expression with advantage or disadvantage; none when there is neither, or both, which cancel.
///
/// What the call asks for and the rules do not know is refused; what a condition asks for is left to the GM then.
pub fn mode(
    system: &System,
    expression: &Expression,
    call: &CheckCall,
    brought: &Brought,
    lookup: &mut dyn FnMut(&str) -> Option<Bound>,
    adjustments: &mut Vec<String>,
) -> Result<Option<Expression>, Refusal> {
    let high = call.advantage || !brought.advantage.is_empty();
    let low = call.disadvantage || !brought.disadvantage.is_empty();
    let (mode, asked, sources, rule) = match (high, low) {
        (true, false) => (Mode::Advantage, call.advantage, &brought.advantage, &system.advantage),
        (false, true) => (Mode::Disadvantage, call.disadvantage, &brought.disadvantage, &system.disadvantage),
        (true, true) => {
            adjustments.push("advantage and disadvantage cancel out".to_owned());
            return Ok(None);
        }
        (false, false) => return Ok(None),
    };
    let word = mode.as_str();
    let Some(rule) = rule else {
        if asked {
            let summary = format!("These rules have no {word}. Send the check without it, or with a modifier.");
            return Err(Refusal::new("invalid_advantage_usage", summary));
        }
        adjustments.push(format!("{} asks for {word}, which these rules do not say how to roll", sources.join("; ")));
        return Ok(None);
    };
    let swapped = swapped(expression, rule, lookup)?;
    let place = rule.place.as_ref().map_or(String::new(), |place| format!(", {place}"));
    let why = if sources.is_empty() { String::new() } else { format!(" ({})", sources.join("; ")) };
    adjustments.push(format!("{word}{why}: {}{place}", rule.roll));
    Ok(Some(swapped))
}

fn swapped(
    expression: &Expression,
    rule: &Swap,
    lookup: &mut dyn FnMut(&str) -> Option<Bound>,
) -> Result<Expression, Refusal> {
    let dice = rule.roll.bind_with(lookup).map_err(|error| match error {
        BindError::Missing(names) => {
            let summary = format!("The rule for it needs {}, which has no value.", names.join(", "));
            Refusal::new("missing_value", summary)
        }
        BindError::Dice(error) => dice_refusal(&error),
    })?;
    expression.replace_main_die(&dice).map_err(|error| dice_refusal(&error))
}

/// The expression with its main die moved along the dice chain, and how it moved. Beyond an end the die stays at the end.
pub fn chain(system: &System, expression: &Expression, steps: i64) -> Result<(Expression, String), Refusal> {
    let Some(chain) = &system.chain else {
        let summary = "These rules have no dice chain, so steps mean nothing. Send the check without steps, or with a \
                       modifier.";
        return Err(Refusal::new("no_dice_chain", summary));
    };
    let die = expression.main_die();
    let moved = die.as_ref().and_then(|die| chain.moved(die, steps));
    let (Some(die), Some(moved)) = (die, moved) else {
        let summary = format!(
            "The main die of {expression} is not on the dice chain ({}). Send the check without steps.",
            chain.list()
        );
        return Err(Refusal::new("no_dice_chain", summary).at(chain.place.to_string()));
    };
    let note = format!("dice chain {steps:+}: {die} to {moved}, {}", chain.place);
    let expression = expression.with_main_die(moved).map_err(|error| dice_refusal(&error))?;
    Ok((expression, note))
}
