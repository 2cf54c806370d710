//! Conditions as effects in a fight: how entries name them, who sees them, and what goes when they end.

use std::collections::BTreeMap;

use crate::game::mechanics::threshold::Crossing;
use crate::game::record::change::Change;
use crate::game::record::entry::Visibility;
use crate::game::record::event::{EffectOn, Event};
use crate::game::record::state::{Character, CombatStatus, Condition, Lasts, State};
use crate::rules::System;

/// The conditions whose clock is like this, by bearer and name.
pub fn timed(state: &State, like: impl Fn(&Lasts) -> bool) -> Vec<Condition> {
    state.conditions.values().filter(|own| own.lasts.as_ref().is_some_and(&like)).cloned().collect()
}

/// The conditions as an entry names them.
pub fn named(state: &State, conditions: &[Condition]) -> Vec<EffectOn> {
    conditions.iter().filter_map(|own| effect_on(state, own).map(|own| EffectOn { left: None, ..own })).collect()
}

/// An effect as an entry names it.
pub fn effect_on(state: &State, row: &Condition) -> Option<EffectOn> {
    let on = state.characters.get(&row.character).map(Character::subject)?;
    // Of a fight that is only prepared, players know nothing.
    let prepared = state.open_combat().is_some_and(|combat| combat.status == CombatStatus::Setup);
    let hidden = state.open_combatant(row.character).is_some_and(|own| own.hidden || prepared);
    Some(EffectOn { name: row.label(), on, hidden, left: row.lasts.as_ref().map(Lasts::reading) })
}

/// The rows that change when these conditions end: they go, and who stands may be another.
/// `since` is the entry that ends them.
pub fn losses(state: &State, system: &System, ended: Vec<Condition>, since: i64) -> Vec<Change> {
    let mut crossings: BTreeMap<i64, Crossing> = BTreeMap::new();
    for condition in ended {
        let bearer = condition.character;
        crossings.entry(bearer).or_insert_with(|| Crossing::new(state, bearer)).lose(condition);
    }
    crossings.into_values().flat_map(|crossing| crossing.changes(state, system, since)).collect()
}

/// Players are told of what begins and ends on those they see.
pub fn visibility(event: &Event) -> Visibility {
    match event {
        Event::Effects { began, ended, .. } if began.iter().chain(ended).any(|own| !own.hidden) => Visibility::Public,
        _ => Visibility::Gm,
    }
}
