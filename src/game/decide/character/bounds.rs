//! Limits on a sheet, and which names are free.

use super::SheetCall;
use crate::game::limits::{self, LIMITS};
use crate::game::mechanics::lookup;
use crate::game::record::state::State;
use crate::game::refusal::{Code, Refusal};
use crate::names::fold;

/// Names with a meaning in calls or in the log.
const RESERVED: [&str; 4] = ["player", "npc", "gm", "system"];

/// Refuses what is beyond the limits.
pub fn check_limits(sheet: &SheetCall) -> Result<(), Refusal> {
    if let Some(name) = &sheet.name {
        limits::name("name", name)?;
    }
    for (parameter, text, most) in [
        ("notes", &sheet.notes, LIMITS.notes),
        ("gm_notes", &sheet.gm_notes, LIMITS.notes),
        ("override_reason", &sheet.override_reason, LIMITS.context),
    ] {
        if let Some(text) = text {
            limits::text(parameter, text, most)?;
        }
    }
    for (parameter, map) in [("attributes", &sheet.attributes), ("skills", &sheet.skills), ("tracks", &sheet.tracks)] {
        limits::count(parameter, map.len(), LIMITS.map)?;
        for (name, value) in map {
            limits::name(parameter, name)?;
            limits::number(&format!("{parameter}.{name}"), *value)?;
        }
    }
    crate::game::decide::items::check_limits(&sheet.inventory)?;
    limits::number("hp", sheet.hp.unwrap_or(0))?;
    limits::number("level", sheet.level.unwrap_or(0))?;
    limits::number("xp", sheet.xp.unwrap_or(0))
}

/// Refuses a name that another character has, or a reserved one.
pub fn check_name_free(state: &State, name: &str, except: Option<i64>) -> Result<(), Refusal> {
    match lookup::by_name(state, name) {
        Some(other) if Some(other.id) != except => {
            let summary = format!(
                "There already is a {}. Send action=\"update\" character=\"{}\" to change it, or another name.",
                other.name, other.name
            );
            Err(Refusal::new(Code::DuplicateName, summary).did_you_mean(vec![other.name.clone()]))
        }
        None if RESERVED.contains(&fold(name).as_str()) => {
            let summary = format!("\"{name}\" has a meaning of its own here. Send another name.");
            Err(Refusal::new(Code::DuplicateName, summary))
        }
        _ => Ok(()),
    }
}
