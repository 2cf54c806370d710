//! Creates and changes characters: scores are checked against the rules, tracks are computed from them, and each changed
//! field is logged before and after.
//!
//! Only given numbers are stored (scores, skills, level, xp, values of tracks); what follows from them is computed when it
//! is read.

mod attacks;
mod create;
mod revise;
pub mod tracks;

use std::collections::BTreeMap;

pub use attacks::AttackCall;
pub use create::{check_room, create, create_many};
pub use revise::{Revision, apply_checked, revise, update};

use crate::decide::items::ItemCall;
use crate::limits;
use crate::limits::LIMITS;
use crate::mechanics::lookup;
use crate::mechanics::values::is_omitted_zero;
use crate::record::change::{Change, Images};
use crate::record::entry::Visibility;
use crate::record::event::{Event, Retired};
use crate::record::state::{Character, Kind, State};
use crate::refusal::{Code, Refusal};
use crate::table::{Draft, Table};
use crate::view::snapshot::CharacterSnapshot;
use rollbook_rules::{Attribute, System};
use rollbook_text::names::fold;

/// The fields of a call; `None` and empty ones change nothing.
#[derive(Debug, Default, Clone)]
pub struct SheetCall {
    pub name: Option<String>,
    pub kind: Option<Kind>,
    pub level: Option<i64>,
    pub xp: Option<i64>,
    /// Scores by any name of the attribute.
    pub attributes: BTreeMap<String, i64>,
    /// Bonuses by any name of the skill.
    pub skills: BTreeMap<String, i64>,
    /// Values by track; for a track without a rule also its maximum.
    pub tracks: BTreeMap<String, i64>,
    /// Hit points, regardless of the rules; of a player character only where these have none.
    pub hp: Option<HitPoints>,
    pub inventory: Vec<ItemCall>,
    pub attacks: Vec<AttackCall>,
    /// Experience for defeating it.
    pub worth: Option<i64>,
    pub notes: Option<String>,
    pub gm_notes: Option<String>,
    /// Why a score is outside its range; logged.
    pub override_reason: Option<String>,
    /// For a new character: what it is made from; the other fields override it.
    pub from: Option<Box<CharacterSnapshot>>,
    /// For a new character: dice for every attribute that is not given, such as `4d6kh3`.
    pub roll_attributes: Option<String>,
    /// For a new character: conditions that it begins with.
    pub conditions: Vec<String>,
    /// For a new character: allows conditions that no rule has.
    pub free: bool,
}

/// Hit points as a call sets them: what is left, and what there is unhurt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HitPoints {
    pub current: i64,
    pub max: i64,
}

impl HitPoints {
    /// Unhurt.
    pub fn full(max: i64) -> HitPoints {
        HitPoints { current: max, max }
    }
}

/// Names with a meaning in calls or in the log.
const RESERVED: [&str; 5] = ["player", "npc", "gm", "system", "company"];

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
    crate::decide::items::check_limits(&sheet.inventory)?;
    limits::number("worth", sheet.worth.unwrap_or(0))?;
    for hp in sheet.hp.iter().flat_map(|own| [own.current, own.max]) {
        limits::number("hp", hp)?;
    }
    limits::count("conditions", sheet.conditions.len(), LIMITS.conditions)?;
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

/// What the rules ask for and the character lacks: "Strength (STR), 3 to 20".
pub fn missing(state: &State, system: &System, character: &Character) -> Vec<String> {
    let lacks = |own: &&Attribute| !character.attributes.contains_key(&own.name) && !is_omitted_zero(character, own);
    let attributes = system.attributes.iter().filter(lacks);
    let attributes = attributes.map(|attribute| {
        let abbr = attribute.abbr.as_ref().map_or(String::new(), |abbr| format!(" ({abbr})"));
        let range = attribute.range.map_or(String::new(), |(low, high)| format!(", {low} to {high}"));
        format!("{}{abbr}{range}", attribute.name)
    });
    // The track of an attribute comes with its score, and nobody has points that are given until they are.
    let tracks = system.tracks.iter().filter(|rule| !system.takes_score(&rule.name) && !rule.is_given());
    let tracks = tracks.filter(|rule| !state.tracks_of(character.id).any(|track| track.name == rule.name));
    attributes.chain(tracks.map(|rule| rule.name.clone())).collect()
}

/// Marks the character as retired, or as active again.
pub fn retire(table: &mut Table, who: &str) -> Result<(), Refusal> {
    let before = lookup::character(table.state, table.system(), who)?.clone();
    if table.state.open_combatant(before.id).is_some() {
        let summary = format!(
            "{0} is in a fight. Send manage_combat action=\"remove\" combatant=\"{0}\" first, or end the fight.",
            before.name
        );
        return Err(Refusal::new(Code::InCombat, summary));
    }
    let back = before.retired;
    let after = Character { retired: !back, ..before.clone() };
    let event = Event::Retired(Retired { subject: after.subject(), back });
    let visibility = if after.kind.is_open() { Visibility::Public } else { Visibility::Gm };
    let changes = vec![Change::Character(Images::changed(before, after))];
    table.log(Draft { visibility, ..Draft::new("gm", event, changes) });
    Ok(())
}
