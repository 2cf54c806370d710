//! Fights with turns and without: changes over from one to the other, and the rounds of a fight without turns.
//!
//! - A fight without turns has sides and no order. It has rounds, if the GM counts them ([`next_round`]): effects run on by one
//!   at each, however their turns are counted otherwise.
//! - When turns end, the current one is interrupted: it goes on if turns begin again in the same round, and delays last on. A
//!   round that ends without turns ends both.
//! - When turns begin, those without a number get one by the rules, and everybody acts who has not acted in this round.

use super::turn::{Advance, advance, begin_turn, lapse};
use super::who::subject;
use super::{change, clock, initiative, running};
use crate::decide::rest;
use crate::mechanics::duration::has_turns;
use crate::record::change::{Change, Images};
use crate::record::event::{Event, RoundBegan, StructureChanged};
use crate::record::state::{Combat, Combatant, Edge};
use crate::refusal::{Code, Refusal};
use crate::table::{Draft, Table};
use rollbook_rules::{InitiativeWhen, Structure, System};

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
            gone.into_iter().for_each(|own| clock::count_turn(table, combat, own.id, Edge::End));
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
        clock::count_turn(table, before.id, interrupted, Edge::End);
    }
    lapse(table, &before);
    clock::count_round(table, &before);
    rest::end_round(table, before.id);
    clock::end_timed(table, &before);
    let round = before.round.saturating_add(1);
    let after = Combat { round, interrupted: None, moved_at: table.at, ..before.clone() };
    let event = Event::RoundBegan(RoundBegan { combat: before.id, round });
    table.log(Draft::new("gm", event, vec![Change::Combat(Images::changed(before, after))]));
    Ok(())
}
