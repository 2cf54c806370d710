//! Conditions as effects in a fight: how entries name them, who sees them, and what changes when they end.

use std::collections::BTreeMap;

use crate::game::mechanics::threshold::Consequences;
use crate::game::record::change::Change;
use crate::game::record::entry::Visibility;
use crate::game::record::event::{EffectOn, Event};
use crate::game::record::state::{Character, CombatStatus, Condition, State, TurnsLeft};
use crate::rules::System;

/// The conditions whose turn count matches, by bearer and name.
pub fn counted_by(state: &State, like: impl Fn(&TurnsLeft) -> bool) -> Vec<Condition> {
    state.conditions.values().filter(|own| own.lasts.as_ref().is_some_and(&like)).cloned().collect()
}

/// The conditions as an entry names them.
pub fn effects_on(state: &State, conditions: &[Condition]) -> Vec<EffectOn> {
    conditions.iter().filter_map(|own| effect_on(state, own).map(|own| EffectOn { left: None, ..own })).collect()
}

/// An effect as an entry names it.
pub fn effect_on(state: &State, row: &Condition) -> Option<EffectOn> {
    let on = state.characters.get(&row.character).map(Character::subject)?;
    // Players know nothing of a fight that is only prepared.
    let prepared = state.open_combat().is_some_and(|combat| combat.status == CombatStatus::Setup);
    let hidden = state.is_hidden(row.character) || (prepared && state.open_combatant(row.character).is_some());
    Some(EffectOn { name: row.label(), on, hidden, left: row.lasts.as_ref().map(TurnsLeft::render) })
}

/// The rows that change when these conditions end: the conditions, and combatants who are up again. `since` is the entry
/// that ends them.
pub fn end_conditions(state: &State, system: &System, ended: Vec<Condition>, since: i64) -> Vec<Change> {
    let mut by_bearer: BTreeMap<i64, Consequences> = BTreeMap::new();
    for condition in ended {
        let bearer = condition.character;
        by_bearer.entry(bearer).or_insert_with(|| Consequences::new(state, bearer)).end_condition(condition);
    }
    by_bearer.into_values().flat_map(|consequences| consequences.into_changes(state, system, since)).collect()
}

/// Public where an effect begins or ends on a combatant that players see.
pub fn visibility(event: &Event) -> Visibility {
    match event {
        Event::Effects { began, ended, .. } if began.iter().chain(ended).any(|own| !own.hidden) => Visibility::Public,
        _ => Visibility::Gm,
    }
}
