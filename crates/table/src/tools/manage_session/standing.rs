//! Where the game stands once a call was undone: the turn, and how those are whom it concerned.

use crate::session::Common;
use rollbook_game::mechanics::duration;
use rollbook_game::record::change::{Change, Images};
use rollbook_game::record::state::{Character, CombatStatus, Combatant, State};
use rollbook_game::table::Table;
use rollbook_game::view::Audience;
use rollbook_game::view::visibility::{health, visible_round, visible_turn};

/// Characters that are named.
const NAMED_MAX: usize = 6;

/// Adds it to the summary, with the notes of the call; players learn the round and whose turn it is, where a fight goes on.
pub fn say(table: &Table, common: &mut Common) {
    let notes = std::mem::take(&mut common.noted);
    let turn = turn(table, Audience::Gm);
    let people = people(table);
    let note = |note: &String| format!("{}.", note.trim_end_matches('.'));
    let more = notes.iter().map(note).chain(turn).chain(people);
    let more: Vec<String> = more.collect();
    if !more.is_empty() {
        common.summary = format!("{} {}", common.summary, more.join(" "));
    }
    if let (Some(text), Some(turn)) = (&mut common.player_text, self::turn(table, Audience::Player)) {
        text.push(' ');
        text.push_str(&turn);
    }
}

/// "Now it is round 2, Aria's turn."
fn turn(table: &Table, audience: Audience) -> Option<String> {
    let state = &*table.state;
    let Some(combat) = state.open_combat() else {
        let unmade = changes(table).any(|change| matches!(change, Change::Combat(_)));
        return (unmade && audience == Audience::Gm).then(|| "Now no fight is on.".to_owned());
    };
    if combat.status == CombatStatus::Setup {
        return (audience == Audience::Gm).then(|| "Now the fight is prepared and has not begun.".to_owned());
    }
    let (round, current) = match audience {
        Audience::Gm => (combat.round, combat.current.and_then(|id| state.combatants.get(&id))),
        Audience::Player => (visible_round(state, combat), visible_turn(state, combat)),
    };
    Some(format!("Now it is round {round}{}.", whose(state, current)))
}

fn whose(state: &State, current: Option<&Combatant>) -> String {
    let name = current.and_then(|own| state.characters.get(&own.character)).map(|own| own.name.as_str());
    name.map_or(String::new(), |name| format!(", {name}'s turn"))
}

/// "Jory 9/14, prone; Rat 3/5."
fn people(table: &Table) -> Option<String> {
    let state = &*table.state;
    let mut touched: Vec<&Character> = Vec::new();
    for id in changes(table).filter_map(|change| character_of(state, change)) {
        if let Some(own) = state.characters.get(&id).filter(|own| touched.iter().all(|known| known.id != own.id)) {
            touched.push(own);
        }
    }
    let more = touched.len().saturating_sub(NAMED_MAX);
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    let one = |own: &&Character| {
        let conditions = state.conditions_of(own.id).map(|row| format!(", {}", duration::render_with_cause(row)));
        let health = health(state, table.system(), own, Audience::Gm);
        format!("{} {health}{}", own.name, conditions.collect::<String>()).trim_end().to_owned()
    };
    let named: Vec<String> = touched.iter().take(NAMED_MAX).map(one).collect();
    (!named.is_empty()).then(|| format!("{}{more}.", named.join("; ")))
}

fn changes<'t>(table: &'t Table) -> impl Iterator<Item = &'t Change> {
    table.own_entries().flat_map(|own| &own.entry.changes)
}

/// Whose row it is.
fn character_of(state: &State, change: &Change) -> Option<i64> {
    fn of<T>(images: &Images<T>, id: impl Fn(&T) -> i64) -> Option<i64> {
        images.row().map(id)
    }
    match change {
        Change::Track(images) => of(images, |row| row.character),
        Change::Condition(images) => of(images, |row| row.character),
        Change::Combatant(images) => of(images, |row| row.character).filter(|id| state.characters.contains_key(id)),
        Change::Character(images) => of(images, |row| row.id),
        Change::Campaign(_)
        | Change::Session(_)
        | Change::Combat(_)
        | Change::Item(_)
        | Change::Note(_)
        | Change::Clock(_)
        | Change::Deck(_) => None,
    }
}
