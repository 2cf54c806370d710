//! How long conditions last in a fight: so many starts or ends of somebody's turn. An effect is a condition with such a
//! clock, so whatever knows conditions (checks, sheets, triggers, rests) knows effects.
//!
//! Each start and each end of the anchor's turn is counted once. What is begun in the anchor's own turn counts that turn's
//! end. Where rounds are counted, a round in which the anchor has no turn counts when the round ends.

use std::collections::BTreeMap;

use super::act::{EffectOn, Holder};
use super::has_turns;
use crate::game::crossing::Crossing;
use crate::game::entry::{Change, Images, Visibility};
use crate::game::event::Event;
use crate::game::lasting::{Counted, Lasting};
use crate::game::state::{Character, Combat, CombatStatus, Condition, Edge, Lasts, State, Unit};
use crate::game::table::{Draft, Table};
use crate::rules::{Anchor, System};

/// A condition that comes in a fight, with the clock its rule declares, unless the GM said what ends it.
pub fn started(state: &State, system: &System, row: Condition) -> Condition {
    if row.lasts.is_some() || row.until.is_some() {
        return row;
    }
    let cause = row.caused_by.and_then(|cause| state.open_combatant(cause)).map(|own| own.id);
    let lasts = declared(system, &row.name).and_then(|counted| begun(state, system, &counted, row.character, cause));
    Condition { lasts, ..row }
}

/// The turns that the rules count for a condition of that name.
pub(super) fn declared(system: &System, name: &str) -> Option<Counted> {
    let rule = system.condition(name)?;
    match Lasting::of(rule.duration.as_ref()?, &rule.about) {
        Lasting::Counted(counted) => Some(counted),
        Lasting::Until(_) => None,
    }
}

/// A clock that begins now, for somebody who stands in the running fight. `cause` is a combatant; whoever acts is taken for
/// it where nobody is named.
pub fn begun(state: &State, system: &System, counted: &Counted, bearer: i64, cause: Option<i64>) -> Option<Lasts> {
    let combat = state.open_combat().filter(|_| has_turns(system))?;
    let own = state.combatants_of(combat.id).find(|combatant| combatant.character == bearer)?.id;
    let source = cause.or(combat.current).unwrap_or(own);
    let (anchor, at) = match counted.anchor.unwrap_or_default() {
        Anchor::BearerStart => (own, Edge::Start),
        Anchor::BearerEnd => (own, Edge::End),
        Anchor::SourceStart => (source, Edge::Start),
        Anchor::SourceEnd => (source, Edge::End),
    };
    // "Until the end of your next turn", begun in one's own turn, does not mean this one.
    let next = counted.next && at == Edge::End && combat.current == Some(anchor);
    Some(Lasts { left: counted.left.saturating_add(u32::from(next)), unit: counted.unit, anchor, at })
}

/// One start or end of a combatant's turn.
pub(super) fn count(table: &mut Table, combat: i64, anchor: i64, at: Edge) {
    let due = timed(table.state, |lasts| lasts.anchor == anchor && lasts.at == at);
    tick(table, combat, due);
}

/// The end of a round for whoever had no turn in it.
pub(super) fn count_missed(table: &mut Table, combat: &Combat) {
    let missed = |anchor: i64| {
        let own = table.state.combatants.get(&anchor);
        own.is_some_and(|own| {
            own.combat == combat.id && own.acted_round < combat.round && own.from_round <= combat.round
        })
    };
    let due = timed(table.state, |lasts| lasts.unit == Unit::Rounds && missed(lasts.anchor));
    tick(table, combat.id, due);
}

/// The conditions whose clock is like this, by bearer and name.
pub(super) fn timed(state: &State, like: impl Fn(&Lasts) -> bool) -> Vec<Condition> {
    state.conditions.values().filter(|own| own.lasts.as_ref().is_some_and(&like)).cloned().collect()
}

fn tick(table: &mut Table, combat: i64, due: Vec<Condition>) {
    let (ended, running): (Vec<Condition>, Vec<Condition>) =
        due.into_iter().partition(|own| own.lasts.as_ref().is_none_or(|lasts| lasts.left <= 1));
    let counted = running.into_iter().filter_map(|before| {
        let lasts = before.lasts.clone().map(|lasts| Lasts { left: lasts.left - 1, ..lasts })?;
        let after = Condition { lasts: Some(lasts), ..before.clone() };
        Some(Images::changed(before, after))
    });
    let counted: Vec<Images<Condition>> = counted.collect();
    log(table, combat, "system", counted, ended);
}

/// Ends these conditions, and says so in one entry.
pub(super) fn end(table: &mut Table, combat: i64, actor: &str, ended: Vec<Condition>) {
    log(table, combat, actor, Vec::new(), ended);
}

fn log(table: &mut Table, combat: i64, actor: &str, counted: Vec<Images<Condition>>, ended: Vec<Condition>) {
    if counted.is_empty() && ended.is_empty() {
        return;
    }
    let left = counted.iter().filter_map(|images| images.after.as_ref());
    let left: Vec<EffectOn> = left.filter_map(|row| effect_on(table.state, row)).collect();
    let event = Event::Effects { combat, began: Vec::new(), left, ended: named(table.state, &ended), holder: None };
    let changes = counted.into_iter().map(Change::Condition).chain(losses(table, ended)).collect();
    let visibility = visibility(&event);
    table.log(Draft { visibility, ..Draft::new(actor, event, changes) });
}

/// Ends what somebody held who can no longer act, and says so in one entry.
pub(super) fn let_go(table: &mut Table, combat: i64, holder: Holder, ended: Vec<Condition>) {
    let (began, left) = (Vec::new(), Vec::new());
    let event =
        Event::Effects { combat, began, left, ended: named(table.state, &ended), holder: Some(Box::new(holder)) };
    let changes = losses(table, ended);
    let visibility = visibility(&event);
    table.log(Draft { visibility, ..Draft::new("system", event, changes) });
}

/// The rows that change when these conditions end: they go, and who stands may be another.
pub(super) fn losses(table: &mut Table, ended: Vec<Condition>) -> Vec<Change> {
    let since = table.next_id();
    let mut crossings: BTreeMap<i64, Crossing> = BTreeMap::new();
    for condition in ended {
        let bearer = condition.character;
        crossings.entry(bearer).or_insert_with(|| Crossing::new(table.state, bearer)).lose(condition);
    }
    let system = table.system();
    crossings.into_values().flat_map(|crossing| crossing.changes(table.state, system, since)).collect()
}

/// The conditions as an entry names them.
pub(super) fn named(state: &State, conditions: &[Condition]) -> Vec<EffectOn> {
    conditions.iter().filter_map(|own| effect_on(state, own).map(|own| EffectOn { left: None, ..own })).collect()
}

pub(super) fn effect_on(state: &State, row: &Condition) -> Option<EffectOn> {
    let on = state.characters.get(&row.character).map(Character::subject)?;
    // Of a fight that is only prepared, players know nothing.
    let prepared = state.open_combat().is_some_and(|combat| combat.status == CombatStatus::Setup);
    let hidden = state.open_combatant(row.character).is_some_and(|own| own.hidden || prepared);
    Some(EffectOn { name: row.label(), on, hidden, left: row.lasts.as_ref().map(Lasts::reading) })
}

/// Players are told of what begins and ends on those they see.
pub(super) fn visibility(event: &Event) -> Visibility {
    match event {
        Event::Effects { began, ended, .. } if began.iter().chain(ended).any(|own| !own.hidden) => Visibility::Public,
        _ => Visibility::Gm,
    }
}
