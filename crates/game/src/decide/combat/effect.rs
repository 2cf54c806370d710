//! Effects: conditions with a cause, perhaps an exclusive group, for so many turns of an anchor.
//!
//! Each start and each end of the anchor's turn counts once. A condition for turns that begins in
//! the anchor's turn counts that turn's end; one for rounds does not, since a round is whole. Where rounds are counted, a round without a turn of the
//! anchor counts when the round ends.

use crate::decide::combat::{all_or_refused, combatant, combatant_or_current, combatants};
use crate::decide::condition::{Lasting, lasting};
use crate::decide::damage::{conditions_called, is_called};
use crate::limits::{self, LIMITS};
use crate::mechanics::duration::{ConditionDuration, TurnCount};
use crate::mechanics::several::{Reach, left_out, several};
use crate::mechanics::threshold::{
    ConditionParameter, Consequences, canonical_name, check_condition,
};
use crate::mechanics::{duration, effects, lookup};
use crate::record::change::{Change, Images};
use crate::record::event::{EffectOn, Effects, Event};
use crate::record::state::{Character, Combat, Condition, Edge, State, TurnsLeft, Unit, Until};
use crate::refusal::{Code, Refusal, Result};
use crate::table::{Draft, Table};
use rollbook_rules::{Edge as TurnEdge, Turn};
use rollbook_text::names::{fold, quoted, same, suggest};
use std::collections::BTreeSet;

/// What the caller asked for.
#[derive(Debug, Default, Clone)]
pub struct EffectCall {
    pub name: String,
    /// The bearers: names, a side, "party"; nobody named means the combatant whose turn it is.
    pub on: Vec<String>,
    /// The cause; by default the combatant whose turn it is.
    pub by: Option<String>,
    /// "for 3 rounds", "for 1 turn". By default as the rules declare it, else until it is removed.
    pub duration: Option<String>,
    /// The combatant whose turns count; by default the bearer.
    pub anchor: Option<String>,
    pub ends: Option<Edge>,
    /// The exclusive group: a character can cause one of it at a time.
    pub exclusive: Option<String>,
    pub hidden: bool,
}

/// Adds an effect to each bearer. One of the same name begins again; one of the same group and
/// cause, under another name, ends. Refused: all that is wrong with any of the bearers; then
/// nothing is added.
pub fn add_effect(table: &mut Table, call: &EffectCall) -> Result<()> {
    limits::name("name", &call.name)?;
    call.exclusive
        .as_ref()
        .map_or(Ok(()), |group| limits::name("exclusive", group))?;
    let bearers = match call.on.as_slice() {
        [] => vec![combatant_or_current(table, "on", None)?.character],
        names => bearers(table, names)?,
    };
    let is_meant = |who: &Character| bearers.contains(&who.id);
    let out = left_out(
        table.state,
        table.system(),
        "on",
        &call.on,
        Reach::Living,
        is_meant,
    );
    let planned = all_or_refused(bearers.iter().map(|bearer| plan(table, call, *bearer)))?;
    table.note(out);
    planned.into_iter().for_each(|row| begin(table, row));
    Ok(())
}

/// The characters that `on` names: combatants of the open fight, else anybody.
fn bearers(table: &Table, names: &[String]) -> Result<Vec<i64>> {
    if table.state.open_combat().is_some() {
        let members = combatants(table, "on", names)?;
        return Ok(members.iter().map(|member| member.character).collect());
    }
    let all = several(table.state, table.system(), "on", names, Reach::Living)?;
    Ok(all.iter().map(|who| who.id).collect())
}

fn plan(table: &Table, call: &EffectCall, bearer: i64) -> Result<Condition> {
    let open = table.state.open_combat();
    let cause = match (&call.by, open.map(|combat| combat.current)) {
        (None, None | Some(None)) => None,
        (Some(by), None) => {
            let who = lookup::participant(table.state, table.system(), "combatant", by)?;
            Some((who.id, None))
        }
        (by, Some(_)) => {
            let member = combatant_or_current(table, "combatant", by.as_deref())?;
            Some((member.character, Some(member.id)))
        }
    };
    check_condition(
        table.system(),
        &[],
        &call.name,
        true,
        ConditionParameter::Effect,
    )?;
    let name = canonical_name(table.system(), &call.name);
    let (lasts, until) = duration_of(
        table,
        call,
        bearer,
        cause.and_then(|(_, member)| member),
        &name,
    )?;
    let caused_by = cause.map(|(who, _)| who);
    let group_name = call.exclusive.as_deref().map(fold);
    if let Some(holder) = caused_by.filter(|_| group_name.is_some())
        && !effects::can_act(table.state, table.system(), holder)
    {
        let name = table
            .state
            .characters
            .get(&holder)
            .map_or_else(String::new, |who| quoted(&who.name));
        let summary = format!(
            "{name} cannot act, and an exclusive effect is held by somebody who can. Send combatant=\"…\" with the one who holds it, or \
             leave exclusive out."
        );
        return Err(Refusal::new(Code::CannotAct, summary));
    }
    let (character, hidden) = (bearer, call.hidden);
    let known = || table.state.conditions_of(character);
    if known().all(|row| !same(&row.name, &name)) {
        limits::count("conditions", known().count() + 1, LIMITS.conditions)?;
    }
    let source = "gm".to_owned();
    Ok(Condition {
        character,
        name,
        source,
        lasts,
        caused_by,
        group_name,
        until,
        hidden,
        ..Condition::default()
    })
}

fn begin(table: &mut Table, planned: Condition) {
    let (holder, group) = (planned.caused_by, &planned.group_name);
    let is_held = |row: &&Condition| (row.caused_by, &row.group_name) == (holder, group);
    let held = table
        .state
        .conditions
        .values()
        .filter(|_| holder.is_some() && group.is_some())
        .filter(is_held);
    let ended: Vec<Condition> = held
        .filter(|row| !same(&row.name, &planned.name))
        .cloned()
        .collect();
    let known = table
        .state
        .conditions_of(planned.character)
        .find(|row| same(&row.name, &planned.name))
        .cloned();
    let since = table.next_id();
    let (name, level) = known
        .as_ref()
        .map_or((planned.name.clone(), None), |known| {
            (known.name.clone(), known.level)
        });
    let row = Condition {
        name,
        level,
        since,
        ..planned
    };
    let left = duration::end_words(table.state, table.system(), &row);
    let left = left.or_else(|| Some(Until::Removed.render()));
    let began = effects::effect_on(table.state, &row).map(|on| EffectOn { left, ..on });
    let began = began.into_iter().collect();
    let ended_named = effects::effects_on(table.state, &ended);
    let mut changes = effects::end_conditions(table.state, table.system(), ended, since);
    match known {
        Some(known) => changes.push(Change::Condition(Images::changed(known, row))),
        None => {
            // The condition may put its bearer out of the fight.
            let mut consequences = Consequences::new(table.state, row.character);
            consequences.vitality.add_condition(&row.name);
            changes.push(Change::Condition(Images::made(row)));
            changes.extend(consequences.into_changes(table.state, table.system(), since));
        }
    }
    log(
        table,
        "gm",
        Effects {
            combat: last_fight(table.state),
            began,
            ended: ended_named,
            ..Effects::default()
        },
        changes,
    );
}

/// The fight that effects belong to: the last one, 0 where there was none.
fn last_fight(state: &State) -> i64 {
    state.combats.keys().next_back().copied().unwrap_or(0)
}

/// Logs what happened to effects, for players where they see one of them.
fn log(table: &mut Table, actor: &str, event: Effects, changes: Vec<Change>) {
    let event = Event::Effects(event);
    table.log(Draft {
        visibility: effects::visibility(&event),
        ..Draft::new(actor, event, changes)
    });
}

fn duration_of(
    table: &Table,
    call: &EffectCall,
    who: i64,
    cause: Option<i64>,
    name: &str,
) -> Result<Lasting> {
    let (state, system) = (&*table.state, table.system());
    let anchor = call.anchor.as_ref();
    let anchor = anchor.map(|anchor| combatant(table, "anchor", anchor));
    let anchor = anchor.transpose()?.map(|member| member.id);
    let turns = anchor.is_some() || call.ends.is_some();
    let declared = duration::declared(system, name)
        .filter(|known| !matches!(known, ConditionDuration::Until(_)));
    let mut duration = match &call.duration {
        None if turns && !matches!(declared, Some(ConditionDuration::Counted(_))) => {
            let why = "anchor and ends say whose turns count, and not how many. Send duration=\"for 3 rounds\", too.";
            return Err(Refusal::new(Code::InvalidParameters, why));
        }
        None => declared,
        Some(words) => Some(
            match (ConditionDuration::parse(state, system, words)?, declared) {
                // Where the call does not say whose turn counts, the rules do.
                (ConditionDuration::Counted(sent), Some(ConditionDuration::Counted(known)))
                    if sent.anchor.is_none() =>
                {
                    let turn = sent.turn.or(known.turn.map(|turn| Turn {
                        next: false,
                        ..turn
                    }));
                    ConditionDuration::Counted(TurnCount { turn, ..sent })
                }
                (sent, _) => sent,
            },
        ),
    };
    match &mut duration {
        Some(ConditionDuration::Counted(counted)) if !turns || counted.anchor.is_none() => {
            counted.anchor = anchor.or(counted.anchor);
        }
        Some(_) if turns => {
            let summary = format!(
                "\"{}\" says by itself when it ends. Leave anchor and ends out.",
                quoted(call.duration.as_deref().unwrap_or_default())
            );
            return Err(Refusal::new(Code::InvalidParameters, summary));
        }
        _ => {}
    }
    let Some(mut duration) = duration else {
        return Ok((None, None));
    };
    if let (ConditionDuration::Counted(counted), Some(ends)) = (&mut duration, call.ends) {
        let edge = match ends {
            Edge::Start => TurnEdge::Start,
            Edge::End => TurnEdge::End,
        };
        let turn = counted.turn.unwrap_or(Turn {
            edge,
            of_source: false,
            next: false,
        });
        counted.turn = Some(Turn { edge, ..turn });
    }
    let row = Condition {
        character: who,
        ..Condition::default()
    };
    if call.duration.is_some() {
        return lasting(table, who, (duration, cause));
    }
    let begun = duration::with_duration(state, system, row, (duration, cause));
    Ok((begun.lasts, begun.until))
}

/// Ends an effect on those named, by default all; of a side, on those who have it. Refused: all who
/// are named and do not have it; then nothing ends.
pub fn remove_effect(table: &mut Table, name: &str, on: &[String]) -> Result<()> {
    let (state, system) = (&*table.state, table.system());
    let everybody: Vec<i64> = match state.open_combat() {
        Some(combat) => state
            .combatants_of(combat.id)
            .map(|member| member.character)
            .collect(),
        None => state.characters.keys().copied().collect(),
    };
    let found = match on {
        [] => vec![ending(state, name, (None, &everybody), &everybody)?],
        on => all_or_refused(on.iter().map(|on| {
            let bearers = bearers(table, std::slice::from_ref(on))?;
            ending(state, name, (Some(on), &bearers), &everybody)
        }))?,
    };
    let (mut ended, mut seen) = (found.concat(), BTreeSet::new());
    ended.retain(|row| seen.insert((row.character, row.name.clone())));
    let is_done = |who: &Character| {
        state
            .conditions_of(who.id)
            .filter(|row| is_called(row, name))
            .all(|row| ended.contains(row))
    };
    table.note(left_out(state, system, "on", on, Reach::Living, is_done));
    end_effects(table, last_fight(table.state), "gm", ended);
    Ok(())
}

/// The conditions of that name that the bearers have, whom the call named as `on`.
fn ending(
    state: &State,
    name: &str,
    (on, bearers): (Option<&str>, &[i64]),
    everybody: &[i64],
) -> Result<Vec<Condition>> {
    let all = || {
        bearers
            .iter()
            .flat_map(|bearer| state.conditions_of(*bearer))
    };
    let ended = conditions_called(all().collect(), "name", name)?;
    if !ended.is_empty() {
        return Ok(ended.into_iter().cloned().collect());
    }
    let suggestions = suggest(name, all().map(|row| row.name.as_str()));
    let has = |who: &&i64| state.conditions_of(**who).any(|row| is_called(row, name));
    let elsewhere = everybody.iter().find(has);
    let elsewhere = elsewhere.and_then(|who| state.characters.get(who));
    let nobody = on.map_or("Nobody here has".to_owned(), |on| {
        format!("{} does not have", quoted(on))
    });
    let refusal = Refusal::new(
        Code::UnknownEffect,
        format!("{nobody} \"{}\".", quoted(name)),
    );
    Err(match elsewhere {
        Some(bearer) => {
            let refusal = refusal.and(&format!("{} has it.", bearer.name));
            refusal.send("on", bearer.name.as_str(), "")
        }
        None => refusal.near("name", suggestions, "action=\"status\" shows who has what."),
    })
}

/// Shows players a hidden effect, on those who are named, or on everybody who has it.
/// Refused: when nobody of them has a hidden effect of that name; then nothing is shown.
pub fn reveal_effect(table: &mut Table, name: &str, on: &[String]) -> Result<()> {
    let (state, system) = (&*table.state, table.system());
    let bearers: Option<Vec<i64>> = match on {
        [] => None,
        names => Some(
            several(state, system, "on", names, Reach::Living)?
                .iter()
                .map(|who| who.id)
                .collect(),
        ),
    };
    let all_hidden = || state.conditions.values().filter(|row| row.hidden);
    let is_borne = |row: &Condition| {
        bearers
            .as_ref()
            .is_none_or(|all| all.contains(&row.character))
    };
    let shown: Vec<Images<Condition>> = all_hidden()
        .filter(|row| is_borne(row) && is_called(row, name))
        .map(|row| {
            Images::changed(
                row.clone(),
                Condition {
                    hidden: false,
                    ..row.clone()
                },
            )
        })
        .collect();
    if shown.is_empty() {
        let names: Vec<String> = all_hidden()
            .filter_map(|row| Some(effects::effect_on(state, row)?.label()))
            .collect();
        let known = format!("Hidden from players are {}", names.join(", "));
        let known = if names.is_empty() {
            "No effect is hidden from players".to_owned()
        } else {
            known
        };
        let summary = format!(
            "Nobody here has a hidden effect \"{}\". {known}.",
            quoted(name)
        );
        return Err(Refusal::new(Code::UnknownEffect, summary));
    }
    let combat = last_fight(state);
    let began = shown
        .iter()
        .filter_map(|images| effects::effect_on(state, images.after.as_ref()?))
        .collect();
    let changes = shown.into_iter().map(Change::Condition).collect();
    log(
        table,
        "gm",
        Effects {
            combat,
            began,
            revealed: true,
            ..Effects::default()
        },
        changes,
    );
    Ok(())
}
/// Counts the end of the turn that a combatant has, or had until it was interrupted.
pub(super) fn count_end(table: &mut Table, combat: i64, anchor: i64) {
    let member = table.state.combatants.get(&anchor);
    let again = member.is_some_and(|member| member.again > 0);
    count_turn(table, combat, anchor, (Edge::End, again));
}

/// `again`: it is not the first turn of the anchor in its round, and so counts no round.
pub(super) fn count_turn(table: &mut Table, combat: i64, anchor: i64, (at, again): (Edge, bool)) {
    let round = table.state.combats.get(&combat).map_or(0, |row| row.round);
    let due = effects::counted_by(table.state, |lasts| {
        lasts.anchor == anchor
            && lasts.at == at
            && (at == Edge::Start || lasts.not_in < round)
            && !(again && lasts.unit == Unit::Rounds)
    });
    count_down(table, combat, due);
}

/// Counts a round's end for anchors without a turn in it; `all`: nobody has any, so turns, too.
pub(super) fn count_missed_turns(table: &mut Table, combat: &Combat, all: bool) {
    let missed = |anchor: i64| {
        let member = table
            .state
            .combatants
            .get(&anchor)
            .filter(|member| member.combat == combat.id);
        member.is_some_and(|member| {
            member.acted_round < combat.round && member.from_round <= combat.round
        })
    };
    let is_due = |lasts: &TurnsLeft| (all || lasts.unit == Unit::Rounds) && missed(lasts.anchor);
    let due = effects::counted_by(table.state, is_due);
    count_down(table, combat.id, due);
}

fn count_down(table: &mut Table, combat: i64, due: Vec<Condition>) {
    let lasts_on = |row: &Condition| row.lasts.as_ref().is_some_and(|lasts| lasts.left > 1);
    let (counted, ended): (Vec<Condition>, Vec<Condition>) = due.into_iter().partition(lasts_on);
    let fewer = |before: Condition| {
        let lasts = before.lasts.clone().map(|lasts| TurnsLeft {
            left: lasts.left - 1,
            ..lasts
        });
        Images::changed(before.clone(), Condition { lasts, ..before })
    };
    log_counted(
        table,
        combat,
        "system",
        counted.into_iter().map(fewer).collect(),
        ended,
    );
}
pub(super) fn end_effects(table: &mut Table, combat: i64, actor: &str, ended: Vec<Condition>) {
    log_counted(table, combat, actor, Vec::new(), ended);
}

fn log_counted(
    table: &mut Table,
    combat: i64,
    actor: &str,
    counted: Vec<Images<Condition>>,
    ended: Vec<Condition>,
) {
    if counted.is_empty() && ended.is_empty() {
        return;
    }
    let left = counted.iter().filter_map(|images| images.after.as_ref());
    let left: Vec<EffectOn> = left
        .filter_map(|row| effects::effect_on(table.state, row))
        .collect();
    let event = Effects {
        combat,
        left,
        ended: effects::effects_on(table.state, &ended),
        ..Effects::default()
    };
    let since = table.next_id();
    let lost = effects::end_conditions(table.state, table.system(), ended, since);
    log(
        table,
        actor,
        event,
        counted
            .into_iter()
            .map(Change::Condition)
            .chain(lost)
            .collect(),
    );
}
