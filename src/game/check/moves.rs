//! What the row that decided does to tracks: a death save marks its box, a failure costs stress.

use crate::game::damage;
use crate::game::entry::{Change, Entry, Images, Visibility};
use crate::game::event::Event;
use crate::game::refusal::Refusal;
use crate::game::standing::Standing;
use crate::game::state::State;
use crate::game::table::Table;
use crate::rules::{Check, RowMove};

/// Moves what the row says, each track in an entry of its own behind the check's.
pub fn carry_out(table: &mut Table, who: i64, rule: &Check, rank: Option<u32>, visibility: Visibility) {
    let row = rank.and_then(|rank| usize::try_from(rank).ok()?.checked_sub(1)).and_then(|at| rule.rows.get(at));
    let Some(row) = row.filter(|row| !row.moves.is_empty()) else { return };
    let Some(who) = table.state.characters.get(&who).cloned() else { return };
    for own in &row.moves {
        if Standing::of(table.state, who.id).is_dead() {
            let note = format!("{} is dead, so {} ({}) is not carried out", who.name, own.text, own.place);
            table.note([note]);
            return;
        }
        let reason = format!("{}, {}", rule.name, row.label);
        if !damage::by_row(table, &who, own, reason, visibility) {
            table.note([unmoved(&who.name, own)]);
        }
    }
}

fn unmoved(who: &str, own: &RowMove) -> String {
    let track = own.effect.track();
    format!("{who}'s {track} stays as it is: {} ({}) finds no room to move it", own.text, own.place)
}

/// What the first roll moved, taken back: as a roll is followed, so is what came of it. `later` entries are those behind it.
pub fn taken_back(state: &mut State, later: &[(u64, Entry)], seq: u64, who: i64) -> Result<Vec<Change>, Refusal> {
    let of_it = |entry: &Entry| match &entry.event {
        Event::Damage(event) => entry.call == Some(seq) && event.subject.id == who,
        _ => false,
    };
    let entries = later.iter().filter(|(_, entry)| of_it(entry)).flat_map(|(_, entry)| &entry.changes);
    let is_row = |change: &&Change| matches!(change, Change::Track(_) | Change::Condition(_));
    let all: Vec<Change> = entries.filter(is_row).cloned().map(Change::reversed).rev().collect();
    for (done, change) in all.iter().enumerate() {
        if !stands(state, change) {
            state.revert(all.get(..done).unwrap_or_default());
            let summary = format!(
                "#{seq} moved {}, which changed since, so it can be followed no more. Undo what came after it first, or make a new \
                 check.",
                name(change)
            );
            return Err(Refusal::new("changed_since", summary));
        }
        state.apply(std::slice::from_ref(change));
    }
    state.revert(&all);
    Ok(all)
}

/// Whether a row is as a change has it before.
fn stands(state: &State, change: &Change) -> bool {
    match change {
        Change::Track(Images { before, after }) => before
            .as_ref()
            .or(after.as_ref())
            .is_some_and(|row| state.tracks.get(&(row.character, row.name.clone())) == before.as_ref()),
        Change::Condition(Images { before, after }) => before
            .as_ref()
            .or(after.as_ref())
            .is_some_and(|row| state.conditions.get(&(row.character, row.name.clone())) == before.as_ref()),
        Change::Campaign(_)
        | Change::Session(_)
        | Change::Character(_)
        | Change::Item(_)
        | Change::Combat(_)
        | Change::Combatant(_) => true,
    }
}

fn name(change: &Change) -> String {
    match change {
        Change::Track(images) => images.row().map_or(String::new(), |row| row.name.clone()),
        Change::Condition(images) => images.row().map_or(String::new(), |row| row.name.clone()),
        Change::Campaign(_)
        | Change::Session(_)
        | Change::Character(_)
        | Change::Item(_)
        | Change::Combat(_)
        | Change::Combatant(_) => String::new(),
    }
}
