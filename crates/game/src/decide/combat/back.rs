//! Takes the last advance back: its before-images are restored, entry by entry, the last first.
//!
//! What happened since stays (damage, a new effect): a field is restored only if it has not changed since, and rows created
//! or removed since stay as they are. Rolls stay. An effect that the advance counted down gets its turn back, and the next
//! advance counts it again.

use super::turn::running_with_turns;
use crate::decide::clock::{self, Rewind};
use crate::decide::combat::subject;
use crate::mechanics::effects;
use crate::record::change::{Change, Images};
use crate::record::entry::{Entry, Visibility};
use crate::record::event::{Act, CombatantEvent, EffectOn, Event, TurnBegan, TurnTakenBack};
use crate::record::state::{Combat, Combatant, Condition, State};
use crate::refusal::{Code, Refusal};
use crate::table::{Draft, Table};

const NOTHING_BEFORE: &str =
    "No turn stands before this one. manage_session action=\"undo\" takes the last change back, whatever it was.";

/// Takes the last advance back. The call's `later` entries must be those from [`Combat::advanced`] on.
pub fn previous_turn(table: &mut Table) -> Result<(), Refusal> {
    let combat = running_with_turns(table)?.clone();
    let advance = advance(table, &combat).ok_or_else(|| {
        let summary = match combat.current {
            Some(_) => NOTHING_BEFORE,
            None => {
                "It is nobody's turn. Send action=\"next_turn\", or manage_session action=\"undo\" for the last change."
            }
        };
        Refusal::new(Code::NoPreviousTurn, summary)
    })?;
    let mut now = State::default();
    for change in advance.iter().flat_map(|entry| &entry.changes) {
        copy_current(&mut now, table.state, change);
    }
    now.combatants.extend(table.state.combatants_of(combat.id).map(|own| (own.id, own.clone())));
    let touched = now.clone();
    if advance.iter().any(|entry| begins_round(entry, &combat)) {
        now.combatants.values_mut().for_each(|own| one_round_earlier(own, combat.round));
    }
    let images = advance.iter().rev().flat_map(|entry| entry.changes.iter().rev());
    images.for_each(|change| restore(&mut now, |id| in_fight(table, id), change));
    let back_to = now.combats.get(&combat.id).and_then(|row| row.current);
    // The combatant that acts again has no delay any more.
    if let Some(acting) = back_to.and_then(|id| now.combatants.get_mut(&id)) {
        acting.waits = None;
    }
    let back_to = back_to.filter(|id| in_fight(table, *id)).and_then(|id| subject(table.state, id));
    let (Some(back_to), Some(from)) = (back_to, combat.current.and_then(|id| subject(table.state, id))) else {
        return Err(nothing_before(&advance));
    };
    let hidden = combat.current.and_then(|id| table.state.combatants.get(&id)).is_some_and(|own| own.hidden);
    let restored = restored_effects(table.state, &touched, &now);
    let seen = !hidden || restored.iter().any(|own| !own.hidden);
    let round = now.combats.get(&combat.id).map_or(combat.round, |row| row.round);
    let changes = differences(touched, now);
    let event = Event::TurnTakenBack(TurnTakenBack { combat: combat.id, round, back_to, from, hidden, restored });
    let visibility = if seen { Visibility::Public } else { Visibility::Gm };
    let is_as_left = |own: &Rewind| own.is_as_left(table.state) && own.value != own.left;
    let moved: Vec<Rewind> = clock::moved_in(advance.iter()).into_iter().filter(is_as_left).collect();
    for own in &moved {
        clock::rewind(table, own, Visibility::Public);
    }
    let seq = table.log(Draft { visibility, ..Draft::new("gm", event, changes) });
    if advance.iter().any(is_rolled) {
        table.note([format!(
            "The initiative of round {} is taken back, too, and next_turn rolls anew. To go on with the numbers that fell, send \
             manage_session action=\"undo\" entry={seq}.",
            combat.round
        )]);
    }
    Ok(())
}

fn is_rolled(entry: &Entry) -> bool {
    matches!(&entry.event, Event::Combatant(CombatantEvent { act: Act::InitiativeRolled { .. }, .. }))
        && !entry.rolls.is_empty()
}

/// The refusal where the turn before cannot come back.
fn nothing_before(advance: &[Entry]) -> Refusal {
    let ended = advance.iter().find_map(|entry| match &entry.event {
        Event::TurnBegan(TurnBegan { ended, .. }) => ended.as_ref(),
        _ => None,
    });
    let summary = match ended {
        Some(gone) => format!(
            "{}, whose turn was before this one, has left the fight. Bring them back with manage_session action=\"undo\" and the \
             entry of their leaving.",
            gone.name
        ),
        None => NOTHING_BEFORE.to_owned(),
    };
    Refusal::new(Code::NoPreviousTurn, summary)
}

/// The entries of the advance that began the current turn.
fn advance(table: &Table, combat: &Combat) -> Option<Vec<Entry>> {
    let first = u64::try_from(combat.advanced?).ok()?;
    let from = table.later.iter().skip_while(|(seq, _)| *seq != first);
    let mut entries = Vec::new();
    for (_, entry) in from {
        entries.push(entry.clone());
        if matches!(entry.event, Event::TurnBegan(_)) {
            return Some(entries);
        }
    }
    None
}

/// Whether that combatant has not left: of somebody hidden who left the row stays, out of the fight.
fn in_fight(table: &Table, id: i64) -> bool {
    let left = |own: &Combatant| {
        let of_it = |entry: &Entry| matches!(&entry.event, Event::Combatant(CombatantEvent { subject, act: Act::Left, .. }) if subject.id == own.character);
        own.defeated && table.later.iter().any(|(_, entry)| of_it(entry))
    };
    table.state.combatants.get(&id).is_some_and(|own| !left(own))
}

fn begins_round(entry: &Entry, combat: &Combat) -> bool {
    let before = |change: &Change| match change {
        Change::Combat(images) => images.before.as_ref().map(|row| row.round),
        _ => None,
    };
    entry.changes.iter().filter_map(before).any(|round| round < combat.round)
}

/// Undoes what is of the round that has not begun now: delays, and waiting beyond the next round.
fn one_round_earlier(own: &mut Combatant, round: u32) {
    own.waits = None;
    own.from_round = own.from_round.min(round);
}

/// Copies the current row that a change is about.
fn copy_current(now: &mut State, state: &State, change: &Change) {
    match change {
        Change::Combat(images) => {
            let row = each(images).and_then(|row| state.combats.get(&row.id));
            now.combats.extend(row.map(|row| (row.id, row.clone())));
        }
        Change::Combatant(images) => {
            let row = each(images).and_then(|row| state.combatants.get(&row.id));
            now.combatants.extend(row.map(|row| (row.id, row.clone())));
        }
        Change::Condition(images) => {
            let row = each(images).and_then(|row| state.conditions.get(&(row.character, row.name.clone())));
            now.conditions.extend(row.map(|row| ((row.character, row.name.clone()), row.clone())));
        }
        _ => {}
    }
}

fn each<T>(images: &Images<T>) -> Option<&T> {
    images.before.as_ref().or(images.after.as_ref())
}

fn restore(now: &mut State, in_fight: impl Fn(i64) -> bool, change: &Change) {
    match change {
        Change::Combat(Images { before: Some(before), after: Some(after) }) => {
            now.combats.entry(before.id).and_modify(|row| restore_combat(row, before, after));
        }
        Change::Combatant(Images { before: Some(before), after: Some(after) }) => {
            now.combatants.entry(before.id).and_modify(|row| restore_combatant(row, before, after));
        }
        Change::Condition(images) => restore_condition(now, in_fight, images),
        // An advance neither creates nor removes other rows.
        _ => {}
    }
}

/// Restores the field, unless it has changed since.
fn restore_field<T: PartialEq + Clone>(now: &mut T, before: &T, after: &T) {
    if now == after {
        before.clone_into(now);
    }
}

fn restore_combat(row: &mut Combat, before: &Combat, after: &Combat) {
    restore_field(&mut row.round, &before.round, &after.round);
    restore_field(&mut row.current, &before.current, &after.current);
    restore_field(&mut row.moved_at, &before.moved_at, &after.moved_at);
    restore_field(&mut row.advanced, &before.advanced, &after.advanced);
}

fn restore_combatant(row: &mut Combatant, before: &Combatant, after: &Combatant) {
    restore_field(&mut row.initiative, &before.initiative, &after.initiative);
    restore_field(&mut row.ties, &before.ties, &after.ties);
    restore_field(&mut row.acted_round, &before.acted_round, &after.acted_round);
    restore_field(&mut row.turn_at, &before.turn_at, &after.turn_at);
    restore_field(&mut row.defeated, &before.defeated, &after.defeated);
    restore_field(&mut row.waits, &before.waits, &after.waits);
    restore_field(&mut row.ready, &before.ready, &after.ready);
}

/// A condition that was counted down gets its turn back; one that ended comes back, unless there is another of its name or
/// its anchor has left. One that a shared track brought as a round ended goes, if it is as it came.
fn restore_condition(now: &mut State, in_fight: impl Fn(i64) -> bool, images: &Images<Condition>) {
    let Some(before) = &images.before else {
        let came = images.after.as_ref().map(|after| ((after.character, after.name.clone()), after));
        if let Some((key, _)) = came.filter(|(key, after)| now.conditions.get(key) == Some(*after)) {
            now.conditions.remove(&key);
        }
        return;
    };
    let key = (before.character, before.name.clone());
    match (&images.after, now.conditions.get_mut(&key)) {
        (Some(after), Some(row)) if row.since == after.since => {
            restore_field(&mut row.lasts, &before.lasts, &after.lasts)
        }
        (None, None) if before.lasts.as_ref().is_none_or(|lasts| in_fight(lasts.anchor)) => {
            now.conditions.insert(key, before.clone());
        }
        _ => {}
    }
}

fn restored_effects(state: &State, was: &State, now: &State) -> Vec<EffectOn> {
    let new = now.conditions.iter().filter(|(key, _)| !was.conditions.contains_key(*key));
    new.filter_map(|(_, row)| effects::effect_on(state, row)).collect()
}

fn differences(was: State, now: State) -> Vec<Change> {
    let mut changes = Vec::new();
    let gone = was.conditions.iter().filter(|(key, _)| !now.conditions.contains_key(*key));
    changes.extend(gone.map(|(_, before)| Change::Condition(Images::gone(before.clone()))));
    for (id, after) in now.combats {
        changes.extend(was.combats.get(&id).map(|before| Change::Combat(Images::changed(before.clone(), after))));
    }
    for (id, after) in now.combatants {
        let before = was.combatants.get(&id).filter(|before| **before != after).cloned();
        changes.extend(before.map(|before| Change::Combatant(Images::changed(before, after))));
    }
    for (key, after) in now.conditions {
        let before = was.conditions.get(&key).cloned();
        if before.as_ref() != Some(&after) {
            changes.push(Change::Condition(Images { before, after: Some(after) }));
        }
    }
    changes
}
