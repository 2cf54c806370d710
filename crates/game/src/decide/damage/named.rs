//! Conditions that a call adds and removes.

use super::DamageCall;
use crate::mechanics::lookup;
use crate::mechanics::threshold::{ConditionParameter, Consequences, check_condition, check_level};
use crate::record::event::DamageEvent;
use crate::record::state::{Character, Condition, State};
use crate::refusal::{Code, Refusal};
use rollbook_rules::System;
use rollbook_text::names::{Found, find, quoted, same};

/// Refuses a call that only adds conditions which are all there.
pub fn check_effect(event: &DamageEvent, call: &DamageCall) -> Result<(), Refusal> {
    if event.track.is_some()
        || event.amount != 0
        || !event.gained.is_empty()
        || !event.lost.is_empty()
        || event.roll.is_some()
    {
        return Ok(());
    }
    let names: Vec<String> = call.apply_conditions.iter().map(|name| quoted(name)).collect();
    let summary = format!("{} is {} already, so there is nothing to do.", event.subject.name, names.join(", "));
    Err(Refusal::new(Code::NoEffect, summary))
}

/// Removes and adds the call's conditions; refuses unknown ones and too many. Returns notes for the reply.
pub(super) fn apply_conditions(
    state: &State,
    system: &System,
    target: &Character,
    call: &DamageCall,
    consequences: &mut Consequences,
) -> Result<Vec<String>, Refusal> {
    for name in &call.remove_conditions {
        let own = || state.conditions_of(target.id);
        let is = |own: &&Condition| [&own.name, &own.label()].into_iter().any(|known| same(known, name));
        let by_word = || match find(name, own().map(|own| (own.name.as_str(), own))) {
            Found::One(condition) => Ok(Some(condition)),
            Found::Several(fit) => {
                let fit = fit.into_iter().map(|own| own.name.clone()).collect();
                Err(lookup::ambiguous("remove_conditions", name, fit))
            }
            Found::Nothing => Ok(None),
        };
        let found = match own().find(is) {
            Some(found) => Some(found),
            None => by_word()?,
        };
        let Some(condition) = found.cloned() else {
            let has: Vec<&str> = own().map(|condition| condition.name.as_str()).collect();
            let summary = match has.is_empty() {
                true => {
                    format!(
                        "{} is not {}, nor anything else, so there is nothing to take away.",
                        target.name,
                        quoted(name)
                    )
                }
                false => {
                    format!("{} is not {}, only {}. Send one of these.", target.name, quoted(name), has.join(", "))
                }
            };
            return Err(
                Refusal::new(Code::UnknownCondition, summary).did_you_mean(rollbook_text::names::suggest(name, has))
            );
        };
        consequences.end(state, system, condition);
    }
    let held: Vec<String> = state.conditions_of(target.id).flat_map(|own| [own.name.clone(), own.label()]).collect();
    let held: Vec<&str> = held.iter().map(String::as_str).collect();
    let mut notes = Vec::new();
    for name in &call.apply_conditions {
        check_level(system, name)?;
        notes.extend(check_condition(system, &held, name, call.free, ConditionParameter::List)?);
        consequences.gain(state, system, (name, call.by_rule), "gm");
    }
    consequences.check_limits(state, system)?;
    Ok(notes)
}
