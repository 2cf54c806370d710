//! Adds or removes a condition, with its duration and cause.
//!
//! It is decided as damage of 0, so everything that follows from a condition with a hit (going down, a trigger) follows
//! here too.

use crate::game::decide::damage::{self, DamageCall};
use crate::game::limits::{self, LIMITS};
use crate::game::mechanics::duration::{self, ConditionDuration, render};
use crate::game::mechanics::lookup;
use crate::game::mechanics::threshold::{ConditionParameter, check_condition};
use crate::game::record::state::{Condition, TurnsLeft, Until};
use crate::game::refusal::{Code, Refusal};
use crate::game::table::Table;

/// What the caller asked for.
#[derive(Debug, Default, Clone)]
pub struct ConditionCall {
    pub target: String,
    /// With its level, where it has one: "Frightened 2".
    pub condition: String,
    /// "3 rounds", "scene", "until treated". Left out: as the rules say.
    pub duration: Option<String>,
    /// The cause: a character's name, or any text.
    pub source: Option<String>,
    /// Allows a condition that no rule has.
    pub free: bool,
}

/// Adds it. One that is there begins again.
pub fn add(table: &mut Table, call: &ConditionCall) -> Result<(), Refusal> {
    let bearer = lookup::participant(table.state, table.system(), "character", &call.target)?;
    let (bearer, target) = (bearer.id, bearer.name.clone());
    let held: Vec<String> = table.state.conditions_of(bearer).flat_map(|own| [own.name.clone(), own.label()]).collect();
    let held: Vec<&str> = held.iter().map(String::as_str).collect();
    check_condition(table.system(), &held, &call.condition, call.free, ConditionParameter::Condition)?;
    let (apply_conditions, free) = (vec![call.condition.clone()], call.free);
    let blow = DamageCall { target, apply_conditions, free, ..DamageCall::default() };
    let (state, system) = (&*table.state, table.system());
    let mut result = damage::compute(state, system, &blow, None)?;
    if let Some(source) = &call.source {
        limits::text("source", source, LIMITS.context)?;
    }
    // A source is free text, so only a whole name means that character.
    let cause = call.source.as_deref().and_then(|source| lookup::by_name(state, source));
    let cause = cause.map(|cause| cause.id);
    let (lasts, until) = match &call.duration {
        Some(words) => parse_duration(table, words, bearer, cause)?,
        None => (None, None),
    };
    let sent = call.duration.is_some();
    let held = |row: &mut Condition| {
        if let Some(source) = &call.source {
            (row.cause, row.caused_by) = (Some(source.clone()), cause);
        }
        if sent {
            (row.lasts, row.until) = (lasts.clone(), until.clone());
        }
    };
    if (sent || call.source.is_some())
        && let Some(row) = result.consequences.edit_condition(state, &call.condition, held)
    {
        result.event.gained = vec![render(row)];
    }
    damage::check_effect(&result.event, &blow)?;
    damage::write(table, result, None);
    Ok(())
}

/// Removes it.
pub fn remove(table: &mut Table, target: String, condition: String) -> Result<(), Refusal> {
    let target = lookup::participant(table.state, table.system(), "character", &target)?.name.clone();
    let blow = DamageCall { target, remove_conditions: vec![condition], ..DamageCall::default() };
    damage::decide(table, blow, None).map(drop)
}

fn parse_duration(
    table: &Table,
    words: &str,
    bearer: i64,
    cause: Option<i64>,
) -> Result<(Option<TurnsLeft>, Option<Until>), Refusal> {
    let (state, system) = (&*table.state, table.system());
    let name = state.characters.get(&bearer).map_or("", |row| row.name.as_str());
    let counted = match ConditionDuration::parse(system, words)? {
        ConditionDuration::Until(Until::Fight) if state.open_combatant(bearer).is_none() => {
            return Err(no_turns(&format!("{name} is in no fight that could end")));
        }
        ConditionDuration::Until(until) => return Ok((None, Some(until))),
        ConditionDuration::Counted(counted) => counted,
    };
    let cause = cause.and_then(|cause| state.open_combatant(cause)).map(|own| own.id);
    let lasts = duration::start_counting(state, &counted, bearer, cause);
    let none = || no_turns(&format!("Rounds and turns are counted in a fight, and {name} is in none"));
    lasts.map(|lasts| (Some(lasts), None)).ok_or_else(none)
}

fn no_turns(why: &str) -> Refusal {
    let summary = format!("{why}. Send duration=\"scene\" or \"until …\", or leave it out: remove_condition ends it.");
    Refusal::new(Code::NoTurns, summary)
}
