//! The conditions that a call names itself, beside what the blow brings.

use super::DamageCall;
use crate::game::mechanics::lookup;
use crate::game::mechanics::threshold::{Crossing, Sent, known, level_in_range};
use crate::game::record::event::DamageEvent;
use crate::game::record::state::{Character, Condition, State};
use crate::game::refusal::{Code, Refusal};
use crate::names::{Found, find, quoted, same};
use crate::rules::System;

/// A refusal where conditions alone are brought, and all of them are there.
pub fn something(event: &DamageEvent, call: &DamageCall) -> Result<(), Refusal> {
    if event.track.is_some() || !event.gained.is_empty() || !event.lost.is_empty() || event.roll.is_some() {
        return Ok(());
    }
    let names: Vec<String> = call.apply_conditions.iter().map(|name| quoted(name)).collect();
    let summary = format!("{} is {} already, so there is nothing to do.", event.subject.name, names.join(", "));
    Err(Refusal::new(Code::NoEffect, summary))
}

/// Ends what the call ends, then brings what it brings; a refusal where somebody has none of that name, no rule knows it, or they
/// would have too many. Answers what the reply notes of them.
pub(super) fn apply(
    state: &State,
    system: &System,
    target: &Character,
    call: &DamageCall,
    crossing: &mut Crossing,
) -> Result<Vec<String>, Refusal> {
    for name in &call.remove_conditions {
        let own = || state.conditions_of(target.id);
        let is = |own: &&Condition| [&own.name, &own.label()].into_iter().any(|known| same(known, name));
        let by_word = || match find(name, own().map(|own| (own.name.as_str(), own))) {
            Found::One(condition) => Ok(Some(condition)),
            Found::Several(fit) => {
                let fit = fit.into_iter().map(|own| own.name.clone()).collect();
                Err(lookup::several("remove_conditions", name, fit))
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
                    format!("{} is not {}, nor anything else. Leave remove_conditions out.", target.name, quoted(name))
                }
                false => {
                    format!("{} is not {}, only {}. Send one of these.", target.name, quoted(name), has.join(", "))
                }
            };
            return Err(Refusal::new(Code::UnknownCondition, summary).near(crate::names::near(name, has)));
        };
        crossing.lose(condition);
    }
    let held: Vec<String> = state.conditions_of(target.id).flat_map(|own| [own.name.clone(), own.label()]).collect();
    let held: Vec<&str> = held.iter().map(String::as_str).collect();
    let mut noted = Vec::new();
    for name in &call.apply_conditions {
        level_in_range(system, name)?;
        noted.extend(known(system, &held, name, call.free, Sent::List)?);
        crossing.gain(state, system, name, "gm");
    }
    crossing.bounds(state)?;
    Ok(noted)
}
