//! A condition that the GM puts on somebody or takes away, with what ends it and where it comes from.
//!
//! It is a wound without damage: whatever a condition brings when it comes with a blow (a place in the fight lost, a trigger),
//! it brings here too.

use crate::game::decide::damage::{self, DamageCall};
use crate::game::limits::{self, LIMITS};
use crate::game::mechanics::duration::{self, Lasting, has_turns, reading};
use crate::game::mechanics::lookup;
use crate::game::mechanics::threshold::{Sent, known};
use crate::game::record::state::{Condition, Lasts, Until};
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
    /// A character by name, or anything else.
    pub source: Option<String>,
    /// It is meant as it is, though no rule knows it.
    pub free: bool,
}

/// Puts it on somebody. One that is there begins anew.
pub fn add(table: &mut Table, call: &ConditionCall) -> Result<(), Refusal> {
    let bearer = lookup::acting(table.state, table.system(), "character", &call.target)?;
    let (bearer, target) = (bearer.id, bearer.name.clone());
    let held: Vec<String> = table.state.conditions_of(bearer).flat_map(|own| [own.name.clone(), own.label()]).collect();
    let held: Vec<&str> = held.iter().map(String::as_str).collect();
    known(table.system(), &held, &call.condition, call.free, Sent::Condition)?;
    let (apply_conditions, free) = (vec![call.condition.clone()], call.free);
    let blow = DamageCall { target, apply_conditions, free, ..DamageCall::default() };
    let (state, system) = (&*table.state, table.system());
    let mut wound = damage::worked_out(state, system, &blow, None)?;
    if let Some(source) = &call.source {
        limits::text("source", source, LIMITS.context)?;
    }
    // A source is free text, so a word that somebody's name has, too, is not that person.
    let cause = call.source.as_deref().and_then(|source| lookup::by_name(state, source));
    let cause = cause.map(|cause| cause.id);
    let (lasts, until) = match &call.duration {
        Some(words) => lasting(table, words, bearer, cause)?,
        None => (None, None),
    };
    let said = call.duration.is_some();
    let held = |row: &mut Condition| {
        if let Some(source) = &call.source {
            (row.cause, row.caused_by) = (Some(source.clone()), cause);
        }
        if said {
            (row.lasts, row.until) = (lasts.clone(), until.clone());
        }
    };
    if (said || call.source.is_some())
        && let Some(row) = wound.crossing.hold(state, &call.condition, held)
    {
        wound.event.gained = vec![reading(row)];
    }
    damage::something(&wound.event, &blow)?;
    damage::write(table, wound, None);
    Ok(())
}

/// Takes it away.
pub fn remove(table: &mut Table, target: String, condition: String) -> Result<(), Refusal> {
    let target = lookup::acting(table.state, table.system(), "character", &target)?.name.clone();
    let blow = DamageCall { target, remove_conditions: vec![condition], ..DamageCall::default() };
    damage::decide(table, blow, None).map(drop)
}

fn lasting(
    table: &Table,
    words: &str,
    bearer: i64,
    cause: Option<i64>,
) -> Result<(Option<Lasts>, Option<Until>), Refusal> {
    let (state, system) = (&*table.state, table.system());
    let name = state.characters.get(&bearer).map_or("", |row| row.name.as_str());
    let counted = match Lasting::given(system, words)? {
        Lasting::Until(Until::Fight) if state.open_combatant(bearer).is_none() => {
            return Err(nowhere(&format!("{name} is in no fight that could end")));
        }
        Lasting::Until(until) => return Ok((None, Some(until))),
        Lasting::Counted(counted) => counted,
    };
    if !has_turns(system) {
        return Err(nowhere("These rules have no turns that could count"));
    }
    let cause = cause.and_then(|cause| state.open_combatant(cause)).map(|own| own.id);
    let lasts = duration::begun(state, system, &counted, bearer, cause);
    let none = || nowhere(&format!("Rounds and turns are counted in a fight, and {name} is in none"));
    lasts.map(|lasts| (Some(lasts), None)).ok_or_else(none)
}

fn nowhere(why: &str) -> Refusal {
    let summary = format!("{why}. Send duration=\"scene\" or \"until …\", or leave it out: remove_condition ends it.");
    Refusal::new(Code::NoTurns, summary)
}
