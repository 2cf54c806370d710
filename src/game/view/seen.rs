//! What players see of a fight that hides somebody: the last visible one as current, and the round it acted in.

use crate::game::record::state::{Combat, Combatant, State};

/// Whose turn it is as players know it; `None` when nobody they see has had one.
pub fn current<'s>(state: &'s State, combat: &Combat) -> Option<&'s Combatant> {
    let current = combat.current.and_then(|id| state.combatants.get(&id));
    if let Some(current) = current.filter(|own| !own.hidden) {
        return Some(current);
    }
    current?;
    let seen = state.combatants_of(combat.id).filter(|own| !own.hidden && own.turn_at.is_some());
    seen.max_by_key(|own| own.turn_at)
}

/// The round as players know it.
pub fn round(state: &State, combat: &Combat) -> u32 {
    match combat.current.and_then(|id| state.combatants.get(&id)) {
        Some(acting) if acting.hidden => current(state, combat).map_or(1, |own| own.acted_round),
        _ => combat.round,
    }
}
