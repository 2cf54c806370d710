//! Prepares, starts and ends fights, and adds and removes combatants: initiative, first round.

use crate::decide::character::{self, HitPoints, SheetCall};
use crate::decide::combat::change::{is_prepared, set_turns};
use crate::decide::combat::newcomer::{Fighter, Newcomer, fighters};
use crate::decide::combat::turn::{advance, check_structure};
use crate::decide::combat::{combatant, effect, initiative, log_combat, open, order, subject};
use crate::decide::rest::{self, Closing};
use crate::limits::{self, LIMITS};
use crate::mechanics::duration::{self, has_turns};
use crate::mechanics::tracks::{self, RenewedAt};
use crate::mechanics::{effects, health::Vitality};
use crate::record::change::{Change, Images};
use crate::record::event::{
    Act, CombatEnded, CombatPrepared, CombatStarted, CombatantEvent, CombatantJoined, Event,
    Subject,
};
use crate::record::state::{Character, Combat, CombatStatus, Combatant, Condition, Kind, Until};
use crate::refusal::{Code, Refusal, Result};
use crate::table::{Draft, Table};
use crate::view::visibility::visible_round;
use crate::{decide::time::pass, record::entry::Visibility};
use rollbook_rules::Structure;
use rollbook_text::names::fold;
use std::collections::BTreeMap;

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
pub fn create(table: &mut Table, call: &StartCall) -> Result<()> {
    check_call(table, call)?;
    if let Some(open) = table.state.open_combat() {
        return Err(already_open(open));
    }
    begin_new(table, call, CombatStatus::Setup).map(drop)
}

/// Starts the prepared fight, or a new one, and its first turn.
pub fn start(table: &mut Table, call: &StartCall) -> Result<()> {
    check_call(table, call)?;
    let combat = match table.state.open_combat().cloned() {
        Some(open) if open.status == CombatStatus::Running => return Err(already_open(&open)),
        Some(open) => begin_prepared(table, open, call)?,
        None => begin_new(table, call, CombatStatus::Running)?,
    };
    if table.state.combatants_of(combat).next().is_none() {
        return Err(no_combatants("A fight needs somebody in it."));
    }
    if table
        .state
        .combats
        .get(&combat)
        .is_some_and(|combat| has_turns(table.system(), combat))
    {
        // Without effect when everybody is down.
        advance(table, combat, None);
    }
    Ok(())
}

/// Adds combatants to the open fight.
pub fn add(table: &mut Table, newcomers: &[Newcomer], acts_now: bool) -> Result<()> {
    let Some(combat) = table.state.open_combat().map(|combat| combat.id) else {
        let refusal = Refusal::new(
            Code::NoCombat,
            "No fight is going on, so nobody can join one.",
        );
        let after = " with the same combatants, and with everybody else who is in it; who is known goes by name alone";
        return Err(refusal.send("action", "start", after));
    };
    if newcomers.is_empty() {
        return Err(no_combatants("Nobody is named to be added."));
    }
    fighters(table, newcomers)?
        .into_iter()
        .try_for_each(|fighter| join(table, combat, fighter, acts_now))
}

fn begin_new(table: &mut Table, call: &StartCall, status: CombatStatus) -> Result<i64> {
    let fighters = fighters(table, &call.combatants)?;
    let (combat, title) = (table.next_id(), call.title.clone());
    let row = Combat {
        id: combat,
        title: title.clone(),
        status,
        round: u32::from(status == CombatStatus::Running),
        moved_at: table.at,
        by_kind: call.by_kind.unwrap_or(false),
        structure: structure_of_call(table, call),
        ..Combat::default()
    };
    let (visibility, event) = match status {
        CombatStatus::Setup => (
            Visibility::Gm,
            Event::CombatPrepared(CombatPrepared { combat, title }),
        ),
        CombatStatus::Running | CombatStatus::Ended => (
            Visibility::Public,
            Event::CombatStarted(CombatStarted {
                combat,
                title,
                members: Vec::new(),
            }),
        ),
    };
    table.log(Draft {
        visibility,
        ..Draft::new("gm", event, vec![Change::Combat(Images::made(row))])
    });
    fighters
        .into_iter()
        .try_for_each(|fighter| join(table, combat, fighter, false))?;
    Ok(combat)
}

/// Begins the prepared fight; who has one initiative and whether it has turns, the call may change.
fn begin_prepared(table: &mut Table, before: Combat, call: &StartCall) -> Result<i64> {
    let combat = before.id;
    let structure = if call.structure.is_some() {
        structure_of_call(table, call)
    } else {
        before.structure
    };
    let open = Combat {
        by_kind: call.by_kind.unwrap_or(before.by_kind),
        structure,
        ..before.clone()
    };
    if open != before {
        let event = Event::CombatPrepared(CombatPrepared {
            combat,
            title: open.title.clone(),
        });
        log_combat(table, Visibility::Gm, event, before, open.clone());
    }
    fighters(table, &call.combatants)?
        .into_iter()
        .try_for_each(|fighter| join(table, combat, fighter, false))?;
    if has_turns(table.system(), &open) {
        initiative::roll_missing(table, combat)?;
    }
    let title = call.title.clone().or_else(|| open.title.clone());
    let seen = table
        .state
        .combatants_of(combat)
        .filter(|member| !member.hidden);
    let members: Vec<Subject> = seen
        .filter_map(|member| subject(table.state, member.id))
        .collect();
    let (status, moved_at) = (CombatStatus::Running, table.at);
    let after = Combat {
        title: title.clone(),
        status,
        round: 1,
        moved_at,
        ..open.clone()
    };
    let event = Event::CombatStarted(CombatStarted {
        combat,
        title,
        members,
    });
    log_combat(table, Visibility::Public, event, open, after);
    Ok(combat)
}

/// The structure that the call says, where the rules begin with the other one.
fn structure_of_call(table: &Table, call: &StartCall) -> Option<Structure> {
    call.structure
        .filter(|structure| *structure != table.system().first_structure())
}

fn check_call(table: &Table, call: &StartCall) -> Result<()> {
    call.structure.map_or(Ok(()), |structure| {
        check_structure(table.system(), structure)
    })?;
    call.title
        .as_ref()
        .map_or(Ok(()), |title| limits::name("title", title))
}

fn already_open(open: &Combat) -> Refusal {
    let title = open
        .title
        .as_deref()
        .map_or(String::new(), |title| format!(" ({title})"));
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

/// Adds a character. Above the current initiative it waits for the next round, unless `acts_now`.
fn join(
    table: &mut Table,
    combat: i64,
    (character, newcomer): Fighter,
    acts_now: bool,
) -> Result<()> {
    let system = table.system();
    let fight = table.state.combats.get(&combat).cloned();
    let (Some(fight), Some(row)) = (fight, table.state.characters.get(&character).cloned()) else {
        return Ok(());
    };
    let side = newcomer.side.as_deref().map(fold);
    let side = side.unwrap_or_else(|| {
        if row.kind.is_open() {
            "players"
        } else {
            "foes"
        }
        .to_owned()
    });
    let prepared = fight.status == CombatStatus::Setup;
    let mut member = Combatant {
        id: table.next_id(),
        combat,
        character,
        initiative: newcomer.initiative,
        ties: order::tie_breaks(table, &row, &side),
        side,
        defeated: Vitality::of(table.state, character).is_down(system),
        hidden: newcomer.hidden,
        ..Combatant::default()
    };
    let mut roll = None;
    if member.initiative.is_none() && !prepared && has_turns(system, &fight) {
        let shared = order::shared_initiative(table, &member);
        let dealt = initiative::all_numbers(table, combat);
        (member.initiative, roll) = initiative::number(table, &row, shared, &dealt)?;
    }
    let acting = fight.current.and_then(|id| table.state.combatants.get(&id));
    let waits = |acting: &Combatant| order::is_before(table.state, system, &member, acting);
    let from_round = acting.map_or(0, |acting| fight.round + u32::from(waits(acting)));
    member.from_round = if acts_now { fight.round } else { from_round };
    let initiative = member.initiative;
    let card = initiative.filter(|_| newcomer.initiative.is_none());
    let card = card.and_then(|card| initiative::card_name(system, card));
    let event = Event::CombatantJoined(CombatantJoined {
        combat,
        subject: row.subject(),
        initiative,
        card,
    });
    let actor = if newcomer.initiative.is_some() {
        "gm"
    } else {
        "system"
    };
    table.log(Draft {
        visibility: if prepared || newcomer.hidden {
            Visibility::Gm
        } else {
            Visibility::Public
        },
        rolls: roll.into_iter().collect(),
        rule: system.initiative.place.as_ref().map(ToString::to_string),
        ..Draft::new(actor, event, vec![Change::Combatant(Images::made(member))])
    });
    rest::renew(table, character, (RenewedAt::Fight, "new fight"));
    match newcomer.initiatives.as_slice() {
        [] => Ok(()),
        turns => set_turns(table, &row.name, turns),
    }
}

/// Sets the hit points of the call; a player character's are never replaced.
pub(super) fn set_hit_points(
    table: &mut Table,
    known: &Character,
    newcomer: &Newcomer,
) -> Result<()> {
    let Some(hp) = newcomer.hp else { return Ok(()) };
    let name = tracks::main_name(table.system()).to_owned();
    let vitality = Vitality::of(table.state, known.id);
    let is_player = known.kind == Kind::Player;
    let sheet = match vitality.main_track(table.system()) {
        Some(track) if (track.value, track.max) == (hp, Some(hp)) => return Ok(()),
        Some(_) if is_player => {
            let summary = format!(
                "{0} already has hit points; hp={hp} was not taken. Leave hp out, or change them with \
                 manage_character action=\"update\" character=\"{0}\" tracks={{\"{name}\": {hp}}}.",
                known.name
            );
            return Err(Refusal::new(Code::InvalidParameters, summary));
        }
        _ if is_player => SheetCall {
            tracks: BTreeMap::from([(name, hp)]),
            ..SheetCall::default()
        },
        _ => SheetCall {
            hp: Some(HitPoints::full(hp)),
            ..SheetCall::default()
        },
    };
    character::update(table, &known.name, sheet)
}

/// Ends the fight and the scene, with the conditions that its turns count or that last until then.
pub fn end(table: &mut Table, outcome: Option<String>) -> Result<()> {
    outcome.as_ref().map_or(Ok(()), |outcome| {
        limits::text("outcome", outcome, LIMITS.context)
    })?;
    let before = open(table.state)?.clone();
    let combat = before.id;
    let (state, system) = (&*table.state, table.system());
    let is_counted = |row: &Condition| {
        let anchor = row
            .lasts
            .as_ref()
            .and_then(|lasts| state.combatants.get(&lasts.anchor));
        anchor.is_some_and(|anchor| anchor.combat == combat)
    };
    // Where the rules have an end of the scene, [`rest::close`] ends these.
    let scene = !rest::rests_at_end(system, Closing::Scene).any(rest::ends_scene);
    let is_over = |row: &Condition| match duration::ending(system, row) {
        Some(Until::Fight) => true,
        Some(Until::Scene) => scene,
        _ => false,
    };
    let is_member = |row: &Condition| {
        state
            .combatants_of(combat)
            .any(|member| member.character == row.character)
    };
    let ends = |row: &&Condition| is_counted(row) || (is_over(row) && is_member(row));
    let over = state.conditions.values().filter(ends).cloned().collect();
    effect::end_effects(table, combat, "system", over);
    let prepared = before.status == CombatStatus::Setup;
    let rounds =
        duration::rounds(table.system(), visible_round(table.state, &before)).filter(|_| !prepared);
    let members: Vec<i64> = table
        .state
        .combatants_of(combat)
        .map(|member| member.character)
        .collect();
    // Players know nothing of a fight that never began.
    let visibility = if prepared {
        Visibility::Gm
    } else {
        Visibility::Public
    };
    let (status, moved_at) = (CombatStatus::Ended, table.at);
    let event = Event::CombatEnded(CombatEnded {
        combat,
        outcome: outcome.clone(),
    });
    let after = Combat {
        status,
        current: None,
        interrupted: None,
        outcome,
        moved_at,
        ..before.clone()
    };
    log_combat(table, visibility, event, before, after);
    if let Some(seconds) = rounds {
        pass(table, "system", seconds, Some("the fight".to_owned()));
    }
    if prepared {
        Ok(())
    } else {
        rest::close(table, Closing::Scene, &members)
    }
}

/// Removes a combatant; its turn passes first, and conditions that its turns count end.
pub fn remove(table: &mut Table, name: &str) -> Result<()> {
    let id = combatant(table, "combatant", name)?.id;
    let combat = open(table.state)?.clone();
    let halts = combat.current == Some(id) && !advance(table, combat.id, Some(id));
    let halted = table
        .state
        .combats
        .get(&combat.id)
        .filter(|_| halts)
        .cloned();
    let counted = effects::counted_by(table.state, |lasts| lasts.anchor == id);
    effect::end_effects(table, combat.id, "system", counted);
    // The advance may have changed it.
    let member = table.state.combatants.get(&id).cloned();
    let (Some(member), Some(subject)) = (member, subject(table.state, id)) else {
        return Ok(());
    };
    let is_secret = member.hidden || is_prepared(table, &member);
    let visibility = if is_secret {
        Visibility::Gm
    } else {
        Visibility::Public
    };
    // The row of a hidden character stays, out of the fight: it says that players have not seen
    // them, and their name stays the GM's.
    let stays = member.hidden && !subject.kind.is_open() && !is_prepared(table, &member);
    let out = stays.then(|| Combatant {
        defeated: true,
        waits: None,
        ready: None,
        ..member.clone()
    });
    let mut changes = vec![Change::Combatant(Images {
        before: Some(member),
        after: out,
    })];
    changes.extend(halted.map(|before| {
        let after = Combat {
            current: None,
            advanced: None,
            ..before.clone()
        };
        Change::Combat(Images::changed(before, after))
    }));
    let holder = subject.id;
    let event = Event::Combatant(CombatantEvent {
        combat: combat.id,
        subject,
        act: Act::Left,
    });
    table.log(Draft {
        visibility,
        ..Draft::new("gm", event, changes)
    });
    let holder = table.state.characters.get(&holder);
    table.note(
        holder.and_then(|holder| effects::leaving_reminder(table.state, table.system(), holder)),
    );
    Ok(())
}
