//! What an outcome deals and brings, before any dice of it are rolled: for the blow itself, and for its odds.

use super::blow::{Blow, dice_of, greatest};
use crate::decide::damage::{DamageCall, Measure};
use crate::record::event::{CheckEvent, Part};
use crate::refusal::Refusal;
use crate::table::Table;
use rollbook_dice::Expression;
use rollbook_rules::{Check, Dealt, System};
use rollbook_text::names::fold;

/// Dice of one type of damage, as they were typed.
pub type TypedDice = (Expression, String, Option<String>);

/// What an outcome deals.
pub enum Dealing {
    Nothing,
    /// It is for the GM to say.
    Unread,
    /// The most that these dice can show; they are not rolled.
    Most(Vec<TypedDice>),
    /// So much of what these dice show.
    Rolled(Vec<TypedDice>, Measure),
}

/// What this check deals, by the row that decided; the state is that after the check.
pub fn dealing(table: &Table, blow: &Blow, event: &CheckEvent) -> Result<Dealing, Refusal> {
    let Some(deals) = deals(table.system(), event) else { return Ok(Dealing::Unread) };
    let actor = event.subject.as_ref().and_then(|own| table.state.characters.get(&own.id));
    let given = event.given().map(|own| (fold(&own.name), own.value));
    let values = given.chain(event.results.iter().map(|(name, value)| (fold(name), *value))).collect();
    let dice = || dice_of(table.state, table.system(), actor, blow, &deals, &values);
    Ok(match deals {
        Dealt::None => Dealing::Nothing,
        Dealt::Maximum => Dealing::Most(dice()?),
        Dealt::Half => Dealing::Rolled(dice()?, Measure::Half),
        Dealt::Twice => Dealing::Rolled(dice()?, Measure::Twice),
        Dealt::Once | Dealt::DiceTwice | Dealt::Amount(_) => Dealing::Rolled(dice()?, Measure::Once),
    })
}

/// What the outcome deals. The loser of an opposed check deals nothing; where the outcome is for the GM to say, so is the damage: none.
fn deals(system: &System, event: &CheckEvent) -> Option<Dealt> {
    if event.opposed.as_ref().is_some_and(|opposed| !opposed.won) {
        return Some(Dealt::None);
    }
    let outcome = event.outcome?;
    match &event.stated {
        Some(_) => Some(Dealt::by_outcome(outcome)),
        None => event.rule(system).map(|rule| rule.deals(event.rank, outcome)),
    }
}

/// Whether an attack with this outcome deals anything.
pub fn deals_something(system: &System, event: &CheckEvent) -> bool {
    deals(system, event) != Some(Dealt::None)
}

/// The conditions that an outcome brings: those of its row, and those of the blow where it dealt anything.
pub fn brought(rule: Option<&Check>, event: &CheckEvent, dealt: Option<&Blow>) -> Vec<String> {
    let row =
        rule.and_then(|rule| rule.row(event.rank)).filter(|_| event.opposed.as_ref().is_none_or(|opposed| opposed.won));
    let of_row = row.into_iter().flat_map(|row| &row.effects).cloned();
    of_row.chain(dealt.into_iter().flat_map(|blow| &blow.conditions).cloned()).collect()
}

/// Says in `hit` how much of which type hits. One total is read from its roll, where it is named.
pub fn set_amount(hit: &mut DamageCall, totals: impl Iterator<Item = (i64, Option<String>)>) {
    let mut parts: Vec<Part> = totals.map(|(amount, damage_type)| Part { amount, damage_type }).collect();
    let total: i64 = parts.iter().map(|part| part.amount).sum();
    if parts.len() > 1 {
        parts.retain(|part| part.amount > 0);
    }
    if parts.len() > 1 {
        hit.parts = parts;
        return;
    }
    let only = parts.pop();
    let below = only.as_ref().map_or(total, |only| only.amount);
    hit.below_zero = (below < 0).then_some(below);
    hit.amount = Some(only.as_ref().map_or(0, |only| only.amount.max(0)));
    hit.damage_type = only.and_then(|only| only.damage_type);
}

/// The same with the most that dice can show; nothing where that is nothing.
pub fn set_most(hit: &mut DamageCall, dice: &[TypedDice]) {
    if greatest(dice) > 0 {
        set_amount(hit, dice.iter().map(|(expression, _, kind)| (expression.greatest().unwrap_or(0), kind.clone())));
    }
}

/// Whether a hit says how much it is.
pub fn hurts(hit: &DamageCall) -> bool {
    hit.roll.is_some() || hit.amount.is_some() || !hit.parts.is_empty()
}
