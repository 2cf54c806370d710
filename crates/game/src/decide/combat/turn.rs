//! Turns and rounds. A round ends when nobody is left to act in it.
//!
//! An advance is one or several entries: effects at the end of the turn, effects at the end of the round, initiative for
//! the new round, effects at the start of the turn, and last the new turn. [`super::back`] takes all of them back.
//!
//! Fights with turns and without: changes over from one to the other, and the rounds of a fight without turns.
//!
//! - A fight without turns has sides and no order. It has rounds, if the GM counts them ([`next_round`]): effects run on by one
//!   at each, however their turns are counted otherwise.
//! - When turns end, the current one is interrupted: it goes on if turns begin again in the same round, and delays last on. A
//!   round that ends without turns ends both.
//! - When turns begin, those without a number get one by the rules, and everybody acts who has not acted in this round.
//!
//! Delayed turns and readied actions.
//!
//! A delay is for this round: it keeps the initiative, is called back right after the current turn, and lapses at the
//! round's end. `set_initiative` changes the place for good.

use crate::decide::combat::change::label;
use crate::decide::combat::order::next_in;
use crate::decide::combat::{change, effect, initiative, running, subject};
use crate::decide::{combat, rest};
use crate::limits;
use crate::limits::LIMITS;
use crate::mechanics::duration::has_turns;
use crate::mechanics::lookup;
use crate::record::change::{Change, Images};
use crate::record::entry::Visibility;
use crate::record::event::{Act, Event, RoundBegan, StructureChanged, TurnBegan};
use crate::record::state::{Combat, Combatant, Edge, State, Wait};
use crate::refusal::{Code, Refusal};
use crate::table::{Draft, Table};
use rollbook_rules::{InitiativeWhen, Structure, System};

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
        effect::count_turn(table, combat, current, Edge::End);
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
    effect::count_missed_turns(table, combat);
    rest::end_round(table, combat.id);
    effect::end_timed(table, combat);
}

/// Delays lapse; an interrupted turn ends.
pub(super) fn lapse(table: &mut Table, combat: &Combat) {
    let waiting: Vec<Combatant> =
        table.state.combatants_of(combat.id).filter(|own| own.waits.is_some()).cloned().collect();
    for before in waiting {
        if before.acted_round >= combat.round {
            effect::count_turn(table, combat.id, before.id, Edge::End);
        }
        change::log(table, before.id, "system", Act::Lapsed, |own| own.waits = None);
    }
}

/// Begins a combatant's turn in that round, or resumes an interrupted one.
pub(super) fn begin_turn(table: &mut Table, combat: i64, id: i64, round: u32, first: i64) {
    let resumed = table.state.combatants.get(&id).is_some_and(|own| own.acted_round >= round);
    if !resumed {
        effect::count_turn(table, combat, id, Edge::Start);
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

/// Changes over to that structure, by default to the other one.
pub fn change_structure(table: &mut Table, to: Option<Structure>) -> Result<(), Refusal> {
    let before = running(table.state)?.clone();
    let now = if has_turns(table.system(), &before) { Structure::TurnBased } else { Structure::Narrative };
    let to = to.unwrap_or_else(|| now.other());
    check_structure(table.system(), to)?;
    if to == now {
        let summary = format!(
            "This fight is {0} already. Send structure=\"{1}\" to change over.",
            now.as_str(),
            now.other().as_str()
        );
        return Err(change::no_effect(&summary));
    }
    match to {
        Structure::Narrative => {
            end_turns(table, before);
            Ok(())
        }
        Structure::TurnBased => begin_turns(table, before),
    }
}

/// Refuses a structure that the rules do not know.
pub(super) fn check_structure(system: &System, structure: Structure) -> Result<(), Refusal> {
    let only = system.first_structure();
    if structure == only || system.changes_structure() {
        return Ok(());
    }
    let place = system.structure_place().map(ToString::to_string);
    let cited = place.as_ref().map_or(String::new(), |place| format!(" ({place})"));
    let advice = match only {
        Structure::TurnBased => "Act between turns without end_turn, and go on with action=\"next_turn\"",
        Structure::Narrative => "Just act; action=\"next_round\" counts a round, and effects with it",
    };
    let summary = format!(
        "By these rules fights are {}{cited}, and not {}. {advice}. Rules with `- Combat: hybrid` have both.",
        only.as_str(),
        structure.as_str()
    );
    let refusal = Refusal::new(Code::FixedStructure, summary);
    Err(place.into_iter().fold(refusal, Refusal::at))
}

fn end_turns(table: &mut Table, before: Combat) {
    let interrupted = before.current;
    log(table, before, Structure::Narrative, interrupted);
    let whose = interrupted.and_then(|id| subject(table.state, id));
    table.note(whose.map(|own| format!("{}'s turn goes on if turns begin again in this round.", own.name)));
}

fn begin_turns(table: &mut Table, before: Combat) -> Result<(), Refusal> {
    let (combat, round, interrupted) = (before.id, before.round, before.interrupted);
    log(table, before, Structure::TurnBased, None);
    let members: Vec<Combatant> = table.state.combatants_of(combat).cloned().collect();
    let fresh = members.iter().all(|own| own.acted_round < round);
    match table.system().initiative.when {
        InitiativeWhen::EachRound if fresh => initiative::roll_round(table, combat),
        InitiativeWhen::EachRound | InitiativeWhen::OncePerFight => {
            let without = members.iter().filter(|own| own.initiative.is_none());
            without.map(|own| own.id).try_for_each(|id| initiative::roll_for(table, combat, id, false).map(drop))?;
        }
    }
    let first = table.next_id();
    match members.iter().find(|own| Some(own.id) == interrupted) {
        Some(own) if !own.defeated => begin_turn(table, combat, own.id, round, first),
        gone => {
            // The turn of somebody who is down ends.
            gone.into_iter().for_each(|own| effect::count_turn(table, combat, own.id, Edge::End));
            // Without effect when everybody is down.
            advance(table, combat, Advance { first, suspends: false, without: None });
        }
    }
    Ok(())
}

fn log(table: &mut Table, before: Combat, structure: Structure, interrupted: Option<i64>) {
    let after = Combat {
        structure: Some(structure),
        current: None,
        advanced: None,
        interrupted,
        moved_at: table.at,
        ..before.clone()
    };
    let event = Event::StructureChanged(StructureChanged { combat: before.id, structure });
    table.log(Draft::new("gm", event, vec![Change::Combat(Images::changed(before, after))]));
}

/// Ends a round of a fight without turns and begins the next.
pub fn next_round(table: &mut Table) -> Result<(), Refusal> {
    let before = running(table.state)?.clone();
    if has_turns(table.system(), &before) {
        let summary = "Everybody acts in turn here, and a round ends when all have. Send action=\"next_turn\".";
        return Err(Refusal::new(Code::NoEffect, summary));
    }
    if let Some(interrupted) = before.interrupted {
        effect::count_turn(table, before.id, interrupted, Edge::End);
    }
    lapse(table, &before);
    effect::count_round(table, &before);
    rest::end_round(table, before.id);
    effect::end_timed(table, &before);
    let round = before.round.saturating_add(1);
    let after = Combat { round, interrupted: None, moved_at: table.at, ..before.clone() };
    let event = Event::RoundBegan(RoundBegan { combat: before.id, round });
    table.log(Draft::new("gm", event, vec![Change::Combat(Images::changed(before, after))]));
    Ok(())
}

/// Delays the current turn, or a combatant that has not acted in this round.
pub fn delay(table: &mut Table, name: Option<&str>) -> Result<(), Refusal> {
    let combat = running_with_turns(table)?.clone();
    let own = combat::combatant_or_current(table.state, table.system(), "combatant", name)?.clone();
    let who = label(table, &own);
    let acts = combat.current == Some(own.id);
    let refused = |what: &str| Err(Refusal::new(Code::CannotDelay, format!("{who} {what}")));
    if own.waits.is_some() {
        return refused("lets others go first already. Send action=\"return\" when it acts.");
    }
    if own.defeated {
        return refused("is down and has no turn to delay.");
    }
    if !acts && own.acted_round >= combat.round {
        return refused("has acted in this round.");
    }
    if own.from_round > combat.round {
        return refused("waits for the next round anyway.");
    }
    let others = next_in(table.state, table.system(), combat.id, combat.round, Some(own.id));
    if others.is_none() {
        return refused(
            "is the last to act in this round, and a delay lapses at the round's end. Act, or send next_turn.",
        );
    }
    let first = table.next_id();
    change::log(table, own.id, "gm", Act::Delayed, |own| own.waits = Some(Wait::Delayed));
    if acts {
        advance(table, combat.id, Advance { first, suspends: true, without: None });
    }
    Ok(())
}

/// Calls a delayed combatant back, right after the current turn; or triggers a readied action.
pub fn call_back(table: &mut Table, name: Option<&str>) -> Result<(), Refusal> {
    let combat = running_with_turns(table)?.id;
    let own = match name {
        Some(name) => combat::combatant(table.state, table.system(), "combatant", name)?.clone(),
        None => only_waiting(table, combat)?,
    };
    match (own.waits, own.ready.clone()) {
        (Some(Wait::Delayed), _) => {
            change::log(table, own.id, "gm", Act::Returned, |own| own.waits = Some(Wait::Returned));
        }
        (Some(Wait::Returned), _) => {
            return Err(change::no_effect(&format!("{} acts right after the current turn.", label(table, &own))));
        }
        (None, Some(trigger)) => change::log(table, own.id, "gm", Act::Triggered { trigger }, |own| own.ready = None),
        (None, None) => {
            return Err(change::no_effect(&format!("{} waits for nothing.", label(table, &own))));
        }
    }
    Ok(())
}

fn only_waiting(table: &Table, combat: i64) -> Result<Combatant, Refusal> {
    let waiting: Vec<&Combatant> = table
        .state
        .combatants_of(combat)
        .filter(|own| own.waits == Some(Wait::Delayed) || own.ready.is_some())
        .collect();
    match waiting.as_slice() {
        [only] => Ok((*only).clone()),
        [] => Err(change::no_effect("Nobody lets others go first.")),
        several => {
            let names: Vec<String> = several.iter().map(|own| label(table, own)).collect();
            let summary = format!("Who returns? Send combatant as one of: {}.", names.join(", "));
            Err(Refusal::new(Code::InvalidParameters, summary).did_you_mean(names.into_iter().take(5).collect()))
        }
    }
}

/// Readies an action until the combatant's next turn.
pub fn ready(table: &mut Table, name: Option<&str>, trigger: Option<String>) -> Result<(), Refusal> {
    running_with_turns(table)?;
    let own = combat::combatant_or_current(table.state, table.system(), "combatant", name)?.clone();
    let Some(trigger) = trigger else {
        let summary = "What is waited for? Send trigger=\"the door opens\".";
        return Err(Refusal::new(Code::MissingValue, summary));
    };
    limits::text("trigger", &trigger, LIMITS.context)?;
    if own.defeated {
        return Err(change::no_effect(&format!("{} is down and readies nothing.", label(table, &own))));
    }
    let act = Act::Readied { trigger: trigger.clone() };
    change::log(table, own.id, "gm", act, |own| own.ready = Some(trigger));
    Ok(())
}
