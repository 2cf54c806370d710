//! Effects: conditions with a cause, perhaps an exclusive group, for so many turns of an anchor.
//!
//! Each start and each end of the anchor's turn counts once. A condition that begins in the
//! anchor's turn counts that turn's end. Where rounds are counted, a round without a turn of the
//! anchor counts when the round ends.

use crate::decide::combat::{all_or_refused, combatant, combatant_or_current, combatants, open};
use crate::decide::damage::{conditions_called, is_called};
use crate::decide::{combat::order::has_turn_in, condition::Lasting};
use crate::limits::{self, LIMITS};
use crate::mechanics::duration::{ConditionDuration, TurnCount};
use crate::mechanics::several::{Reach, left_out, several};
use crate::mechanics::threshold::{
    ConditionParameter, Consequences, canonical_name, check_condition,
};
use crate::mechanics::{duration, effects};
use crate::record::change::{Change, Images};
use crate::record::event::{EffectOn, Effects, Event};
use crate::record::state::{Character, Combat, Combatant, Condition, Edge, State, TurnsLeft, Unit};
use crate::refusal::{Code, Refusal, Result};
use crate::table::{Draft, Table};
use rollbook_rules::Turn;
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
        [] => vec![combatant_or_current(table, "on", None)?],
        names => combatants(table, "on", names)?,
    };
    let is_meant = |who: &Character| bearers.iter().any(|bearer| bearer.character == who.id);
    let out = left_out(
        table.state,
        table.system(),
        "on",
        &call.on,
        Reach::Living,
        is_meant,
    );
    let planned = all_or_refused(bearers.iter().map(|bearer| plan(table, call, bearer)))?;
    table.note(out);
    let combat = open(table.state)?.id;
    planned
        .into_iter()
        .for_each(|row| begin(table, combat, row));
    Ok(())
}

fn plan(table: &Table, call: &EffectCall, bearer: &Combatant) -> Result<Condition> {
    let cause = match (&call.by, open(table.state)?.current) {
        (None, None) => None,
        (by, _) => Some(combatant_or_current(table, "combatant", by.as_deref())?),
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
        bearer.character,
        cause.as_ref().map(|cause| cause.id),
        &name,
    )?;
    let caused_by = cause.map(|cause| cause.character);
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
    let (character, hidden) = (bearer.character, call.hidden);
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

fn begin(table: &mut Table, combat: i64, planned: Condition) {
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
    let began = effects::effect_on(table.state, &row).into_iter().collect();
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
            combat,
            began,
            ended: ended_named,
            ..Effects::default()
        },
        changes,
    );
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
    let turns = call.anchor.is_some() || call.ends.is_some();
    let declared = duration::declared(system, name)
        .filter(|known| !matches!(known, ConditionDuration::Until(_)));
    let duration = match &call.duration {
        None if turns && !matches!(declared, Some(ConditionDuration::Counted(_))) => {
            let why = "anchor and ends say whose turns count, and not how many. Send duration=\"for 3 rounds\", too.";
            return Err(Refusal::new(Code::InvalidParameters, why));
        }
        None => declared,
        Some(words) => Some(match (ConditionDuration::parse(system, words)?, declared) {
            (ConditionDuration::For(_) | ConditionDuration::Until(_), _) if turns => {
                let summary = format!(
                    "\"{}\" is not counted in turns. Leave anchor and ends out.",
                    quoted(words)
                );
                return Err(Refusal::new(Code::InvalidParameters, summary));
            }
            // Where the call does not say whose turn counts, the rules do.
            (ConditionDuration::Counted(sent), Some(ConditionDuration::Counted(known))) => {
                let turn = sent.turn.or(known.turn.map(|turn| Turn {
                    next: false,
                    ..turn
                }));
                ConditionDuration::Counted(TurnCount { turn, ..sent })
            }
            (sent, _) => sent,
        }),
    };
    let row = Condition {
        character: who,
        ..Condition::default()
    };
    let begun =
        duration.map(|duration| duration::with_duration(state, system, row, (duration, cause)));
    let Condition {
        mut lasts, until, ..
    } = begun.unwrap_or_default();
    if let Some(lasts) = &mut lasts {
        if let Some(anchor) = &call.anchor {
            lasts.anchor = combatant(table, "anchor", anchor)?.id;
        }
        lasts.at = call.ends.unwrap_or(lasts.at);
    }
    Ok((lasts, until))
}

/// Ends an effect on those named, by default all; of a side, on those who have it. Refused: all who
/// are named and do not have it; then nothing ends.
pub fn remove_effect(table: &mut Table, name: &str, on: &[String]) -> Result<()> {
    let (state, system) = (&*table.state, table.system());
    let combat = open(state)?.id;
    let found = match on {
        [] => {
            let all: Vec<i64> = state
                .combatants_of(combat)
                .map(|member| member.character)
                .collect();
            vec![ending(state, combat, name, None, &all)?]
        }
        on => all_or_refused(on.iter().map(|on| {
            let bearers = combatants(table, "on", std::slice::from_ref(on))?;
            let bearers: Vec<i64> = bearers.iter().map(|bearer| bearer.character).collect();
            ending(state, combat, name, Some(on), &bearers)
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
    end_effects(table, combat, "gm", ended);
    Ok(())
}

/// The conditions of that name that the bearers have, whom the call named as `on`.
fn ending(
    state: &State,
    combat: i64,
    name: &str,
    on: Option<&str>,
    bearers: &[i64],
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
    let has = |member: &&Combatant| {
        state
            .conditions_of(member.character)
            .any(|row| is_called(row, name))
    };
    let elsewhere = state
        .combatants_of(combat)
        .find(has)
        .and_then(|member| state.characters.get(&member.character));
    let hint = match (elsewhere, suggestions.first()) {
        (Some(bearer), _) => format!("{0} has it: send on=\"{0}\".", bearer.name),
        (None, Some(first)) => format!("Near: {}. Send name=\"{first}\".", suggestions.join(", ")),
        (None, None) => "action=\"status\" shows who has what.".to_owned(),
    };
    let nobody = on.map_or("Nobody in this fight has".to_owned(), |on| {
        format!("{} does not have", quoted(on))
    });
    let summary = format!("{nobody} \"{}\". {hint}", quoted(name));
    Err(Refusal::new(Code::UnknownEffect, summary).did_you_mean(suggestions))
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
    let combat = state.combats.keys().next_back().copied().unwrap_or(0);
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
pub(super) fn count_turn(table: &mut Table, combat: i64, anchor: i64, at: Edge) {
    let due = effects::counted_by(table.state, |lasts| {
        lasts.anchor == anchor && lasts.at == at
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
        member.is_some_and(|member| has_turn_in(member, combat.round))
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
