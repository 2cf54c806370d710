//! Prepares and starts fights, and adds combatants: initiative by the rules, and the first round to act in.

use super::newcomer::{Fighter, Newcomer, fighters};
use super::order::is_before;
use super::structure::check_structure;
use super::turn::{Advance, advance};
use super::{initiative, open_to_join, order};
use crate::limits;
use crate::mechanics::duration::has_turns;
use crate::mechanics::health::Vitality;
use crate::record::change::{Change, Images};
use crate::record::entry::Visibility;
use crate::record::event::{CombatPrepared, CombatStarted, CombatantJoined, Event, Subject};
use crate::record::state::{Character, Combat, CombatStatus, Combatant};
use crate::refusal::{Code, Refusal};
use crate::table::{Draft, Table};
use rollbook_rules::Structure;
use rollbook_text::names::fold;

/// What the caller asked for.
#[derive(Debug, Default, Clone)]
pub struct StartCall {
    pub title: Option<String>,
    pub combatants: Vec<Newcomer>,
    /// Whether those of a kind have one initiative, where the call says so.
    pub by_kind: Option<bool>,
    /// Whether it has turns, where the call says so.
    pub structure: Option<Structure>,
}

/// Prepares a fight, which only the GM sees until [`start`].
pub fn create(table: &mut Table, call: &StartCall) -> Result<(), Refusal> {
    check_call(table, call)?;
    if let Some(open) = table.state.open_combat() {
        return Err(already_open(open));
    }
    let fighters = fighters(table, &call.combatants)?;
    let row = new_combat(table, call, CombatStatus::Setup);
    let combat = row.id;
    let event = Event::CombatPrepared(CombatPrepared { combat, title: call.title.clone() });
    let changes = vec![Change::Combat(Images::made(row))];
    table.log(Draft { visibility: Visibility::Gm, ..Draft::new("gm", event, changes) });
    fighters.into_iter().try_for_each(|fighter| join(table, combat, fighter, false))
}

/// Starts the prepared fight, or a new one, and its first turn.
pub fn start(table: &mut Table, call: &StartCall) -> Result<(), Refusal> {
    check_call(table, call)?;
    let prepared = table.state.open_combat().cloned();
    let combat = match prepared {
        Some(open) if open.status == CombatStatus::Running => return Err(already_open(&open)),
        Some(open) => {
            let open = with_prepared(table, open, call);
            let fighters = fighters(table, &call.combatants)?;
            fighters.into_iter().try_for_each(|fighter| join(table, open.id, fighter, false))?;
            begin_prepared(table, open, call)?
        }
        None => begin_new(table, call)?,
    };
    let turns = table.state.combats.get(&combat).is_some_and(|combat| has_turns(table.system(), combat));
    if turns {
        // Without effect when everybody is down.
        let first = table.next_id();
        advance(table, combat, Advance { first, suspends: false, without: None });
    }
    Ok(())
}

/// Adds combatants to the open fight.
pub fn add(table: &mut Table, newcomers: &[Newcomer], acts_now: bool) -> Result<(), Refusal> {
    let combat = open_to_join(table.state)?.id;
    if newcomers.is_empty() {
        return Err(no_combatants("Nobody is named to be added."));
    }
    let fighters = fighters(table, newcomers)?;
    fighters.into_iter().try_for_each(|fighter| join(table, combat, fighter, acts_now))
}

fn begin_new(table: &mut Table, call: &StartCall) -> Result<i64, Refusal> {
    if call.combatants.is_empty() {
        return Err(no_combatants("A fight needs somebody in it."));
    }
    let fighters = fighters(table, &call.combatants)?;
    let row = new_combat(table, call, CombatStatus::Running);
    let combat = row.id;
    let event = Event::CombatStarted(CombatStarted { combat, title: call.title.clone(), members: Vec::new() });
    table.log(Draft::new("gm", event, vec![Change::Combat(Images::made(row))]));
    fighters.into_iter().try_for_each(|fighter| join(table, combat, fighter, false))?;
    Ok(combat)
}

/// The prepared fight, with who has one initiative, and whether it has turns, changed where the call says so.
fn with_prepared(table: &mut Table, open: Combat, call: &StartCall) -> Combat {
    let structure = if call.structure.is_some() { own_structure(table, call) } else { open.structure };
    let after = Combat { by_kind: call.by_kind.unwrap_or(open.by_kind), structure, ..open.clone() };
    if after == open {
        return open;
    }
    let event = Event::CombatPrepared(CombatPrepared { combat: open.id, title: open.title.clone() });
    let changes = vec![Change::Combat(Images::changed(open, after.clone()))];
    table.log(Draft { visibility: Visibility::Gm, ..Draft::new("gm", event, changes) });
    after
}

fn begin_prepared(table: &mut Table, open: Combat, call: &StartCall) -> Result<i64, Refusal> {
    let combat = open.id;
    let without: Vec<i64> =
        table.state.combatants_of(combat).filter(|own| own.initiative.is_none()).map(|own| own.id).collect();
    if table.state.combatants_of(combat).next().is_none() {
        return Err(no_combatants("A fight needs somebody in it."));
    }
    if has_turns(table.system(), &open) {
        without.into_iter().try_for_each(|id| initiative::roll_for(table, combat, id, false).map(drop))?;
    }
    let title = call.title.clone().or_else(|| open.title.clone());
    let seen = table.state.combatants_of(combat).filter(|own| !own.hidden);
    let members: Vec<Subject> =
        seen.filter_map(|own| table.state.characters.get(&own.character)).map(Character::subject).collect();
    let after =
        Combat { title: title.clone(), status: CombatStatus::Running, round: 1, moved_at: table.at, ..open.clone() };
    let event = Event::CombatStarted(CombatStarted { combat, title, members });
    table.log(Draft::new("gm", event, vec![Change::Combat(Images::changed(open, after))]));
    Ok(combat)
}

fn new_combat(table: &mut Table, call: &StartCall, status: CombatStatus) -> Combat {
    Combat {
        id: table.next_id(),
        title: call.title.clone(),
        status,
        round: u32::from(status == CombatStatus::Running),
        current: None,
        outcome: None,
        moved_at: table.at,
        advanced: None,
        by_kind: call.by_kind.unwrap_or(false),
        structure: own_structure(table, call),
        interrupted: None,
    }
}

/// The structure that the call says, where the rules begin with the other one.
fn own_structure(table: &Table, call: &StartCall) -> Option<Structure> {
    call.structure.filter(|structure| *structure != table.system().first_structure())
}

fn check_call(table: &Table, call: &StartCall) -> Result<(), Refusal> {
    call.structure.map_or(Ok(()), |structure| check_structure(table.system(), structure))?;
    call.title.as_ref().map_or(Ok(()), |title| limits::name("title", title))
}

fn already_open(open: &Combat) -> Refusal {
    let title = open.title.as_deref().map_or(String::new(), |title| format!(" ({title})"));
    let summary = match open.status {
        CombatStatus::Setup => format!(
            "A fight is prepared already{title}. Send action=\"start\" to begin it, \"add\" to bring more in, or \"end\" to drop it."
        ),
        _ => format!(
            "A fight is going on already{title}, round {}. Send action=\"end\" first, or action=\"status\" to see it.",
            open.round
        ),
    };
    Refusal::new(Code::CombatRunning, summary)
}

fn no_combatants(what: &str) -> Refusal {
    let summary = format!(
        "{what} Send combatants=[{{\"name\": \"Goblin\", \"count\": 2, \"hp\": 7}}]; who is known goes by name alone."
    );
    Refusal::new(Code::InvalidParameters, summary)
}

/// Adds a character to the fight. While it is prepared nothing is rolled; while it runs, a combatant above the current
/// initiative waits for the next round unless `acts_now`.
pub(super) fn join(table: &mut Table, combat: i64, fighter: Fighter, acts_now: bool) -> Result<(), Refusal> {
    let (character, newcomer) = fighter;
    let (Some(fight), Some(row)) = (table.state.combats.get(&combat), table.state.characters.get(&character)) else {
        return Ok(());
    };
    let (fight, row) = (fight.clone(), row.clone());
    let side = newcomer.side.as_deref().map(fold);
    let side = side.unwrap_or_else(|| if row.kind.is_open() { "players" } else { "foes" }.to_owned());
    let prepared = fight.status == CombatStatus::Setup;
    let waits_for_order = prepared || !has_turns(table.system(), &fight);
    let id = table.next_id();
    let unplaced = Combatant {
        id,
        combat,
        character,
        initiative: None,
        ties: order::tie_breaks(table, &row, &side),
        side,
        acted_round: 0,
        defeated: Vitality::of(table.state, character).is_down(table.system()),
        from_round: 0,
        turn_at: None,
        hidden: newcomer.hidden,
        waits: None,
        ready: None,
    };
    let (number, roll) = match newcomer.initiative {
        Some(set) => (Some(set), None),
        None if waits_for_order => (None, None),
        None => {
            let shared = order::shared_initiative(table.state, table.system(), &unplaced);
            let dealt = initiative::all_numbers(table, combat);
            initiative::number(table, &row, shared, &dealt)?
        }
    };
    let combatant = Combatant { initiative: number, ..unplaced };
    let from_round = if acts_now { fight.round } else { first_round(table, &fight, &combatant) };
    let combatant = Combatant { from_round, ..combatant };
    let card =
        number.filter(|_| newcomer.initiative.is_none()).and_then(|card| initiative::card_name(table.system(), card));
    let event = Event::CombatantJoined(CombatantJoined { combat, subject: row.subject(), initiative: number, card });
    let actor = if newcomer.initiative.is_some() { "gm" } else { "system" };
    table.log(Draft {
        visibility: if prepared || newcomer.hidden { Visibility::Gm } else { Visibility::Public },
        rolls: roll.into_iter().collect(),
        rule: table.system().initiative.place.as_ref().map(ToString::to_string),
        ..Draft::new(actor, event, vec![Change::Combatant(Images::made(combatant))])
    });
    Ok(())
}

/// This round below the current initiative, the next round above it.
fn first_round(table: &Table, fight: &Combat, newcomer: &Combatant) -> u32 {
    let acting = fight.current.and_then(|id| table.state.combatants.get(&id));
    acting.map_or(0, |acting| fight.round + u32::from(is_before(table.state, table.system(), newcomer, acting)))
}
