//! Takes the last advance back: its before-images are restored, entry by entry, the last first.
//!
//! What happened since stays (damage, a new effect): a field is restored only if it has not changed
//! since, and rows created or removed since stay as they are. Rolls stay. An effect that the
//! advance counted down gets its turn back, and the next advance counts it again.

use super::turn::running_with_turns;
use crate::decide::clock::{self, Rewind};
use crate::record::change::{Change, Images};
use crate::record::entry::{Entry, Visibility};
use crate::record::event::{Act, CombatantEvent, EffectOn, Event, TurnBegan, TurnTakenBack};
use crate::record::state::{Combat, Condition, State};
use crate::refusal::{Code, Refusal, Result};
use crate::table::{Draft, Table};
use crate::{decide::combat::subject, mechanics::effects};
use std::collections::BTreeMap;

const NOTHING_BEFORE: &str = "No turn stands before this one. manage_session action=\"undo\" takes the last change back, whatever it was.";
const NOBODYS_TURN: &str = "It is nobody's turn. Send action=\"next_turn\", or manage_session action=\"undo\" for the last change.";

/// Takes the last advance back; the call's `later` entries are those from [`Combat::advanced`] on.
pub fn previous_turn(table: &mut Table) -> Result<()> {
    let combat = running_with_turns(table)?.clone();
    let advance = advance(table, &combat).ok_or_else(|| {
        Refusal::new(
            Code::NoPreviousTurn,
            if combat.current.is_some() {
                NOTHING_BEFORE
            } else {
                NOBODYS_TURN
            },
        )
    })?;
    let members = table
        .state
        .combatants_of(combat.id)
        .map(|member| (member.id, member.clone()));
    let rows = advance
        .iter()
        .flat_map(|entry| &entry.changes)
        .filter_map(|change| match change {
            Change::Condition(images) => images.row(),
            _ => None,
        });
    // No other condition can change.
    let conditions: BTreeMap<_, _> = rows
        .filter_map(|row| {
            let key = (row.character, row.name.clone());
            Some((key.clone(), table.state.conditions.get(&key)?.clone()))
        })
        .collect();
    let mut now = State {
        combats: BTreeMap::from([(combat.id, combat.clone())]),
        combatants: members.collect(),
        conditions: conditions.clone(),
        ..State::default()
    };
    let begins_round = |change: &Change| match change {
        Change::Combat(images) => images
            .before
            .as_ref()
            .is_some_and(|row| row.round < combat.round),
        _ => false,
    };
    if advance
        .iter()
        .flat_map(|entry| &entry.changes)
        .any(begins_round)
    {
        // Undoes what is of the later round: delays, and waiting beyond the next round.
        for member in now.combatants.values_mut() {
            member.waits = None;
            member.from_round = member.from_round.min(combat.round);
        }
    }
    for change in advance
        .iter()
        .rev()
        .flat_map(|entry| entry.changes.iter().rev())
    {
        restore(&mut now, |id| in_fight(table, id), change);
    }
    let row = now.combats.get(&combat.id).unwrap_or(&combat);
    let (round, back_to) = (row.round, row.current);
    // The combatant that acts again has no delay any more.
    if let Some(acting) = back_to.and_then(|id| now.combatants.get_mut(&id)) {
        acting.waits = None;
    }
    let back_to = back_to
        .filter(|id| in_fight(table, *id))
        .and_then(|id| subject(table.state, id));
    let (Some(back_to), Some(from)) = (
        back_to,
        combat.current.and_then(|id| subject(table.state, id)),
    ) else {
        let ended = advance.iter().find_map(|entry| match &entry.event {
            Event::TurnBegan(TurnBegan { ended, .. }) => ended.as_ref(),
            _ => None,
        });
        let gone = ended.map(|gone| {
            format!(
                "{}, whose turn was before this one, has left the fight. Bring them back with manage_session action=\"undo\" and the \
                 entry of their leaving.",
                gone.name
            )
        });
        return Err(Refusal::new(
            Code::NoPreviousTurn,
            gone.unwrap_or_else(|| NOTHING_BEFORE.to_owned()),
        ));
    };
    let hidden = combat
        .current
        .and_then(|id| table.state.combatants.get(&id))
        .is_some_and(|member| member.hidden);
    let new = now
        .conditions
        .iter()
        .filter(|(key, _)| !table.state.conditions.contains_key(*key));
    let restored: Vec<EffectOn> = new
        .filter_map(|(_, row)| effects::effect_on(table.state, row))
        .collect();
    let seen = !hidden || restored.iter().any(|effect| !effect.hidden);
    let visibility = if seen {
        Visibility::Public
    } else {
        Visibility::Gm
    };
    let was = &*table.state;
    let gone = conditions
        .into_iter()
        .filter(|(key, _)| !now.conditions.contains_key(key));
    let mut changes: Vec<Change> = gone
        .map(|(_, before)| Change::Condition(Images::gone(before)))
        .collect();
    let rows = changed(&was.combats, now.combats).map(Change::Combat);
    let rows = rows.chain(changed(&was.combatants, now.combatants).map(Change::Combatant));
    changes.extend(rows.chain(changed(&was.conditions, now.conditions).map(Change::Condition)));
    let event = Event::TurnTakenBack(TurnTakenBack {
        combat: combat.id,
        round,
        back_to,
        from,
        hidden,
        restored,
    });
    let is_as_left = |clock: &Rewind| clock.is_as_left(table.state) && clock.value != clock.left;
    let moved: Vec<Rewind> = clock::moved_in(advance.iter())
        .into_iter()
        .filter(is_as_left)
        .collect();
    moved
        .iter()
        .for_each(|moved| clock::rewind(table, moved, Visibility::Public));
    let seq = table.log(Draft {
        visibility,
        ..Draft::new("gm", event, changes)
    });
    let is_rolled = |entry: &Entry| {
        let rolls = matches!(
            entry.event,
            Event::Combatant(CombatantEvent {
                act: Act::InitiativeRolled { .. },
                ..
            })
        );
        rolls && !entry.rolls.is_empty()
    };
    table.note(advance.iter().any(is_rolled).then(|| {
        format!(
            "The initiative of round {} is taken back, too, and next_turn rolls anew. To go on with the numbers that fell, send \
             manage_session action=\"undo\" entry={seq}.",
            combat.round
        )
    }));
    Ok(())
}

fn advance(table: &Table, combat: &Combat) -> Option<Vec<Entry>> {
    let first = u64::try_from(combat.advanced?).ok()?;
    let later = table
        .later
        .get(table.later.iter().position(|(seq, _)| *seq == first)?..)?;
    let last = later
        .iter()
        .position(|(_, entry)| matches!(entry.event, Event::TurnBegan(_)))?;
    Some(
        later
            .iter()
            .take(last + 1)
            .map(|(_, entry)| entry.clone())
            .collect(),
    )
}

/// Whether that combatant has not left: a hidden one's row stays, out of the fight.
fn in_fight(table: &Table, id: i64) -> bool {
    let Some(member) = table.state.combatants.get(&id) else {
        return false;
    };
    let leaves = |entry: &Entry| match &entry.event {
        Event::Combatant(CombatantEvent {
            subject,
            act: Act::Left,
            ..
        }) => subject.id == member.character,
        _ => false,
    };
    !member.defeated || !table.later.iter().any(|(_, entry)| leaves(entry))
}

fn restore(now: &mut State, in_fight: impl Fn(i64) -> bool, change: &Change) {
    match change {
        Change::Combat(Images {
            before: Some(before),
            after: Some(after),
        }) if let Some(row) = now.combats.get_mut(&before.id) => {
            restore_field(&mut row.round, &before.round, &after.round);
            restore_field(&mut row.current, &before.current, &after.current);
            restore_field(&mut row.moved_at, &before.moved_at, &after.moved_at);
            restore_field(&mut row.advanced, &before.advanced, &after.advanced);
        }
        Change::Combatant(Images {
            before: Some(before),
            after: Some(after),
        }) if let Some(row) = now.combatants.get_mut(&before.id) => {
            restore_field(&mut row.initiative, &before.initiative, &after.initiative);
            restore_field(&mut row.ties, &before.ties, &after.ties);
            restore_field(
                &mut row.acted_round,
                &before.acted_round,
                &after.acted_round,
            );
            restore_field(&mut row.again, &before.again, &after.again);
            restore_field(&mut row.turn_at, &before.turn_at, &after.turn_at);
            restore_field(&mut row.defeated, &before.defeated, &after.defeated);
            restore_field(&mut row.waits, &before.waits, &after.waits);
            restore_field(&mut row.ready, &before.ready, &after.ready);
        }
        Change::Condition(images) => restore_condition(now, in_fight, images),
        // An advance neither creates nor removes other rows.
        _ => {}
    }
}
fn restore_field<T: PartialEq + Clone>(now: &mut T, before: &T, after: &T) {
    if now == after {
        before.clone_into(now);
    }
}

/// A condition that was counted down gets its turn back; one that ended comes back, unless there is
/// another of its name or its anchor has left. What a round's end began goes, if it is unchanged.
fn restore_condition(now: &mut State, in_fight: impl Fn(i64) -> bool, images: &Images<Condition>) {
    let Some(row) = images.row() else { return };
    let key = (row.character, row.name.clone());
    match (&images.before, &images.after, now.conditions.get_mut(&key)) {
        (None, Some(after), Some(row)) if row == after => drop(now.conditions.remove(&key)),
        (Some(before), Some(after), Some(row)) if row.since == after.since => {
            restore_field(&mut row.lasts, &before.lasts, &after.lasts);
        }
        (Some(before), None, None)
            if before
                .lasts
                .as_ref()
                .is_none_or(|lasts| in_fight(lasts.anchor)) =>
        {
            now.conditions.insert(key, before.clone());
        }
        _ => {}
    }
}

fn changed<K: Ord, T: PartialEq + Clone>(
    was: &BTreeMap<K, T>,
    now: BTreeMap<K, T>,
) -> impl Iterator<Item = Images<T>> {
    let images = now.into_iter().map(|(key, after)| Images {
        before: was.get(&key).cloned(),
        after: Some(after),
    });
    images.filter(|images| images.before != images.after)
}
