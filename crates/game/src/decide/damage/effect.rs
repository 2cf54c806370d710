//! Effects of rules on a character: of a row or a rest, of time that passes, of a clock.

use std::collections::BTreeMap;

use super::{DamageCall, DamageResult, Moved, any_moved, applied_event, decide, write};
use crate::mechanics::threshold::{By, Consequences};
use crate::mechanics::values::{Values, dice_refusal};
use crate::record::entry::{RollRecord, Visibility};
use crate::record::state::{Character, Clock};
use crate::refusal::Refusal;
use crate::table::Table;
use rollbook_rules::{Act, Effect, Trigger};
use rollbook_text::names::same;

/// An effect of a rule on a character.
#[derive(Debug, Clone, Copy)]
pub struct Due<'a> {
    pub effect: &'a Effect,
    /// Numbers of a roll, by name.
    pub given: &'a BTreeMap<String, i64>,
    /// How many times it adds to a track.
    pub times: i64,
}

/// Applies an effect of a rule to a character and logs it; returns whether anything changed. Dice are thrown now.
/// Refused: when a number that it needs is missing, or there is no room for more conditions.
pub fn apply_effect(
    table: &mut Table,
    who: &Character,
    due: Due<'_>,
    reason: String,
    visibility: Visibility,
) -> Result<bool, Refusal> {
    let Due { effect, given, times } = due;
    let mut rolls = Vec::new();
    let amount = rolled_amount(table, who, (effect, given, "rule"), &mut rolls)?;
    if let Act::Damage { kind, .. } = &effect.act {
        let call = DamageCall {
            target: who.name.clone(),
            amount: Some(amount.max(0)),
            damage_type: kind.clone(),
            reason: Some(reason),
            unasked: true,
            ..DamageCall::default()
        };
        return Ok(amount > 0 && decide(table, call, Some(visibility)).is_ok());
    }
    let (state, system) = (&*table.state, table.system());
    let place = effect.place.to_string();
    let mut consequences = Consequences::new(state, who.id);
    consequences.rule = Some(place.clone());
    consequences.apply(state, system, (effect, amount), By { times, ..By::rule(&place) });
    consequences.check_limits(state, system)?;
    let moved = std::mem::take(&mut consequences.moved);
    let is_idle = !any_moved(&moved)
        && consequences.gained.is_empty()
        && consequences.lost.is_empty()
        && consequences.shared.is_empty();
    if is_idle && rolls.is_empty() {
        return Ok(false);
    }
    // A name of the rules means the marks of this name, or for the track itself.
    let names = effect.track().map(|name| match system.soak(name) {
        Some(soak) => soak.marks.iter().map(|mark| mark.track.as_str()).collect(),
        None => vec![name],
    });
    let is_named = |(before, _): &&Moved| names.iter().flatten().any(|name| *name == before.name);
    let counted: Vec<Moved> = moved.iter().filter(is_named).cloned().collect();
    let event = applied_event(system, who, &consequences, (&moved, &counted), reason);
    write(table, DamageResult { event, moved, consequences, rolls, notes: Vec::new() }, Some(visibility));
    Ok(!is_idle)
}

/// Applies what a clock's or a shared track's trigger does to a character, and logs it where it changes anything: all of it, or nothing
/// with a note that says why. Without effects the conditions end that the trigger began before.
pub fn apply_clock_effects(
    table: &mut Table,
    who: &Character,
    (clock, trigger): (&Clock, &Trigger),
    effects: &[&Effect],
    visibility: Visibility,
) {
    let (state, system) = (&*table.state, table.system());
    let mut consequences = Consequences::new(state, who.id);
    if consequences.vitality.is_dead() {
        return;
    }
    let place = trigger.place.to_string();
    for effect in effects {
        if let Some(amount) = consequences.number_of(state, system, effect, 0) {
            consequences.apply(state, system, (effect, amount), By::rule(&place));
        }
    }
    if effects.is_empty() {
        consequences.end_brought_by(state, &place);
    }
    if let Err(refusal) = consequences.check_limits(state, system) {
        let effects: Vec<&str> = effects.iter().map(|effect| effect.text.as_str()).collect();
        table.note([format!("{} did not happen to {}: {}", effects.join(", "), who.name, refusal.summary)]);
        return;
    }
    let moved = std::mem::take(&mut consequences.moved);
    if consequences.gained.is_empty() && consequences.lost.is_empty() && moved.is_empty() {
        return;
    }
    consequences.rule = Some(place);
    let event = applied_event(system, who, &consequences, (&moved, &moved), clock.name.clone());
    let (rolls, notes) = (Vec::new(), Vec::new());
    write(table, DamageResult { event, moved, consequences, rolls, notes }, Some(visibility));
}

/// The number of an effect, rolled where it has dice. `given` are numbers of a roll, by name; below 0 is nothing.
/// Refused: when a number that it needs is missing.
pub fn rolled_amount(
    table: &mut Table,
    who: &Character,
    (effect, given, purpose): (&Effect, &BTreeMap<String, i64>, &str),
    rolls: &mut Vec<RollRecord>,
) -> Result<i64, Refusal> {
    let Some(amount) = &effect.amount else { return Ok(0) };
    let given = |name: &str| given.iter().find(|(known, _)| same(known, name)).map(|(_, value)| (*value).max(0));
    let values = Values::of(table.state, table.system(), who);
    let bound = amount.bind(&mut |name| given(name).or_else(|| values.get(name)));
    let expression = bound.or_else(|_| values.bind(amount))?;
    if let Some(constant) = expression.constant() {
        return Ok(constant);
    }
    let record = table.roll(&expression, &who.name, purpose).map_err(|error| dice_refusal(&error))?;
    let total = record.roll.total;
    rolls.push(record);
    Ok(total)
}
