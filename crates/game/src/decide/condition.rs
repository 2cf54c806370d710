//! Adds or removes a condition, with its duration and cause.
//!
//! It is decided as damage of 0, so everything that follows from a condition with a hit (going down, a trigger) follows
//! here too.

use crate::decide::damage::{self, DamageCall, DamageResult};
use crate::limits::{self, LIMITS};
use crate::mechanics::duration::{self, ConditionDuration, render};
use crate::mechanics::lookup;
use crate::mechanics::several::{Reach, is_side, left_out, several};
use crate::mechanics::threshold::{ConditionParameter, check_condition};
use crate::record::state::{Character, Condition, TurnsLeft, Until};
use crate::refusal::{Code, Refusal};
use crate::table::Table;
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

/// Adds it to each of them. One that is there begins again. Refused: what is wrong with any of them, all of it; then nothing is added.
pub fn add(table: &mut Table, call: &ConditionCall) -> Result<(), Refusal> {
    on_each(table, &call.on, |table, name| adding(table, call, name))
}

/// Removes it from each of them; of a side, from those who have it. Refused: what is wrong with any of them, all of it; then nothing is removed.
pub fn remove(table: &mut Table, on: &[String], condition: &str) -> Result<(), Refusal> {
    let (state, system) = (&*table.state, table.system());
    let has = |name: &str| {
        let own = lookup::by_name(state, name).map(|own| state.conditions_of(own.id));
        own.into_iter().flatten().any(|row| same(&row.name, condition) || same(&row.label(), condition))
    };
    let mut bearers: Vec<String> = Vec::new();
    for name in on {
        let side = match is_side(state, name) {
            true => several(state, system, "on", std::slice::from_ref(name), Reach::Living)?,
            false => Vec::new(),
        };
        let of_it: Vec<String> = side.iter().map(|own| own.name.clone()).filter(|own| has(own)).collect();
        if of_it.is_empty() { bearers.push(name.clone()) } else { bearers.extend(of_it) }
    }
    let is_meant = |name: &str| !has(name) || bearers.iter().any(|own| same(own, name));
    let out = left_out(state, system, "on", on, Reach::Living, |who| is_meant(&who.name));
    table.note(out);
    on_each(table, &bearers, |table, name| {
        let remove_conditions = vec![condition.to_owned()];
        let blow = DamageCall { target: name.to_owned(), remove_conditions, ..DamageCall::default() };
        damage::preview(table.state, table.system(), &blow, None)
    })
}

/// Works it out for everybody, and logs it if nothing is wrong with any of them.
fn on_each(
    table: &mut Table,
    on: &[String],
    work_out: impl Fn(&Table, &str) -> Result<DamageResult, Refusal>,
) -> Result<(), Refusal> {
    let (state, system) = (&*table.state, table.system());
    let mut names: Vec<String> = match on {
        [one] if !is_side(state, one) => vec![lookup::participant(state, system, "character", one)?.name.clone()],
        names => several(state, system, "on", names, Reach::Living)?.into_iter().map(|own| own.name.clone()).collect(),
    };
    let is_meant = |who: &Character| names.contains(&who.name);
    let mut notes = left_out(state, system, "on", on, Reach::Living, is_meant);
    let mut refused: Vec<(String, Refusal)> =
        names.iter().filter_map(|name| work_out(table, name).err().map(|own| (name.clone(), own))).collect();
    // A side whose fallen lie there already gets it all the same.
    if on.iter().any(|name| is_side(state, name)) && refused.len() < names.len() {
        let idle = |own: &(String, Refusal)| own.1.code == Code::NoEffect;
        let (idle, other): (Vec<_>, Vec<_>) = refused.into_iter().partition(idle);
        names.retain(|name| idle.iter().all(|(own, _)| own != name));
        notes.extend(idle.into_iter().map(|(_, own)| own.summary));
        refused = other;
    }
    if !refused.is_empty() {
        return Err(Refusal::all(refused.into_iter().map(|(_, own)| own).collect()));
    }
    table.note(notes);
    for name in names {
        // Worked out anew, since what the others got may have changed something.
        let result = work_out(table, &name)?;
        damage::write(table, result, None);
    }
    Ok(())
}

/// What adding it to one of them comes to.
fn adding(table: &Table, call: &ConditionCall, target: &str) -> Result<DamageResult, Refusal> {
    let bearer = lookup::participant(table.state, table.system(), "character", target)?;
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
    Ok(result)
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
        ConditionDuration::For(seconds) => return Ok((None, Some(duration::end_of(state, system, seconds)))),
        ConditionDuration::Counted(counted) => counted,
    };
    let cause = cause.and_then(|cause| state.open_combatant(cause)).map(|own| own.id);
    let lasts = duration::start_counting(state, &counted, bearer, cause);
    if lasts.is_none()
        && let Some(until) = duration::end_of_rounds(state, system, &counted)
    {
        return Ok((None, Some(until)));
    }
    let none = || no_turns(&format!("Rounds and turns are counted in a fight, and {name} is in none"));
    lasts.map(|lasts| (Some(lasts), None)).ok_or_else(none)
}

fn no_turns(why: &str) -> Refusal {
    let summary = format!("{why}. Send duration=\"until end of scene\" or \"until removed\".");
    Refusal::new(Code::NoTurns, summary)
}
