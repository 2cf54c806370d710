//! Who is meant in a fight: by name, never corrected; an ambiguous or unknown name is refused with the near ones.

use super::open;
use crate::game::lookup;
use crate::game::refusal::Refusal;
use crate::game::state::{Combatant, State};
use crate::names::{fold, near, quoted};
use crate::rules::System;

/// The combatant of that name in the fight that is open.
pub(super) fn named<'s>(state: &'s State, system: &System, name: &str) -> Result<&'s Combatant, Refusal> {
    let combat = open(state)?;
    let named = |own: &Combatant| state.characters.get(&own.character).map(|character| character.name.as_str());
    let wanted = fold(name);
    if let Some(found) = state.combatants_of(combat.id).find(|own| named(own).is_some_and(|own| fold(own) == wanted)) {
        return Ok(found);
    }
    if wanted == "player" && lookup::by_name(state, name).is_none() {
        let player = lookup::sole_player(state, system)?.id;
        if let Some(found) = state.combatants_of(combat.id).find(|own| own.character == player) {
            return Ok(found);
        }
    }
    let members: Vec<&str> = state.combatants_of(combat.id).filter_map(named).collect();
    // "Goblin" where there are Goblin 1 and Goblin 2 means one of them, and nobody knows which.
    let of_kind = members.iter().filter(|own| fold(own).starts_with(&format!("{wanted} ")));
    let of_kind: Vec<String> = of_kind.take(5).map(|own| (*own).to_owned()).collect();
    let near = if of_kind.is_empty() { near(name, members) } else { of_kind };
    let hint = match near.first() {
        Some(first) => format!("Near: {}. Send combatant=\"{first}\".", near.join(", ")),
        None if lookup::by_name(state, name).is_some() => {
            format!("action=\"add\" combatants=[{{\"name\": \"{}\"}}] brings them in.", quoted(name))
        }
        None => "action=\"status\" names everybody.".to_owned(),
    };
    let summary = format!("Nobody in this fight is called \"{}\". {hint}", quoted(name));
    Err(Refusal::new("unknown_combatant", summary).near(near))
}

/// The one of that name, else whose turn it is.
pub(super) fn or_current<'s>(state: &'s State, system: &System, name: Option<&str>) -> Result<&'s Combatant, Refusal> {
    if let Some(name) = name {
        return named(state, system, name);
    }
    let current = open(state)?.current.and_then(|id| state.combatants.get(&id));
    current.ok_or_else(|| {
        let summary = "It is nobody's turn, so say who: combatant=\"…\".";
        Refusal::new("invalid_parameters", summary)
    })
}
