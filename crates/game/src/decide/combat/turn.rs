//! Turns and rounds. A round ends when nobody is left to act in it.
//!
//! An advance is one or several entries: effects at the end of the turn, effects at the end of the
//! round, initiative for the new round, effects at the start of the turn, and last the new turn.
//! [`super::back`] takes all of them back.
//!
//! - A fight without turns has sides and no order. It has rounds, if the GM counts them
//!   ([`next_round`]): effects run on by one at each, however their turns are counted otherwise.
//! - When turns end, the current one is interrupted: it goes on if turns begin again in the same
//!   round, and delays last on. A round that ends without turns ends both.
//! - When turns begin, those without a number get one by the rules, and everybody acts who has not
//!   acted in this round.
//!
//! A delay is for this round: it keeps the initiative, is called back right after the current turn,
//! and lapses at the round's end. `set_initiative` changes the place for good.

use crate::decide::combat::change::{label, no_effect};
use crate::decide::combat::{
    change, combatant, combatant_or_current, effect, initiative, log_combat, order::next_in,
    running, subject,
};
use crate::decide::rest::{self, Closing};
use crate::limits::{self, LIMITS};
use crate::mechanics::duration::{self, has_turns};
use crate::mechanics::tracks::RenewedAt;
use crate::record::change::{Change, Images};
use crate::record::event::{Act, Event, RoundBegan, StructureChanged, TurnBegan};
use crate::record::state::{Combat, Combatant, Edge, Wait};
use crate::refusal::{Code, Refusal, Result};
use crate::table::{Draft, Table};
use crate::{mechanics::lookup, record::entry::Visibility};
use rollbook_rules::{InitiativeWhen, Structure, System};
use rollbook_text::names::quoted;

/// Ends the current turn and begins the next.
pub fn next_turn(table: &mut Table) -> Result<()> {
    let combat = running_with_turns(table)?.id;
    if advance(table, combat, None) {
        return Ok(());
    }
    let summary = match table.state.combatants_of(combat).next() {
        Some(_) => {
            "Everybody is down, so nobody can act. Send action=\"end\" with an outcome, or heal somebody with apply_damage."
        }
        None => {
            "Nobody is in the fight. Send action=\"add\" with combatants, or action=\"end\" with an outcome."
        }
    };
    Err(Refusal::new(Code::NobodyUp, summary))
}

/// Refuses the end of a turn that is not this character's, by default the only player character's.
pub fn check_turn_of(table: &Table, character: Option<&str>) -> Result<()> {
    let (state, system) = (&*table.state, table.system());
    let combat = running_with_turns(table)?;
    let named = character.map(|name| lookup::participant(state, system, "character", name));
    let actor = named.unwrap_or_else(|| lookup::sole_player(state, system))?;
    let current = combat.current.and_then(|id| state.combatants.get(&id));
    if current.is_some_and(|member| member.character == actor.id) {
        return Ok(());
    }
    let whose = current.and_then(|member| state.characters.get(&member.character));
    let whose = whose.map_or("nobody's turn".to_owned(), |who| {
        format!("{}'s turn", who.name)
    });
    let summary = format!(
        "It is {whose}, not {}'s. Leave end_turn out for an action between turns; or end the turn that it is with manage_combat \
         action=\"next_turn\" and no name.",
        actor.name
    );
    Err(Refusal::new(Code::NotTheirTurn, summary))
}

/// Refuses to go on by itself where somebody may act before the next turn, and the GM decides.
pub fn check_nobody_waits(table: &Table) -> Result<()> {
    let combat = running_with_turns(table)?.id;
    let Some(member) = table.state.combatants_of(combat).find(is_waiting) else {
        return Ok(());
    };
    let who = label(table, member);
    let why = match &member.ready {
        Some(trigger) => format!("has readied an action for \"{}\"", quoted(trigger)),
        None => "lets others go first".to_owned(),
    };
    let summary = format!(
        "{who} {why}. If {who} acts now, send manage_combat action=\"return\" combatant=\"{who}\" first."
    );
    Err(Refusal::new(Code::NotTheirTurn, summary))
}

pub(super) fn running_with_turns<'t>(table: &'t Table) -> Result<&'t Combat> {
    let (combat, system) = (running(table.state)?, table.system());
    if has_turns(system, combat) || combat.current.is_some() {
        return Ok(combat);
    }
    Err(no_turns(system))
}

pub(super) fn no_turns(system: &System) -> Refusal {
    let place = system
        .structure_place()
        .filter(|_| !system.changes_structure());
    let place = place.map_or(String::new(), |place| format!(" ({place})"));
    let changes = if system.changes_structure() {
        ", \"structure\" begins turns"
    } else {
        ""
    };
    let summary = format!(
        "This fight has no turns{place}: nobody waits for one. Just act, without end_turn; manage_combat action=\"next_round\" counts a round, and \
         effects with it{changes}, and \"end\" ends the fight."
    );
    Refusal::new(Code::NoTurns, summary)
}

/// Passes the turn; `false` when nobody can act. `without` is a combatant that is about to leave.
pub(super) fn advance(table: &mut Table, combat: i64, without: Option<i64>) -> bool {
    let first = table.next_id();
    let current = table.state.combats.get(&combat).and_then(|row| row.current);
    if let Some(current) = current {
        effect::count_end(table, combat, current);
    }
    pass_turn(table, combat, first, without)
}

/// The same where the current turn does not end; `first` is the first entry of the advance.
fn pass_turn(table: &mut Table, combat: i64, first: i64, without: Option<i64>) -> bool {
    let Some(before) = table.state.combats.get(&combat).cloned() else {
        return false;
    };
    let mut round = before.round;
    let mut found = next_in(table, combat, round, without);
    let is_up = |member: &Combatant| !member.defeated && Some(member.id) != without;
    if found.is_none() && table.state.combatants_of(combat).any(is_up) {
        end_round(table, &before, false);
        round = round.saturating_add(1);
        if table.system().initiative.when == InitiativeWhen::EachRound {
            initiative::roll_round(table, combat);
        }
        found = next_in(table, combat, round, without);
    }
    let goes_on = |id: &i64| {
        let member = table.state.combatants.get(id);
        member.is_some_and(|member| member.waits.is_some())
    };
    let found = found.map(|id| (id, goes_on(&id)));
    found
        .map(|(id, goes_on)| begin_turn(table, combat, (id, goes_on), round, first))
        .is_some()
}

/// Delays lapse, missed turns count (`all`: of everybody), what the rules do at a round's end is
/// done as far as it can be, and what lasts no longer ends.
fn end_round(table: &mut Table, combat: &Combat, all: bool) {
    let waiting = table
        .state
        .combatants_of(combat.id)
        .filter(|member| member.waits.is_some());
    for before in waiting.cloned().collect::<Vec<Combatant>>() {
        if before.acted_round >= combat.round {
            effect::count_end(table, combat.id, before.id);
        }
        change::log(table, before.id, "system", Act::Lapsed, |member| {
            member.waits = None
        });
    }
    effect::count_missed_turns(table, combat, all);
    let members: Vec<i64> = table
        .state
        .combatants_of(combat.id)
        .map(|member| member.character)
        .collect();
    let refused = rest::close(table, Closing::Round, &members).err();
    table.note(refused.map(|refusal| refusal.summary));
    if let Some(passed) = duration::rounds(table.system(), combat.round) {
        let at = duration::row(table.state).value.saturating_add(passed);
        effect::end_effects(table, combat.id, "system", duration::due(table.state, at));
    }
}

/// Begins a combatant's turn in that round, or resumes an interrupted one that `goes_on`.
fn begin_turn(table: &mut Table, combat: i64, (id, goes_on): (i64, bool), round: u32, first: i64) {
    let member = table.state.combatants.get(&id).cloned();
    let has_acted = member
        .as_ref()
        .is_some_and(|member| member.acted_round >= round);
    let resumed = has_acted && goes_on;
    if !resumed {
        effect::count_turn(table, combat, id, (Edge::Start, has_acted));
        for who in member.iter().filter(|member| !member.defeated) {
            rest::renew(table, who.character, (RenewedAt::Turn, "start of turn"));
        }
    }
    let turn_at = Some(table.next_id());
    let (combat, member) = (
        table.state.combats.get(&combat).cloned(),
        table.state.combatants.get(&id).cloned(),
    );
    let (Some(before), Some(member), Some(began)) = (combat, member, subject(table.state, id))
    else {
        return;
    };
    let ended = before.current.and_then(|id| subject(table.state, id));
    let after = Combat {
        round,
        current: Some(id),
        moved_at: table.at,
        advanced: Some(first),
        ..before.clone()
    };
    // A readied action ends when the next turn begins.
    let ready = member.ready.clone().filter(|_| resumed);
    let now = Combatant {
        acted_round: round,
        again: if has_acted {
            member.again.saturating_add(u32::from(!resumed))
        } else {
            0
        },
        waits: None,
        ready,
        turn_at,
        ..member.clone()
    };
    let event = Event::TurnBegan(TurnBegan {
        combat: before.id,
        round,
        ended,
        began,
        resumed,
    });
    let visibility = if member.hidden {
        Visibility::Gm
    } else {
        Visibility::Public
    };
    let changes = vec![
        Change::Combat(Images::changed(before, after)),
        Change::Combatant(Images::changed(member, now)),
    ];
    table.log(Draft {
        visibility,
        ..Draft::new("gm", event, changes)
    });
}

/// Changes over to that structure, by default to the other one.
pub fn change_structure(table: &mut Table, to: Option<Structure>) -> Result<()> {
    let before = running(table.state)?.clone();
    let now = if has_turns(table.system(), &before) {
        Structure::TurnBased
    } else {
        Structure::Narrative
    };
    let to = to.unwrap_or_else(|| now.other());
    check_structure(table.system(), to)?;
    if to == now {
        let (now, other) = (now.as_str(), now.other().as_str());
        return no_effect(format!(
            "This fight is {now} already. Send structure=\"{other}\" to change over."
        ));
    }
    let ends = to == Structure::Narrative;
    let (interrupted, resumed) = if ends {
        (before.current, None)
    } else {
        (None, before.interrupted)
    };
    let (combat, round) = (before.id, before.round);
    let (structure, moved_at) = (Some(to), table.at);
    let after = Combat {
        structure,
        current: None,
        advanced: None,
        interrupted,
        moved_at,
        ..before.clone()
    };
    let event = Event::StructureChanged(StructureChanged {
        combat,
        structure: to,
    });
    log_combat(table, Visibility::Public, event, before, after);
    if ends {
        let whose = interrupted.and_then(|id| subject(table.state, id));
        table.note(whose.map(|who| {
            format!(
                "{}'s turn goes on if turns begin again in this round.",
                who.name
            )
        }));
        return Ok(());
    }
    let fresh = table
        .state
        .combatants_of(combat)
        .all(|member| member.acted_round < round);
    if table.system().initiative.when == InitiativeWhen::EachRound && fresh {
        initiative::roll_round(table, combat);
    } else {
        initiative::roll_missing(table, combat)?;
    }
    let first = table.next_id();
    match resumed.and_then(|id| table.state.combatants.get(&id).cloned()) {
        Some(member) if !member.defeated => {
            begin_turn(table, combat, (member.id, true), round, first)
        }
        gone => {
            // The turn of a character who is down ends.
            gone.into_iter()
                .for_each(|member| effect::count_end(table, combat, member.id));
            // Without effect when everybody is down.
            pass_turn(table, combat, first, None);
        }
    }
    Ok(())
}

pub(super) fn check_structure(system: &System, structure: Structure) -> Result<()> {
    let only = system.first_structure();
    if structure == only || system.changes_structure() {
        return Ok(());
    }
    let place = system.structure_place().map(ToString::to_string);
    let cited = place
        .as_ref()
        .map_or(String::new(), |place| format!(" ({place})"));
    let advice = match only {
        Structure::TurnBased => {
            "Act between turns without end_turn, and go on with action=\"next_turn\""
        }
        Structure::Narrative => {
            "Just act; action=\"next_round\" counts a round, and effects with it"
        }
    };
    let summary = format!(
        "By these rules fights are {}{cited}, and not {}. {advice}. Rules with `- Combat: hybrid` have both.",
        only.as_str(),
        structure.as_str()
    );
    Err(place
        .into_iter()
        .fold(Refusal::new(Code::FixedStructure, summary), Refusal::at))
}

/// Ends a round of a fight without turns and begins the next.
pub fn next_round(table: &mut Table) -> Result<()> {
    let before = running(table.state)?.clone();
    if has_turns(table.system(), &before) {
        return no_effect(
            "Everybody acts in turn here, and a round ends when all have. Send action=\"next_turn\".",
        );
    }
    if let Some(interrupted) = before.interrupted {
        effect::count_end(table, before.id, interrupted);
    }
    end_round(table, &before, true);
    let round = before.round.saturating_add(1);
    let after = Combat {
        round,
        interrupted: None,
        moved_at: table.at,
        ..before.clone()
    };
    let event = Event::RoundBegan(RoundBegan {
        combat: before.id,
        round,
    });
    log_combat(table, Visibility::Public, event, before, after);
    Ok(())
}

/// Delays the current turn, or a combatant that has not acted in this round.
pub fn delay(table: &mut Table, name: Option<&str>) -> Result<()> {
    let combat = running_with_turns(table)?.clone();
    let member = combatant_or_current(table, "combatant", name)?;
    let acts = combat.current == Some(member.id);
    let why = match () {
        () if member.waits.is_some() => {
            "lets others go first already. Send action=\"return\" when it acts."
        }
        () if member.defeated => "is down and has no turn to delay.",
        () if !acts && member.acted_round >= combat.round => "has acted in this round.",
        () if member.from_round > combat.round => "waits for the next round anyway.",
        () if next_in(table, combat.id, combat.round, Some(member.id)).is_none() => {
            "is the last to act in this round, and a delay lapses at the round's end. Act, or send next_turn."
        }
        () => {
            let first = table.next_id();
            change::log(table, member.id, "gm", Act::Delayed, |member| {
                member.waits = Some(Wait::Delayed)
            });
            if acts {
                pass_turn(table, combat.id, first, None);
            }
            return Ok(());
        }
    };
    Err(Refusal::new(
        Code::CannotDelay,
        format!("{} {why}", label(table, &member)),
    ))
}

/// Calls a delayed combatant back, right after the current turn; or triggers a readied action.
pub fn call_back(table: &mut Table, name: Option<&str>) -> Result<()> {
    let combat = running_with_turns(table)?.id;
    let member = name.map_or_else(
        || only_waiting(table, combat),
        |name| combatant(table, "combatant", name),
    )?;
    let who = label(table, &member);
    match (member.waits, member.ready) {
        (Some(Wait::Delayed), _) => {
            change::log(table, member.id, "gm", Act::Returned, |member| {
                member.waits = Some(Wait::Returned)
            });
            Ok(())
        }
        (Some(Wait::Returned), _) => no_effect(format!("{who} acts right after the current turn.")),
        (None, Some(trigger)) => {
            change::log(
                table,
                member.id,
                "gm",
                Act::Triggered { trigger },
                |member| member.ready = None,
            );
            Ok(())
        }
        (None, None) => no_effect(format!("{who} waits for nothing.")),
    }
}

fn is_waiting(member: &&Combatant) -> bool {
    member.waits == Some(Wait::Delayed) || member.ready.is_some()
}

fn only_waiting(table: &Table, combat: i64) -> Result<Combatant> {
    let waiting: Vec<&Combatant> = table
        .state
        .combatants_of(combat)
        .filter(is_waiting)
        .collect();
    match waiting.as_slice() {
        [only] => Ok((*only).clone()),
        [] => no_effect("Nobody lets others go first."),
        several => {
            let names: Vec<String> = several.iter().map(|member| label(table, member)).collect();
            let summary = format!(
                "Who returns? Send combatant as one of: {}.",
                names.join(", ")
            );
            Err(Refusal::new(Code::InvalidParameters, summary)
                .did_you_mean(names.into_iter().take(5).collect()))
        }
    }
}

/// Readies an action until the combatant's next turn.
pub fn ready(table: &mut Table, name: Option<&str>, trigger: Option<String>) -> Result<()> {
    running_with_turns(table)?;
    let member = combatant_or_current(table, "combatant", name)?;
    let Some(trigger) = trigger else {
        return Err(Refusal::new(
            Code::MissingValue,
            "What is waited for? Send trigger=\"the door opens\".",
        ));
    };
    limits::text("trigger", &trigger, LIMITS.context)?;
    if member.defeated {
        return no_effect(format!(
            "{} is down and readies nothing.",
            label(table, &member)
        ));
    }
    let act = Act::Readied {
        trigger: trigger.clone(),
    };
    change::log(table, member.id, "gm", act, |member| {
        member.ready = Some(trigger)
    });
    Ok(())
}
