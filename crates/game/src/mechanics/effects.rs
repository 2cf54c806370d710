//! Conditions as effects in a fight: how entries name them, who sees them, what their end changes.
//!
//! Held effects: effects of an exclusive group (concentration, a stance), held by the character who
//! causes them. They end, in the same call, when the holder can no longer act: down, set defeated
//! by the GM, retired, or in a condition that the rules name. Damage to a holder who can still act
//! reminds the GM of the check that the rules name.

use crate::mechanics::{health::Vitality, threshold::Consequences};
use crate::record::change::{Change, Images};
use crate::record::entry::Visibility;
use crate::record::event::{DamageEvent, EffectOn, Effects, Event, Holder};
use crate::record::state::{Character, CombatStatus, Condition, State, TurnsLeft};
use rollbook_rules::System;
use rollbook_text::names::{quoted, same};
use std::collections::{BTreeMap, BTreeSet};

/// The conditions whose turn count matches, by bearer and name.
pub fn counted_by(state: &State, like: impl Fn(&TurnsLeft) -> bool) -> Vec<Condition> {
    state
        .conditions
        .values()
        .filter(|row| row.lasts.as_ref().is_some_and(&like))
        .cloned()
        .collect()
}

pub fn effects_on(state: &State, conditions: &[Condition]) -> Vec<EffectOn> {
    conditions
        .iter()
        .filter_map(|row| effect_on(state, row).map(|row| EffectOn { left: None, ..row }))
        .collect()
}

pub fn effect_on(state: &State, row: &Condition) -> Option<EffectOn> {
    let on = state
        .characters
        .get(&row.character)
        .map(Character::subject)?;
    // Players know nothing of a fight that is only prepared.
    let is_prepared = state
        .open_combat()
        .is_some_and(|combat| combat.status == CombatStatus::Setup);
    let in_prepared = is_prepared && state.open_combatant(row.character).is_some();
    let hidden = row.hidden || state.is_hidden(row.character) || in_prepared;
    Some(EffectOn {
        name: row.label(),
        on,
        hidden,
        left: row.lasts.as_ref().map(TurnsLeft::render),
    })
}

/// The rows that change when these conditions end: the conditions, and combatants who are up again.
/// `since` is the entry that ends them.
pub fn end_conditions(
    state: &State,
    system: &System,
    ended: Vec<Condition>,
    since: i64,
) -> Vec<Change> {
    let mut by_bearer: BTreeMap<i64, Consequences> = BTreeMap::new();
    for condition in ended {
        let bearer = condition.character;
        by_bearer
            .entry(bearer)
            .or_insert_with(|| Consequences::new(state, bearer))
            .end_condition(condition);
    }
    by_bearer
        .into_values()
        .flat_map(|consequences| consequences.into_changes(state, system, since))
        .collect()
}

/// Takes changes of hidden effects out of an entry that players see, unless its event names them.
pub fn taken_hidden(event: &Event, changes: &mut Vec<Change>) -> Vec<Change> {
    match event {
        Event::Effects(_) | Event::TurnTakenBack(_) | Event::Undone(_) => Vec::new(),
        _ => changes
            .extract_if(.., |change| change.is_of_hidden())
            .collect(),
    }
}

/// What the GM reads of these changes of hidden effects; `None` where there are none.
pub fn of_hidden(state: &State, changes: &[Change]) -> Option<Event> {
    let (mut began, mut ended) = (Vec::new(), Vec::new());
    for change in changes {
        match change {
            Change::Condition(Images {
                after: Some(row), ..
            }) => began.extend(effect_on(state, row)),
            Change::Condition(Images {
                before: Some(row), ..
            }) => {
                ended.extend(effects_on(state, std::slice::from_ref(row)));
            }
            _ => {}
        }
    }
    let combat = state.combats.keys().next_back().copied().unwrap_or(0);
    (!changes.is_empty()).then(|| {
        Event::Effects(Effects {
            combat,
            began,
            ended,
            ..Effects::default()
        })
    })
}

/// Public where an effect begins or ends on a combatant that players see.
pub fn visibility(event: &Event) -> Visibility {
    match event {
        Event::Effects(Effects { began, ended, .. })
            if began.iter().chain(ended).any(|effect| !effect.hidden) =>
        {
            Visibility::Public
        }
        _ => Visibility::Gm,
    }
}

pub fn held(state: &State, holder: i64) -> impl Iterator<Item = &Condition> {
    let is_held = move |row: &&Condition| row.caused_by == Some(holder) && row.group_name.is_some();
    state.conditions.values().filter(is_held)
}

/// A holder before an entry is applied, with the bearers and names of what is held.
pub type Holding = (i64, BTreeSet<(i64, String)>);

/// The characters among these changes who hold something and can act.
pub fn holders(state: &State, system: &System, changes: &[Change]) -> Vec<Holding> {
    let character = |change: &Change| match change {
        Change::Character(images) => images.row().map(|row| row.id),
        Change::Track(images) => images.row().map(|row| row.character),
        Change::Condition(images) => images.row().map(|row| row.character),
        Change::Combatant(images) => images.row().map(|row| row.character),
        _ => None,
    };
    let touched: BTreeSet<i64> = changes.iter().filter_map(character).collect();
    let able = touched
        .into_iter()
        .filter(|character| can_act(state, system, *character));
    let what = |holder: i64| {
        held(state, holder)
            .map(|row| (row.character, row.name.clone()))
            .collect()
    };
    able.map(|holder| (holder, what(holder)))
        .filter(|(_, what): &Holding| !what.is_empty())
        .collect()
}

pub fn can_act(state: &State, system: &System, character: i64) -> bool {
    let vitality = Vitality::of(state, character);
    let retired = state
        .characters
        .get(&character)
        .is_none_or(|who| who.retired);
    let defeated = state
        .open_combatant(character)
        .is_some_and(|member| member.defeated);
    !retired
        && !defeated
        && !vitality.is_down(system)
        && !system
            .held
            .iter()
            .flat_map(|rule| &rule.ends)
            .any(|name| vitality.has_condition(name))
}

/// Ends what a holder held who can no longer act: the event and the rows that change. `open`:
/// players see why; `since` is the entry that ends it.
pub fn end_held(
    state: &State,
    system: &System,
    (holder, what): &Holding,
    open: bool,
    since: i64,
) -> Option<(Event, Vec<Change>)> {
    if can_act(state, system, *holder) {
        return None;
    }
    let subject = state.characters.get(holder).map(Character::subject)?;
    let combat = state.combats.keys().next_back().copied()?;
    // Effects that the entry itself began, such as the death of the holder, stay.
    let was_held = |row: &&Condition| what.contains(&(row.character, row.name.clone()));
    let ended: Vec<Condition> = held(state, *holder).filter(was_held).cloned().collect();
    if ended.is_empty() {
        return None;
    }
    let hidden = !open || !state.is_met(subject.id, subject.kind);
    let holder = Some(Box::new(Holder { subject, hidden }));
    let event = Effects {
        combat,
        ended: effects_on(state, &ended),
        holder,
        ..Effects::default()
    };
    Some((
        Event::Effects(event),
        end_conditions(state, system, ended, since),
    ))
}

/// What a character holds, with the names of the bearers as calls send them.
fn held_on(state: &State, holder: i64) -> Vec<(&Condition, String)> {
    let on = |row: &Condition| {
        state
            .characters
            .get(&row.character)
            .map(|who| quoted(&who.name))
    };
    held(state, holder)
        .filter_map(|row| Some((row, on(row)?)))
        .collect()
}

/// A note about the check that the rules ask of a holder who was hit and can act, with the call.
pub fn check_reminder(state: &State, system: &System, hit: &DamageEvent) -> Option<String> {
    let held_by = system.held.as_ref()?;
    let left = hit.eased.as_ref().map_or(hit.amount, |eased| eased.left);
    let (id, name) = (hit.subject.id, quoted(&hit.subject.name));
    if hit.amount <= 0
        || left <= 0
        || hit.aside
        || hit.told.is_some()
        || !can_act(state, system, id)
    {
        return None;
    }
    let held = held_on(state, id);
    let (first, bearer) = held.first()?;
    // Of several groups only the GM knows which one the rules mean, so the group is named.
    let several = held
        .iter()
        .any(|(row, _)| first.group_name != row.group_name);
    let group = |row: &Condition| {
        row.group_name
            .as_ref()
            .filter(|_| several)
            .map_or(String::new(), |group| format!(" ({})", quoted(group)))
    };
    let all: Vec<String> = held
        .iter()
        .map(|(row, on)| format!("{} on {on}{}", quoted(&row.name), group(row)))
        .collect();
    let all = all.join(", ");
    let bound = held_by.against.as_ref().and_then(|target| {
        target
            .bind(&mut |name| same(name, "hit").then_some(left))
            .ok()
    });
    let against = bound.and_then(|target| target.constant());
    let against = against.map_or(String::new(), |number| format!(" difficulty={number}"));
    let check = &held_by.asks;
    let by = match () {
        () if system.checks.iter().any(|rule| same(&rule.name, check)) => "check",
        () if system.named_skill(check).is_some() => "skill",
        () => "attribute",
    };
    let more = if held.len() > 1 {
        ", and the same for the others"
    } else {
        ""
    };
    let effect = quoted(&first.name);
    Some(format!(
        "{name} holds {all} and was hit for {left}. Send skill_check character=\"{name}\" {by}=\"{check}\"{against}; if it fails, \
         manage_combat action=\"remove_effect\" name=\"{effect}\" on=\"{bearer}\"{more}."
    ))
}

/// A note about what a character still holds who leaves the fight; leaving does not end it.
pub fn leaving_reminder(state: &State, system: &System, holder: &Character) -> Option<String> {
    if !can_act(state, system, holder.id) {
        return None;
    }
    let held = held_on(state, holder.id);
    let (first, bearer) = held.first()?;
    let all: Vec<String> = held
        .iter()
        .map(|(row, on)| format!("{} on {on}", quoted(&row.label())))
        .collect();
    let (name, all, effect) = (quoted(&holder.name), all.join(", "), quoted(&first.name));
    Some(format!(
        "{name} left and still holds {all}. If it ends: manage_combat action=\"remove_effect\" name=\"{effect}\" on=\"{bearer}\"."
    ))
}
