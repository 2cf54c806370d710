//! Conditions as effects in a fight: how entries name them, who sees them, and what changes when they end.

use std::collections::BTreeMap;

use crate::mechanics::threshold::Consequences;
use crate::record::change::{Change, Images};
use crate::record::entry::Visibility;
use crate::record::event::{EffectOn, Effects, Event};
use crate::record::state::{Character, CombatStatus, Condition, State, TurnsLeft};
use rollbook_rules::System;

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
    let hidden =
        row.hidden || state.is_hidden(row.character) || (prepared && state.open_combatant(row.character).is_some());
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

/// Takes changes of hidden effects out of those of an entry that players see, as far as its event does not name them itself.
pub fn taken_hidden(event: &Event, changes: &mut Vec<Change>) -> Vec<Change> {
    match event {
        Event::Effects(_) | Event::TurnTakenBack(_) | Event::Undone(_) => Vec::new(),
        _ => changes.extract_if(.., |change| change.is_of_hidden()).collect(),
    }
}

/// What the GM reads of these changes of hidden effects; `None` where there are none.
pub fn of_hidden(state: &State, changes: &[Change]) -> Option<Event> {
    let (mut began, mut ended) = (Vec::new(), Vec::new());
    for change in changes {
        let Change::Condition(Images { before, after }) = change else { continue };
        match (before, after) {
            (_, Some(after)) => began.extend(effect_on(state, after)),
            (Some(before), None) => ended.extend(effects_on(state, std::slice::from_ref(before))),
            (None, None) => {}
        }
    }
    let combat = state.combats.keys().next_back().copied().unwrap_or(0);
    let event = Event::Effects(Effects { combat, began, left: Vec::new(), ended, holder: None, revealed: false });
    (!changes.is_empty()).then_some(event)
}

/// Public where an effect begins or ends on a combatant that players see.
pub fn visibility(event: &Event) -> Visibility {
    match event {
        Event::Effects(Effects { began, ended, .. }) if began.iter().chain(ended).any(|own| !own.hidden) => {
            Visibility::Public
        }
        _ => Visibility::Gm,
    }
}
