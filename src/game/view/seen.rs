//! The current turn and round as players see them: of the last visible combatant that acted.

use crate::game::record::state::{Combat, Combatant, State};

/// The combatant whose turn players see; `None` before a visible one has acted.
pub fn visible_turn<'s>(state: &'s State, combat: &Combat) -> Option<&'s Combatant> {
    let current = combat.current.and_then(|id| state.combatants.get(&id));
    if let Some(current) = current.filter(|own| !own.hidden) {
        return Some(current);
    }
    current?;
    let seen = state.combatants_of(combat.id).filter(|own| !own.hidden && own.turn_at.is_some());
    seen.max_by_key(|own| own.turn_at)
}

/// The round that players see.
pub fn visible_round(state: &State, combat: &Combat) -> u32 {
    match combat.current.and_then(|id| state.combatants.get(&id)) {
        Some(acting) if acting.hidden => visible_turn(state, combat).map_or(1, |own| own.acted_round),
        _ => combat.round,
    }
}
