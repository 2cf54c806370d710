//! Turns and rounds. A round ends when nobody is left to act in it.
//!
//! An advance is one or several entries: effects at the end of the turn, effects at the end of the round, initiative for
//! the new round, effects at the start of the turn, and last the new turn. [`super::back`] takes all of them back.

use super::order::next_in;
use super::who::subject;
use super::{change, clock, initiative, running};
use crate::decide::rest;
use crate::mechanics::duration::has_turns;
use crate::mechanics::lookup;
use crate::record::change::{Change, Images};
use crate::record::entry::Visibility;
use crate::record::event::{Act, Event, TurnBegan};
use crate::record::state::{Combat, Combatant, Edge, State};
use crate::refusal::{Code, Refusal};
use crate::table::{Draft, Table};
use rollbook_rules::{InitiativeWhen, System};

/// Ends the current turn and begins the next.
pub fn next_turn(table: &mut Table) -> Result<(), Refusal> {
    let combat = running_with_turns(table)?.id;
    let first = table.next_id();
    match advance(table, combat, Advance { first, suspends: false, without: None }) {
        true => Ok(()),
        false => {
            let summary = match table.state.combatants_of(combat).next() {
                Some(_) => {
                    "Everybody is down, so nobody can act. Send action=\"end\" with an outcome, or heal somebody \
                     with apply_damage."
                }
                None => {
                    "Nobody is in the fight. Send action=\"add\" with combatants, or action=\"end\" with an outcome."
                }
            };
            Err(Refusal::new(Code::NobodyUp, summary))
        }
    }
}

/// Refuses the end of a turn that is not this character's; of the only player character where none is named.
pub fn check_turn_of(table: &Table, character: Option<&str>) -> Result<(), Refusal> {
    let (state, system) = (&*table.state, table.system());
    let combat = running_with_turns(table)?;
    let actor = match character {
        Some(name) => lookup::participant(state, system, "character", name)?,
        None => lookup::sole_player(state, system)?,
    };
    let current = combat.current.and_then(|id| state.combatants.get(&id));
    if current.is_some_and(|own| own.character == actor.id) {
        return Ok(());
    }
    let whose = current.and_then(|own| state.characters.get(&own.character));
    let whose = whose.map_or("nobody's turn".to_owned(), |own| format!("{}'s turn", own.name));
    let summary = format!(
        "It is {whose}, not {}'s. Leave end_turn out for an action between turns; or end the turn that it is with manage_combat \
         action=\"next_turn\" and no name.",
        actor.name
    );
    Err(Refusal::new(Code::NotTheirTurn, summary))
}

/// The running fight, where it has turns.
pub(super) fn running_with_turns<'t>(table: &'t Table) -> Result<&'t Combat, Refusal> {
    let (combat, system) = (running(table.state)?, table.system());
    if has_turns(system, combat) || combat.current.is_some() {
        return Ok(combat);
    }
    Err(no_turns(system))
}

/// The refusal of what only a fight with turns has.
pub(super) fn no_turns(system: &System) -> Refusal {
    let place = system.structure_place().filter(|_| !system.changes_structure());
    let place = place.map_or(String::new(), |place| format!(" ({place})"));
    let changes = if system.changes_structure() { ", \"structure\" begins turns" } else { "" };
    let summary = format!(
        "This fight has no turns{place}: nobody waits for one. Just act, without end_turn; manage_combat action=\"next_round\" counts a round, and \
         effects with it{changes}, and \"end\" ends the fight."
    );
    Refusal::new(Code::NoTurns, summary)
}

/// How a turn passes.
pub(super) struct Advance {
    /// The first entry of the advance.
    pub first: i64,
    /// The current turn is interrupted, not ended.
    pub suspends: bool,
    /// A combatant that is about to leave.
    pub without: Option<i64>,
}

/// Passes the turn; `false` when nobody can act.
pub(super) fn advance(table: &mut Table, combat: i64, how: Advance) -> bool {
    let Some(before) = table.state.combats.get(&combat).cloned() else { return false };
    if let Some(current) = before.current.filter(|_| !how.suspends) {
        clock::count_turn(table, combat, current, Edge::End);
    }
    let mut round = before.round;
    let next =
        |table: &Table, round| next_in(table.state, table.system(), combat, round, how.without).map(|own| own.id);
    let mut found = next(table, round);
    if found.is_none() && anybody_up(table.state, combat, how.without) {
        end_round(table, &before);
        round = round.saturating_add(1);
        if table.system().initiative.when == InitiativeWhen::EachRound {
            initiative::roll_round(table, combat);
        }
        found = next(table, round);
    }
    match found {
        Some(id) => begin_turn(table, combat, id, round, how.first),
        None => return false,
    }
    true
}

fn anybody_up(state: &State, combat: i64, without: Option<i64>) -> bool {
    state.combatants_of(combat).any(|own| !own.defeated && Some(own.id) != without)
}

/// Delays lapse, and rounds without a turn are counted.
fn end_round(table: &mut Table, combat: &Combat) {
    lapse(table, combat);
    clock::count_missed_turns(table, combat);
    rest::end_round(table, combat.id);
    clock::end_timed(table, combat);
}

/// Delays lapse; an interrupted turn ends.
pub(super) fn lapse(table: &mut Table, combat: &Combat) {
    let waiting: Vec<Combatant> =
        table.state.combatants_of(combat.id).filter(|own| own.waits.is_some()).cloned().collect();
    for before in waiting {
        if before.acted_round >= combat.round {
            clock::count_turn(table, combat.id, before.id, Edge::End);
        }
        change::log(table, before.id, "system", Act::Lapsed, |own| own.waits = None);
    }
}

/// Begins a combatant's turn in that round, or resumes an interrupted one.
pub(super) fn begin_turn(table: &mut Table, combat: i64, id: i64, round: u32, first: i64) {
    let resumed = table.state.combatants.get(&id).is_some_and(|own| own.acted_round >= round);
    if !resumed {
        clock::count_turn(table, combat, id, Edge::Start);
    }
    let turn_at = Some(table.next_id());
    let (Some(before), Some(own)) = (table.state.combats.get(&combat), table.state.combatants.get(&id)) else { return };
    let (before, own) = (before.clone(), own.clone());
    let Some(began) = subject(table.state, id) else { return };
    let ended = before.current.and_then(|id| subject(table.state, id));
    let after = Combat { round, current: Some(id), moved_at: table.at, advanced: Some(first), ..before.clone() };
    // A readied action ends when the next turn begins.
    let ready = own.ready.clone().filter(|_| resumed);
    let acting = Combatant { acted_round: round, waits: None, ready, turn_at, ..own.clone() };
    let event = Event::TurnBegan(TurnBegan { combat, round, ended, began, resumed });
    let visibility = if own.hidden { Visibility::Gm } else { Visibility::Public };
    let changes = vec![Change::Combat(Images::changed(before, after)), Change::Combatant(Images::changed(own, acting))];
    table.log(Draft { visibility, ..Draft::new("gm", event, changes) });
}
