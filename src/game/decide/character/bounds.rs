//! What a sheet may hold, whatever the rules say, and which names are free.

use super::Sheet;
use crate::game::limits::{self, LIMITS};
use crate::game::mechanics::lookup;
use crate::game::record::state::State;
use crate::game::refusal::{Code, Refusal};
use crate::names::fold;

/// Names that stand for somebody else: the only player character, an NPC named beside it, whoever acts in the log.
const RESERVED: [&str; 4] = ["player", "npc", "gm", "system"];

/// A refusal when something of it is longer, larger or more than there is room for.
pub fn bounds(sheet: &Sheet) -> Result<(), Refusal> {
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
    crate::game::decide::items::bounds(&sheet.inventory)?;
    limits::number("hp", sheet.hp.unwrap_or(0))?;
    limits::number("level", sheet.level.unwrap_or(0))?;
    limits::number("xp", sheet.xp.unwrap_or(0))
}

/// A refusal when somebody else is called so, or the name means somebody already.
pub fn taken(state: &State, name: &str, except: Option<i64>) -> Result<(), Refusal> {
    match lookup::by_name(state, name) {
        Some(other) if Some(other.id) != except => {
            let summary = format!(
                "There already is a {}. Send action=\"update\" character=\"{}\" to change it, or another name.",
                other.name, other.name
            );
            Err(Refusal::new(Code::DuplicateName, summary).near(vec![other.name.clone()]))
        }
        None if RESERVED.contains(&fold(name).as_str()) => {
            let summary = format!("\"{name}\" has a meaning of its own here. Send another name.");
            Err(Refusal::new(Code::DuplicateName, summary))
        }
        _ => Ok(()),
    }
}
