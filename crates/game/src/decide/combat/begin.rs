//! Prepares, starts and ends fights, and adds and removes combatants: initiative by the rules, and the first round to act in.

use std::collections::BTreeMap;

use crate::decide::character;
use crate::decide::character::{HitPoints, SheetCall};
use crate::decide::combat::change::is_prepared;
use crate::decide::combat::newcomer::{Fighter, Newcomer, fighters};
use crate::decide::combat::order::is_before;
use crate::decide::combat::turn::check_structure;
use crate::decide::combat::turn::{Advance, advance};
use crate::decide::combat::{combatant, effect, initiative, open, open_to_join, order, subject};
use crate::decide::rest;
use crate::decide::rest::Closing;
use crate::decide::time::pass;
use crate::limits::{self, LIMITS};
use crate::mechanics::duration;
use crate::mechanics::duration::has_turns;
use crate::mechanics::effects;
use crate::mechanics::health::Vitality;
use crate::mechanics::tracks;
use crate::record::change::{Change, Images};
use crate::record::entry::Visibility;
use crate::record::event::{
    Act, CombatEnded, CombatPrepared, CombatStarted, CombatantEvent, CombatantJoined, Event, Subject,
};
use crate::record::state::{Character, Combat, CombatStatus, Combatant, Condition, Kind, State, Until};
use crate::refusal::{Code, Refusal};
use crate::table::{Draft, Table};
use crate::view::visibility::visible_round;
use rollbook_rules::{Structure, System};
use rollbook_text::names::{fold, listed};

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

/// Bytes of the names in the note.
const NAMES_MAX: usize = 200;

/// Sets the hit points of the call; a player character's are never replaced.
pub(super) fn set_hit_points(table: &mut Table, known: &Character, newcomer: &Newcomer) -> Result<(), Refusal> {
    let Some(hp) = newcomer.hp else { return Ok(()) };
    let name = tracks::main_name(table.system()).to_owned();
    match Vitality::of(table.state, known.id).main_track(table.system()) {
        Some(own) if (own.value, own.max) == (hp, Some(hp)) => Ok(()),
        Some(_) if known.kind == Kind::Player => {
            let summary = format!(
                "{0} already has hit points; hp={hp} was not taken. Leave hp out, or change them with \
                 manage_character action=\"update\" character=\"{0}\" tracks={{\"{name}\": {hp}}}.",
                known.name
            );
            Err(Refusal::new(Code::InvalidParameters, summary))
        }
        Some(_) | None => {
            let sheet = match known.kind == Kind::Player {
                true => SheetCall { tracks: BTreeMap::from([(name, hp)]), ..SheetCall::default() },
                false => SheetCall { hp: Some(HitPoints::full(hp)), ..SheetCall::default() },
            };
            character::update(table, &known.name, sheet)
        }
    }
}

/// Notes who has no hit points though the rules count them, and what gives some.
pub(super) fn note_without(table: &mut Table, ids: impl Iterator<Item = i64>) {
    let (state, system) = (&*table.state, table.system());
    if system.damage.iter().all(|own| system.harmed(own).is_empty()) {
        return;
    }
    let counted = |own: &&Character| {
        let vitality = Vitality::of(state, own.id);
        vitality.main_track(system).is_some() || vitality.health(system).is_some()
    };
    let without: Vec<&Character> = ids.filter_map(|id| state.characters.get(&id)).filter(|own| !counted(own)).collect();
    let Some(first) = without.first() else { return };
    let names = listed(without.iter().map(|own| own.name.as_str()), NAMES_MAX);
    let (first, missing) = (first.name.clone(), character::missing(state, system, first).join("; "));
    let more = match missing.is_empty() {
        true => format!("manage_character action=\"update\" character=\"{first}\" hp=8 gives some"),
        false => format!("{first} still lacks {missing}"),
    };
    table.note([format!("without hit points: {names}; {more}")]);
}

/// Ends the fight, and the scene with it. Conditions that its turns count, or that last until the end of the fight, end
/// too.
pub fn end(table: &mut Table, outcome: Option<String>) -> Result<(), Refusal> {
    if let Some(outcome) = &outcome {
        limits::text("outcome", outcome, LIMITS.context)?;
    }
    let before = open(table.state)?.clone();
    let over = conditions_ending_with(table.state, table.system(), &before);
    effect::end_effects(table, before.id, "system", over);
    let prepared = before.status == CombatStatus::Setup;
    let after = Combat {
        status: CombatStatus::Ended,
        current: None,
        interrupted: None,
        outcome: outcome.clone(),
        moved_at: table.at,
        ..before.clone()
    };
    let event = Event::CombatEnded(CombatEnded { combat: before.id, outcome });
    // Players know nothing of a fight that never began.
    let visibility = if prepared { Visibility::Gm } else { Visibility::Public };
    let rounds = duration::rounds(table.system(), visible_round(table.state, &before)).filter(|_| !prepared);
    let members: Vec<i64> = table.state.combatants_of(before.id).map(|own| own.character).collect();
    let changes = vec![Change::Combat(Images::changed(before, after))];
    table.log(Draft { visibility, ..Draft::new("gm", event, changes) });
    if let Some(seconds) = rounds {
        pass(table, "system", seconds, Some("the fight".to_owned()));
    }
    if prepared { Ok(()) } else { rest::close(table, Closing::Scene, &members) }
}

fn conditions_ending_with(state: &State, system: &System, combat: &Combat) -> Vec<Condition> {
    let counted = |own: &Condition| {
        let anchor = own.lasts.as_ref().and_then(|lasts| state.combatants.get(&lasts.anchor));
        anchor.is_some_and(|anchor| anchor.combat == combat.id)
    };
    // Where the rules have an end of the scene, [`rest::close`] ends these.
    let scene = !rest::rests_at_end(system, Closing::Scene).any(rest::ends_scene);
    let until = |own: &Condition| {
        let over = match duration::ending(system, own) {
            Some(Until::Fight) => true,
            Some(Until::Scene) => scene,
            _ => false,
        };
        over && state.combatants_of(combat.id).any(|member| member.character == own.character)
    };
    state.conditions.values().filter(|own| counted(own) || until(own)).cloned().collect()
}

/// Removes a combatant. If it is its turn, the turn passes first; conditions that its turns count end.
pub fn remove(table: &mut Table, name: &str) -> Result<(), Refusal> {
    let own = combatant(table.state, table.system(), "combatant", name)?.clone();
    let combat = open(table.state)?.clone();
    let mut halted = None;
    if combat.current == Some(own.id) {
        let first = table.next_id();
        if !advance(table, combat.id, Advance { first, suspends: false, without: Some(own.id) }) {
            halted = table.state.combats.get(&combat.id).cloned();
        }
    }
    let counted = effects::counted_by(table.state, |lasts| lasts.anchor == own.id);
    effect::end_effects(table, combat.id, "system", counted);
    // The advance may have changed it.
    let (Some(own), Some(subject)) = (table.state.combatants.get(&own.id).cloned(), subject(table.state, own.id))
    else {
        return Ok(());
    };
    let visibility = if own.hidden || is_prepared(table, &own) { Visibility::Gm } else { Visibility::Public };
    // The row of somebody hidden stays, out of the fight: it says that players have not seen them, and their name stays the GM's.
    let stays = own.hidden && !subject.kind.is_open() && !is_prepared(table, &own);
    let mut changes = match stays {
        true => {
            let out = Combatant { defeated: true, waits: None, ready: None, ..own.clone() };
            vec![Change::Combatant(Images::changed(own, out))]
        }
        false => vec![Change::Combatant(Images::gone(own))],
    };
    if let Some(before) = halted {
        let after = Combat { current: None, advanced: None, ..before.clone() };
        changes.push(Change::Combat(Images::changed(before, after)));
    }
    let holder = subject.id;
    let event = Event::Combatant(CombatantEvent { combat: combat.id, subject, act: Act::Left });
    table.log(Draft { visibility, ..Draft::new("gm", event, changes) });
    let holder = table.state.characters.get(&holder);
    let kept = holder.and_then(|own| effects::leaving_reminder(table.state, table.system(), own));
    table.note(kept);
    Ok(())
}
