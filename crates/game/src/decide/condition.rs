//! Adds or removes a condition, with its duration and cause.
//!
//! It is decided as damage of 0, so what follows from a condition with a hit follows here, too.

use crate::decide::damage::{self, DamageCall, DamageResult, is_called};
use crate::limits::{self, LIMITS};
use crate::mechanics::duration::{self, ConditionDuration};
use crate::mechanics::several::{Reach, is_side, left_out, several};
use crate::mechanics::threshold::{ConditionParameter, check_condition};
use crate::record::state::{Character, Condition, TurnsLeft, Until};
use crate::refusal::{Code, Refusal, Result};
use crate::{mechanics::lookup, table::Table};
use rollbook_text::names::same;

/// What the caller asked for.
#[derive(Debug, Default, Clone)]
pub struct ConditionCall {
    /// Names, a side, "party".
    pub on: Vec<String>,
    /// With its level, where it has one: "Frightened 2".
    pub condition: String,
    /// "for 3 rounds", "until end of scene", "until removed". Left out: as the rules say.
    pub duration: Option<String>,
    /// The cause: a character's name, or any text.
    pub source: Option<String>,
    /// Allows a condition that no rule has.
    pub free: bool,
}

/// Adds it to each, or begins it again. Refused: all that is wrong with any; nothing is added then.
pub fn add(table: &mut Table, call: &ConditionCall) -> Result<()> {
    on_each(table, &call.on, |table, name| adding(table, call, name))
}

/// Removes it from each of them; of a side, from those who have it. Refused: what is wrong with any
/// of them, all of it; then nothing is removed.
pub fn remove(table: &mut Table, on: &[String], condition: &str) -> Result<()> {
    let (state, system) = (&*table.state, table.system());
    let has = |who: &Character| {
        state
            .conditions_of(who.id)
            .any(|row| is_called(row, condition))
    };
    let mut bearers: Vec<String> = Vec::new();
    for name in on {
        let side = || {
            several(
                state,
                system,
                "on",
                std::slice::from_ref(name),
                Reach::Living,
            )
        };
        let side = if is_side(state, name) {
            side()?
        } else {
            Vec::new()
        };
        let having: Vec<String> = side
            .into_iter()
            .filter(|who| has(who))
            .map(|who| who.name.clone())
            .collect();
        if having.is_empty() {
            bearers.push(name.clone())
        } else {
            bearers.extend(having)
        }
    }
    let is_meant =
        |who: &Character| !has(who) || bearers.iter().any(|bearer| same(bearer, &who.name));
    table.note(left_out(state, system, "on", on, Reach::Living, is_meant));
    on_each(table, &bearers, |table, name| {
        let (target, remove_conditions) = (name.to_owned(), vec![condition.to_owned()]);
        let hit = DamageCall {
            target,
            remove_conditions,
            ..DamageCall::default()
        };
        damage::preview(table.state, table.system(), &hit, None)
    })
}

/// Works it out for everybody, and logs it if nothing is wrong with any of them.
fn on_each(
    table: &mut Table,
    on: &[String],
    work_out: impl Fn(&Table, &str) -> Result<DamageResult>,
) -> Result<()> {
    let (state, system) = (&*table.state, table.system());
    let who: Vec<&Character> = match on {
        [one] if !is_side(state, one) => {
            vec![lookup::participant(state, system, "character", one)?]
        }
        names => several(state, system, "on", names, Reach::Living)?,
    };
    let mut names: Vec<String> = who.into_iter().map(|who| who.name.clone()).collect();
    let mut notes = left_out(state, system, "on", on, Reach::Living, |who| {
        names.contains(&who.name)
    });
    let refusal = |name: &String| Some((name.clone(), work_out(table, name).err()?));
    let mut refused: Vec<(String, Refusal)> = names.iter().filter_map(refusal).collect();
    // Members of a side who have it already do not stop the others.
    if on.iter().any(|name| is_side(state, name)) && refused.len() < names.len() {
        for (name, idle) in refused.extract_if(.., |(_, refusal)| refusal.code == Code::NoEffect) {
            names.retain(|other| *other != name);
            notes.push(idle.summary);
        }
    }
    if !refused.is_empty() {
        return Err(Refusal::all(
            refused.into_iter().map(|(_, refusal)| refusal).collect(),
        ));
    }
    table.note(notes);
    for name in names {
        // Worked out anew, since what the others got may have changed something.
        let result = work_out(table, &name)?;
        damage::write(table, result, None);
    }
    Ok(())
}
fn adding(table: &Table, call: &ConditionCall, target: &str) -> Result<DamageResult> {
    let (state, system) = (&*table.state, table.system());
    let bearer = lookup::participant(state, system, "character", target)?;
    let held: Vec<String> = state
        .conditions_of(bearer.id)
        .flat_map(|row| [row.name.clone(), row.label()])
        .collect();
    let held: Vec<&str> = held.iter().map(String::as_str).collect();
    check_condition(
        system,
        &held,
        &call.condition,
        call.free,
        ConditionParameter::Condition,
    )?;
    let (target, apply_conditions, free) =
        (bearer.name.clone(), vec![call.condition.clone()], call.free);
    let hit = DamageCall {
        target,
        apply_conditions,
        free,
        ..DamageCall::default()
    };
    let mut result = damage::compute(state, system, &hit, None)?;
    call.source.as_ref().map_or(Ok(()), |source| {
        limits::text("source", source, LIMITS.context)
    })?;
    // A source is free text, so only a whole name means that character.
    let cause = call
        .source
        .as_deref()
        .and_then(|source| lookup::by_name(state, source));
    let cause = cause.map(|cause| cause.id);
    let parsed = call
        .duration
        .as_ref()
        .map(|words| parse_duration(table, words, bearer, cause));
    let (lasts, until) = parsed.transpose()?.unwrap_or_default();
    let edit = |row: &mut Condition| {
        if let Some(source) = &call.source {
            (row.cause, row.caused_by) = (Some(source.clone()), cause);
        }
        if call.duration.is_some() {
            (row.lasts, row.until) = (lasts.clone(), until.clone());
        }
    };
    if (call.duration.is_some() || call.source.is_some())
        && let Some(row) = result
            .consequences
            .edit_condition(state, &call.condition, edit)
    {
        result.event.gained = vec![row.label()];
    }
    damage::check_effect(&result.event, &hit)?;
    Ok(result)
}

/// The turns that a condition lasts, or when it ends.
pub type Lasting = (Option<TurnsLeft>, Option<Until>);

fn parse_duration(
    table: &Table,
    words: &str,
    bearer: &Character,
    cause: Option<i64>,
) -> Result<Lasting> {
    let parsed = ConditionDuration::parse(table.state, table.system(), words)?;
    let cause = cause
        .and_then(|cause| table.state.open_combatant(cause))
        .map(|member| member.id);
    lasting(table, bearer.id, (parsed, cause))
}

/// A duration of a call on that character, by the combatant who caused it. Refused: turns or a
/// fight that nobody counts.
pub(crate) fn lasting(
    table: &Table,
    bearer: i64,
    (parsed, cause): (ConditionDuration, Option<i64>),
) -> Result<Lasting> {
    let (state, system) = (&*table.state, table.system());
    let name = || {
        let who = state.characters.get(&bearer);
        who.map_or("", |who| &who.name)
    };
    if parsed == ConditionDuration::Until(Until::Fight) && state.open_combatant(bearer).is_none() {
        return Err(no_turns(&format!(
            "{} is in no fight that could end",
            name()
        )));
    }
    let row = Condition {
        character: bearer,
        ..Condition::default()
    };
    let Condition { lasts, until, .. } =
        duration::with_duration(state, system, row, (parsed, cause));
    if lasts.is_none() && until.is_none() {
        return Err(no_turns(&format!(
            "Rounds and turns are counted in a fight, and {} is in none",
            name()
        )));
    }
    Ok((lasts, until))
}

fn no_turns(why: &str) -> Refusal {
    Refusal::new(
        Code::NoTurns,
        format!(
            "{why}. Send a time, as duration=\"10 minutes\", or \"until end of scene\" or \"until removed\"."
        ),
    )
}
