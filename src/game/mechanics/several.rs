//! Several characters at once: by their names, a side of the fight, or "party".

use crate::game::mechanics::health::Vitality;
use crate::game::mechanics::lookup;
use crate::game::record::state::{Character, State};
use crate::game::refusal::{Code, Refusal};
use crate::names::same;
use crate::rules::System;

/// How many a call may name.
const SEVERAL_MAX: usize = 50;

/// Those whom the names mean, each once, in order. A side of the running fight ("foes") and "party" mean those of them who are up.
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
                Err(refusal) => refused.push(refusal),
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

/// Everybody of that side who is up; `None` where a character has that name, or no side.
fn side<'s>(state: &'s State, system: &System, name: &str) -> Option<Vec<&'s Character>> {
    if lookup::by_name(state, name).is_some() {
        return None;
    }
    let combat = state.running_combat();
    let fighting = |who: &Character| {
        let own = combat.and_then(|combat| state.combatants_of(combat.id).find(|own| own.character == who.id));
        (own, combat.is_some())
    };
    let is_up = |who: &&Character| !Vitality::of(state, who.id).is_down(system);
    if same(name, "party") {
        let party = state.characters.values().filter(|own| own.is_in_party());
        let here = party.filter(|own| !matches!(fighting(own), (None, true)));
        return Some(here.filter(is_up).collect());
    }
    let combat = combat?;
    let of_it = || state.combatants_of(combat.id).filter(|own| same(&own.side, name));
    of_it().next()?;
    let up = of_it().filter(|own| !own.defeated).filter_map(|own| state.characters.get(&own.character));
    Some(up.filter(is_up).collect())
}

fn nobody_up(parameter: &str, name: &str) -> Refusal {
    let summary = format!("Nobody of {name} is up. Send {parameter} with the names of those who are meant.");
    Refusal::new(Code::InvalidParameters, summary)
}
