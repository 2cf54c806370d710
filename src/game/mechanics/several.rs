//! Several characters at once: by their names, a side of the fight, or "party".

use std::collections::BTreeSet;

use crate::game::mechanics::health::Vitality;
use crate::game::mechanics::lookup;
use crate::game::record::state::{Character, Combat, State};
use crate::game::refusal::{Code, Refusal};
use crate::names::{quoted, same};
use crate::rules::System;

/// How many a call may name.
const SEVERAL_MAX: usize = 50;

/// Those whom the names mean, each once, in order. A side of the running fight ("foes") and "party" mean those of them who are up and
/// not hidden.
///
/// # Errors
/// All names that mean nobody, or several; nobody at all; too many.
pub fn several<'s>(
    state: &'s State,
    system: &System,
    parameter: &str,
    names: &[String],
) -> Result<Vec<&'s Character>, Refusal> {
    let mut found: Vec<&Character> = Vec::new();
    let mut refused: Vec<Refusal> = Vec::new();
    for name in names {
        match side(state, system, name) {
            Some(side) if side.is_empty() => refused.push(nobody_up(parameter, name)),
            Some(side) => found.extend(side),
            None => match lookup::participant(state, system, parameter, name) {
                Ok(one) => found.push(one),
                Err(refusal) => refused.push(advised(state, system, parameter, name, refusal)),
            },
        }
    }
    if !refused.is_empty() {
        return Err(Refusal::all(refused));
    }
    let mut seen: Vec<i64> = Vec::new();
    found.retain(|own| {
        !seen.contains(&own.id) && {
            seen.push(own.id);
            true
        }
    });
    match found.len() {
        0 => Err(Refusal::new(
            Code::InvalidParameters,
            format!("{parameter} names nobody. Send {parameter}=\"Goblin 1\"."),
        )),
        1..=SEVERAL_MAX => Ok(found),
        many => {
            let summary = format!("{parameter} means {many} characters; a call takes {SEVERAL_MAX}. Name fewer.");
            Err(Refusal::new(Code::LimitExceeded, summary))
        }
    }
}

/// Whether a name means several: "party", or a side of the running fight.
pub fn is_side(state: &State, name: &str) -> bool {
    if lookup::by_name(state, name).is_some() {
        return false;
    }
    let of_it = |combat: &Combat| state.combatants_of(combat.id).any(|own| same(&own.side, name));
    same(name, "party") || state.running_combat().is_some_and(of_it)
}

/// Everybody of that side who is up; `None` where it is no side.
fn side<'s>(state: &'s State, system: &System, name: &str) -> Option<Vec<&'s Character>> {
    if !is_side(state, name) {
        return None;
    }
    let combat = state.running_combat();
    let own = |who: &Character| state.combatants_of(combat?.id).find(|own| own.character == who.id);
    let is_up = |who: &&Character| !Vitality::of(state, who.id).is_down(system);
    if same(name, "party") {
        let here = |who: &&Character| who.is_in_party() && (combat.is_none() || own(who).is_some());
        return Some(state.characters.values().filter(here).filter(is_up).collect());
    }
    let of_it = state.combatants_of(combat?.id).filter(|own| same(&own.side, name) && !own.defeated && !own.hidden);
    Some(of_it.filter_map(|own| state.characters.get(&own.character)).filter(is_up).collect())
}

/// The refusal of one name that may be a list written as text, or other words for a side.
fn advised(state: &State, system: &System, parameter: &str, name: &str, refusal: Refusal) -> Refusal {
    let parts: Vec<&str> = name.split([',', ';']).flat_map(|part| part.split(" and ")).map(str::trim).collect();
    let known = |part: &&str| lookup::participant(state, system, parameter, part).is_ok();
    if parts.len() > 1 && parts.iter().all(known) {
        let list: Vec<String> = parts.iter().map(|part| format!("\"{}\"", quoted(part))).collect();
        let summary = format!("Several names are a list. Send {parameter}=[{}].", list.join(", "));
        return Refusal::new(refusal.code, summary);
    }
    let sides = state.running_combat().into_iter().flat_map(|combat| state.combatants_of(combat.id));
    let sides: BTreeSet<&str> = sides.map(|own| own.side.as_str()).collect();
    if sides.is_empty() || !refusal.did_you_mean.is_empty() {
        return refusal;
    }
    let sides: Vec<String> = sides.into_iter().map(|side| format!("{parameter}=\"{}\"", quoted(side))).collect();
    Refusal { summary: format!("{} A whole side is {}.", refusal.summary, sides.join(" or ")), ..refusal }
}

fn nobody_up(parameter: &str, name: &str) -> Refusal {
    let summary = format!("Nobody of {name} is up. Send {parameter} with the names of those who are meant.");
    Refusal::new(Code::InvalidParameters, summary)
}
