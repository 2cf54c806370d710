//! Consequences of a check: the row that decided moves tracks (a death save marks its box, a failure costs stress), and a
//! success ends conditions that last until then (`- Held: until a Will save succeeds`).

use crate::game::decide::damage::{self, DamageCall};
use crate::game::mechanics::duration;
use crate::game::mechanics::health::Vitality;
use crate::game::record::change::{Change, Images};
use crate::game::record::entry::{Entry, Visibility};
use crate::game::record::event::{CheckEvent, Event, Subject};
use crate::game::record::state::{State, Until};
use crate::game::refusal::{Code, Refusal};
use crate::game::table::Table;
use crate::names::same;
use crate::rules::{ANY_CHECK, Check, RowMove};

/// Applies the row's moves, each in an entry of its own after the check's.
pub fn apply_row_moves(table: &mut Table, who: i64, rule: &Check, rank: Option<u32>, visibility: Visibility) {
    let Some(row) = rule.row(rank).filter(|row| !row.moves.is_empty()) else { return };
    let Some(who) = table.state.characters.get(&who).cloned() else { return };
    for own in &row.moves {
        if Vitality::of(table.state, who.id).is_dead() {
            let note = format!("{} is dead, so {} ({}) is not carried out", who.name, own.text, own.place);
            table.note([note]);
            return;
        }
        let reason = format!("{}, {}", rule.name, row.label);
        if !damage::apply_row_move(table, &who, own, reason, visibility) {
            table.note([unmoved(&who.name, own)]);
        }
    }
}

fn unmoved(who: &str, own: &RowMove) -> String {
    let track = own.effect.track();
    format!("{who}'s {track} stays as it is: {} ({}) finds no room to move it", own.text, own.place)
}

/// Ends the conditions that last until this success, in an entry of its own.
pub fn end_overcome(table: &mut Table, event: &CheckEvent, visibility: Visibility) {
    let Some(who) = event.subject.as_ref().filter(|_| event.outcome.is_some_and(|outcome| outcome.is_success())) else {
        return;
    };
    // An opposed check succeeds by winning, whatever the total.
    if event.opposed.as_ref().is_some_and(|opposed| !opposed.won) || Vitality::of(table.state, who.id).is_dead() {
        return;
    }
    let tried = [Some(&event.check), event.skill.as_ref(), event.attribute.as_ref()];
    let system = table.system();
    let ended = table.state.conditions_of(who.id).filter(|row| match duration::ending(system, row) {
        Some(Until::Check(name)) => name == ANY_CHECK || tried.into_iter().flatten().any(|tried| same(tried, &name)),
        _ => false,
    });
    let ended: Vec<String> = ended.map(|row| row.name.clone()).collect();
    if ended.is_empty() {
        return;
    }
    let by = event.skill.as_ref().or(event.attribute.as_ref()).unwrap_or(&event.check);
    let call = DamageCall {
        target: who.name.clone(),
        remove_conditions: ended,
        reason: Some(format!("{} succeeded", by)),
        ..DamageCall::default()
    };
    // Cannot be refused: the character has these conditions.
    let _ = damage::decide(table, call, Some(visibility));
}

/// Refuses to follow a check that hurt its target in the same call: a better outcome would deal the damage a second time.
pub fn check_unhurt(later: &[(u64, Entry)], first: &CheckEvent, call: u64, seq: u64) -> Result<(), Refusal> {
    let is_self = |own: &&Subject| first.subject.as_ref().is_some_and(|who| who.id == own.id);
    let Some(target) = first.against.as_ref().filter(|own| !is_self(own)) else { return Ok(()) };
    let hurt = later.iter().any(|(_, entry)| match &entry.event {
        Event::Damage(event) => entry.call == Some(call) && event.subject.id == target.id,
        _ => false,
    });
    if !hurt {
        return Ok(());
    }
    let summary = format!(
        "#{seq} told on {} already, so it can be followed no more. Undo it, and make a new check.",
        target.name
    );
    Err(Refusal::new(Code::ChangedSince, summary))
}

/// Reverses what followed from the first roll. `later` are the entries after it; those of its call up to the next check are its own.
pub fn reverse_consequences(
    state: &mut State,
    later: &[(u64, Entry)],
    (seq, call): (u64, u64),
    who: i64,
) -> Result<Vec<Change>, Refusal> {
    let of_it = |entry: &Entry| match &entry.event {
        Event::Damage(event) => event.subject.id == who,
        _ => false,
    };
    let own = later
        .iter()
        .skip_while(|(own, _)| *own <= seq)
        .take_while(|(_, entry)| entry.call == Some(call) && !matches!(entry.event, Event::Check(_)));
    let entries = own.filter(|(_, entry)| of_it(entry)).flat_map(|(_, entry)| &entry.changes);
    let is_row = |change: &&Change| matches!(change, Change::Track(_) | Change::Condition(_));
    let mut all: Vec<Change> = entries.filter(is_row).cloned().map(Change::reversed).collect();
    all.reverse();
    for (done, change) in all.iter().enumerate() {
        if !stands(state, change) {
            state.revert(all.get(..done).unwrap_or_default());
            let summary = format!(
                "#{seq} moved {}, which changed since, so it can be followed no more. Undo what came after it first, or make a new \
                 check.",
                name(change)
            );
            return Err(Refusal::new(Code::ChangedSince, summary));
        }
        state.apply(std::slice::from_ref(change));
    }
    state.revert(&all);
    Ok(all)
}

/// Whether a row is still as the change left it.
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
        | Change::Combatant(_)
        | Change::Note(_)
        | Change::Clock(_) => true,
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
        | Change::Combatant(_)
        | Change::Note(_)
        | Change::Clock(_) => String::new(),
    }
}
