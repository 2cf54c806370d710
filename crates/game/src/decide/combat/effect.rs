//! Adds and removes effects: conditions with a duration, a cause, and possibly an exclusive group.
//!
//! Counts down the turns that conditions last: starts or ends of the anchor's turn.
//!
//! Each start and each end of the anchor's turn counts once. A condition that begins in the anchor's own turn counts that
//! turn's end. Where rounds are counted, a round without a turn of the anchor counts when the round ends.

use std::collections::BTreeSet;

use crate::decide::combat;
use crate::decide::combat::open;
use crate::limits;
use crate::limits::LIMITS;
use crate::mechanics::duration::{ConditionDuration, TurnCount};
use crate::mechanics::several::{Reach, left_out, several};
use crate::mechanics::threshold::{ConditionParameter, Consequences, canonical_name, check_condition};
use crate::mechanics::{duration, effects, lookup};
use crate::record::change::{Change, Images};
use crate::record::event::{EffectOn, Effects, Event};
use crate::record::state::{Combat, Combatant, Condition, Edge, State, TurnsLeft, Unit, Until};
use crate::refusal::{Code, Refusal};
use crate::table::{Draft, Table};
use rollbook_rules::Turn;
use rollbook_text::names::{Found, find, fold, quoted, same, suggest};

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
    /// Players know nothing of it.
    pub hidden: bool,
}

/// Adds an effect to each bearer. One of the same name begins again; one of the same group and cause, under another name, ends.
/// Refused: what is wrong with any of the bearers, all of it; then nothing is added.
pub fn add_effect(table: &mut Table, call: &EffectCall) -> Result<(), Refusal> {
    limits::name("name", &call.name)?;
    if let Some(group) = &call.exclusive {
        limits::name("exclusive", group)?;
    }
    let bearers = match call.on.as_slice() {
        [] => vec![combat::combatant_or_current(table.state, table.system(), "on", None)?.clone()],
        names => combat::combatants(table.state, table.system(), "on", names)?,
    };
    let is_meant = |id: i64| bearers.iter().any(|own| own.character == id);
    let out = left_out(table.state, table.system(), "on", &call.on, Reach::Living, |who| is_meant(who.id));
    let (planned, refused): (Vec<_>, Vec<_>) =
        bearers.into_iter().map(|bearer| plan(table, call, bearer)).partition(Result::is_ok);
    let refused: Vec<Refusal> = refused.into_iter().filter_map(Result::err).collect();
    if !refused.is_empty() {
        return Err(Refusal::all(refused));
    }
    table.note(out);
    planned.into_iter().flatten().for_each(|planned| begin(table, planned));
    Ok(())
}

/// An effect on one bearer that nothing refuses.
struct PlannedEffect {
    combat: i64,
    bearer: i64,
    name: String,
    cause: Option<i64>,
    lasts: Option<TurnsLeft>,
    until: Option<Until>,
    group_name: Option<String>,
    hidden: bool,
}

fn plan(table: &Table, call: &EffectCall, bearer: Combatant) -> Result<PlannedEffect, Refusal> {
    let combat = open(table.state)?;
    let cause = match (&call.by, combat.current) {
        (None, None) => None,
        (by, _) => Some(combat::combatant_or_current(table.state, table.system(), "combatant", by.as_deref())?.clone()),
    };
    check_condition(table.system(), &[], &call.name, true, ConditionParameter::Effect)?;
    let name = canonical_name(table.system(), &call.name);
    let (lasts, until) = duration_of(table, call, &bearer, cause.as_ref().map(|own| own.id), &name)?;
    let cause = cause.map(|own| own.character);
    let group_name = call.exclusive.as_deref().map(fold);
    if let Some(holder) =
        cause.filter(|own| group_name.is_some() && !effects::can_act(table.state, table.system(), *own))
    {
        let name = table.state.characters.get(&holder).map_or_else(String::new, |own| quoted(&own.name));
        let summary = format!(
            "{name} cannot act, and an exclusive effect is held by somebody who can. Send combatant=\"…\" with the one who holds it, or \
             leave exclusive out."
        );
        return Err(Refusal::new(Code::CannotAct, summary));
    }
    let bearer = bearer.character;
    if !table.state.conditions_of(bearer).any(|row| same(&row.name, &name)) {
        let many = table.state.conditions_of(bearer).count() + 1;
        limits::count("conditions", many, LIMITS.conditions)?;
    }
    let hidden = call.hidden;
    Ok(PlannedEffect { combat: combat.id, bearer, name, cause, lasts, until, group_name, hidden })
}

fn begin(table: &mut Table, planned: PlannedEffect) {
    let PlannedEffect { combat, bearer, name, cause, lasts, until, group_name, hidden } = planned;
    let ended: Vec<Condition> = match (&group_name, cause) {
        (Some(group), Some(cause)) => {
            let own = |row: &&Condition| row.caused_by == Some(cause) && row.group_name.as_ref() == Some(group);
            table.state.conditions.values().filter(own).filter(|row| !same(&row.name, &name)).cloned().collect()
        }
        _ => Vec::new(),
    };
    let known = table.state.conditions_of(bearer).find(|row| same(&row.name, &name)).cloned();
    let since = table.next_id();
    let row = Condition {
        character: bearer,
        name: known.as_ref().map_or(name, |known| known.name.clone()),
        since,
        source: "gm".to_owned(),
        level: known.as_ref().and_then(|known| known.level),
        lasts,
        caused_by: cause,
        group_name,
        until,
        cause: None,
        hidden,
    };
    let began: Vec<EffectOn> = effects::effect_on(table.state, &row).into_iter().collect();
    let ended_named = effects::effects_on(table.state, &ended);
    let mut changes = effects::end_conditions(table.state, table.system(), ended, since);
    match known {
        Some(known) => changes.push(Change::Condition(Images::changed(known, row))),
        None => {
            // The condition may put its bearer out of the fight.
            let mut consequences = Consequences::new(table.state, bearer);
            consequences.vitality.add_condition(&row.name);
            changes.push(Change::Condition(Images::made(row)));
            changes.extend(consequences.into_changes(table.state, table.system(), since));
        }
    }
    let event =
        Event::Effects(Effects { combat, began, left: Vec::new(), ended: ended_named, holder: None, revealed: false });
    let visibility = effects::visibility(&event);
    table.log(Draft { visibility, ..Draft::new("gm", event, changes) });
}

/// The turns or the end by the call, else by the rules.
fn duration_of(
    table: &Table,
    call: &EffectCall,
    bearer: &Combatant,
    cause: Option<i64>,
    name: &str,
) -> Result<(Option<TurnsLeft>, Option<Until>), Refusal> {
    let (state, system) = (&*table.state, table.system());
    let turns = call.anchor.is_some() || call.ends.is_some();
    let declared = duration::declared_turns(system, name);
    let counted = match &call.duration {
        None if declared.is_none() && turns => {
            let summary =
                "anchor and ends say whose turns count, and not how many. Send duration=\"for 3 rounds\", too.";
            return Err(Refusal::new(Code::InvalidParameters, summary));
        }
        None if let Some(seconds) = duration::declared_time(system, name) => {
            return Ok((None, Some(duration::end_of(state, system, seconds))));
        }
        None => declared,
        Some(words) => match ConditionDuration::parse(system, words)? {
            ConditionDuration::For(_) | ConditionDuration::Until(_) if turns => {
                let summary = format!("\"{}\" is not counted in turns. Leave anchor and ends out.", quoted(words));
                return Err(Refusal::new(Code::InvalidParameters, summary));
            }
            ConditionDuration::Until(until) => return Ok((None, Some(until))),
            ConditionDuration::For(seconds) => return Ok((None, Some(duration::end_of(state, system, seconds)))),
            // Where the call does not say whose turn counts, the rules do.
            ConditionDuration::Counted(own) => {
                let turn = declared.as_ref().and_then(|declared| declared.turn);
                let turn = own.turn.or(turn.map(|turn| Turn { next: false, ..turn }));
                Some(TurnCount { turn, ..own })
            }
        },
    };
    let begun = counted.and_then(|counted| duration::start_counting(state, &counted, bearer.character, cause));
    let Some(mut lasts) = begun else { return Ok((None, None)) };
    if let Some(anchor) = &call.anchor {
        lasts.anchor = combat::combatant(state, system, "anchor", anchor)?.id;
    }
    lasts.at = call.ends.unwrap_or(lasts.at);
    Ok((Some(lasts), None))
}

/// Ends an effect on those who are named, or on all combatants where nobody is. Of a side, on those who have it.
/// Refused: everybody named who does not have it; then nothing ends.
pub fn remove_effect(table: &mut Table, name: &str, on: &[String]) -> Result<(), Refusal> {
    let (state, system) = (&*table.state, table.system());
    let combat = open(state)?.id;
    let mut ended: Vec<Condition> = Vec::new();
    let mut refused: Vec<Refusal> = Vec::new();
    let mut end = |own: Result<Vec<Condition>, Refusal>| match own {
        Ok(own) => {
            let new: Vec<Condition> = own.into_iter().filter(|row| !ended.contains(row)).collect();
            ended.extend(new);
        }
        Err(refusal) => refused.push(refusal),
    };
    if on.is_empty() {
        let all: Vec<i64> = state.combatants_of(combat).map(|own| own.character).collect();
        end(ending(state, combat, name, None, &all));
    }
    for on in on {
        let bearers = combat::combatants(state, system, "on", std::slice::from_ref(on));
        let bearers = bearers.map(|own| own.iter().map(|own| own.character).collect::<Vec<i64>>());
        end(bearers.and_then(|bearers| ending(state, combat, name, Some(on), &bearers)));
    }
    if !refused.is_empty() {
        return Err(Refusal::all(refused));
    }
    let is_done = |id: i64| {
        let mut own = state.conditions_of(id).filter(|row| is_called(row, name));
        own.all(|row| ended.contains(row))
    };
    let out = left_out(state, system, "on", on, Reach::Living, |who| is_done(who.id));
    table.note(out);
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
) -> Result<Vec<Condition>, Refusal> {
    let all = || bearers.iter().flat_map(|bearer| state.conditions_of(*bearer));
    let mut ended: Vec<Condition> = all().filter(|row| is_called(row, name)).cloned().collect();
    if ended.is_empty() {
        // A word that only one effect's name has means all of that name.
        let kinds: BTreeSet<&str> = all().map(|row| row.name.as_str()).collect();
        match find(name, kinds.into_iter().map(|kind| (kind, kind))) {
            Found::One(kind) => ended.extend(all().filter(|row| same(&row.name, kind)).cloned()),
            Found::Several(fit) => {
                return Err(lookup::ambiguous("name", name, fit.into_iter().map(str::to_owned).collect()));
            }
            Found::Nothing => {}
        }
    }
    if ended.is_empty() {
        let suggestions = suggest(name, all().map(|row| row.name.as_str()));
        let elsewhere = bearer_of(state, combat, name);
        let hint = match (&elsewhere, suggestions.first()) {
            (Some(bearer), _) => format!("{bearer} has it: send on=\"{bearer}\"."),
            (None, Some(first)) => format!("Near: {}. Send name=\"{first}\".", suggestions.join(", ")),
            (None, None) => "action=\"status\" shows who has what.".to_owned(),
        };
        let nobody = on.map_or("Nobody in this fight has".to_owned(), |on| format!("{} does not have", quoted(on)));
        let summary = format!("{nobody} \"{}\". {hint}", quoted(name));
        return Err(Refusal::new(Code::UnknownEffect, summary).did_you_mean(suggestions));
    }
    Ok(ended)
}

/// Shows players a hidden effect, on those who are named, or on everybody who has it.
/// Refused: when nobody of them has a hidden effect of that name; then nothing is shown.
pub fn reveal_effect(table: &mut Table, name: &str, on: &[String]) -> Result<(), Refusal> {
    let (state, system) = (&*table.state, table.system());
    let bearers: Option<Vec<i64>> = match on {
        [] => None,
        names => Some(several(state, system, "on", names, Reach::Living)?.iter().map(|own| own.id).collect()),
    };
    let is_meant = |row: &&Condition| {
        let of_them = bearers.as_ref().is_none_or(|all| all.contains(&row.character));
        row.hidden && of_them && is_called(row, name)
    };
    let rows: Vec<Condition> = state.conditions.values().filter(is_meant).cloned().collect();
    if rows.is_empty() {
        let hidden = state.conditions.values().filter(|row| row.hidden);
        let hidden: Vec<String> = hidden.filter_map(|row| Some(effects::effect_on(state, row)?.label())).collect();
        let known = match hidden.is_empty() {
            true => "No effect is hidden from players".to_owned(),
            false => format!("Hidden from players are {}", hidden.join(", ")),
        };
        let summary = format!("Nobody here has a hidden effect \"{}\". {known}.", quoted(name));
        return Err(Refusal::new(Code::UnknownEffect, summary));
    }
    let combat = state.combats.keys().next_back().copied().unwrap_or(0);
    let shown = rows.into_iter().map(|before| Images::changed(before.clone(), Condition { hidden: false, ..before }));
    let shown: Vec<Images<Condition>> = shown.collect();
    let began: Vec<EffectOn> =
        shown.iter().filter_map(|own| effects::effect_on(table.state, own.after.as_ref()?)).collect();
    let event =
        Event::Effects(Effects { combat, began, left: Vec::new(), ended: Vec::new(), holder: None, revealed: true });
    let visibility = effects::visibility(&event);
    let changes = shown.into_iter().map(Change::Condition).collect();
    table.log(Draft { visibility, ..Draft::new("gm", event, changes) });
    Ok(())
}

fn is_called(row: &Condition, name: &str) -> bool {
    same(&row.name, name) || same(&row.label(), name)
}

/// The name of a combatant that has it.
fn bearer_of(state: &State, combat: i64, name: &str) -> Option<String> {
    let has = |own: &&Combatant| state.conditions_of(own.character).any(|row| is_called(row, name));
    let bearer = state.combatants_of(combat).find(has)?.character;
    state.characters.get(&bearer).map(|bearer| bearer.name.clone())
}

/// Counts one start or end of a combatant's turn.
pub(super) fn count_turn(table: &mut Table, combat: i64, anchor: i64, at: Edge) {
    let due = effects::counted_by(table.state, |lasts| lasts.anchor == anchor && lasts.at == at);
    count_down(table, combat, due);
}

/// Counts the end of a round for anchors without a turn in it.
pub(super) fn count_missed_turns(table: &mut Table, combat: &Combat) {
    count_without_turn(table, combat, |lasts| lasts.unit == Unit::Rounds);
}

/// Counts a round in which nobody has a turn: it is everybody's who had none before turns ended.
pub(super) fn count_round(table: &mut Table, combat: &Combat) {
    count_without_turn(table, combat, |_| true);
}

fn count_without_turn(table: &mut Table, combat: &Combat, which: impl Fn(&TurnsLeft) -> bool) {
    let missed = |anchor: i64| {
        let own = table.state.combatants.get(&anchor);
        own.is_some_and(|own| {
            own.combat == combat.id && own.acted_round < combat.round && own.from_round <= combat.round
        })
    };
    let due = effects::counted_by(table.state, |lasts| which(lasts) && missed(lasts.anchor));
    count_down(table, combat.id, due);
}

fn count_down(table: &mut Table, combat: i64, due: Vec<Condition>) {
    let (ended, running): (Vec<Condition>, Vec<Condition>) =
        due.into_iter().partition(|own| own.lasts.as_ref().is_none_or(|lasts| lasts.left <= 1));
    let counted = running.into_iter().filter_map(|before| {
        let lasts = before.lasts.clone().map(|lasts| TurnsLeft { left: lasts.left - 1, ..lasts })?;
        let after = Condition { lasts: Some(lasts), ..before.clone() };
        Some(Images::changed(before, after))
    });
    let counted: Vec<Images<Condition>> = counted.collect();
    log_effects(table, combat, "system", counted, ended);
}

/// Ends what lasts no longer than this round, where the rules say how long one is.
pub(super) fn end_timed(table: &mut Table, combat: &Combat) {
    let Some(at) = duration::end_of_round(table.state, table.system(), combat) else { return };
    end_effects(table, combat.id, "system", duration::due(table.state, at));
}

/// Ends these conditions in one entry.
pub(super) fn end_effects(table: &mut Table, combat: i64, actor: &str, ended: Vec<Condition>) {
    log_effects(table, combat, actor, Vec::new(), ended);
}

fn log_effects(table: &mut Table, combat: i64, actor: &str, counted: Vec<Images<Condition>>, ended: Vec<Condition>) {
    if counted.is_empty() && ended.is_empty() {
        return;
    }
    let left = counted.iter().filter_map(|images| images.after.as_ref());
    let left: Vec<EffectOn> = left.filter_map(|row| effects::effect_on(table.state, row)).collect();
    let event = Event::Effects(Effects {
        combat,
        began: Vec::new(),
        left,
        ended: effects::effects_on(table.state, &ended),
        holder: None,
        revealed: false,
    });
    let since = table.next_id();
    let lost = effects::end_conditions(table.state, table.system(), ended, since);
    let changes = counted.into_iter().map(Change::Condition).chain(lost).collect();
    let visibility = effects::visibility(&event);
    table.log(Draft { visibility, ..Draft::new(actor, event, changes) });
}
