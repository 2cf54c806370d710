//! The fields of a character as a call sends them, and their limits.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::decide::items::{self, ItemCall};
use crate::limits::{self, LIMITS};
use crate::record::state::Kind;
use crate::refusal::Refusal;
use crate::view::snapshot::CharacterSnapshot;

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

/// One attack of a call; a field that is left out stays as it is.
#[derive(Debug, Default, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[schemars(description = "")]
pub struct AttackCall {
    pub name: String,
    /// Or an attribute.
    pub skill: Option<String>,
    /// Beside skill; without it all of it.
    pub bonus: Option<i64>,
    /// "1d6+3", "1d6 slashing plus 1d4 fire".
    pub damage: Option<String>,
    pub damage_type: Option<String>,
    pub range: Option<String>,
    /// What else a hit brings: "gain Prone, gain Burning 2", or words.
    pub effect: Option<String>,
    /// true: takes it off the sheet.
    pub remove: Option<bool>,
}

/// Refuses what is beyond the limits.
pub fn check_limits(sheet: &SheetCall) -> Result<(), Refusal> {
    sheet.name.iter().try_for_each(|name| limits::name("name", name))?;
    sheet.notes.iter().try_for_each(|text| limits::text("notes", text, LIMITS.notes))?;
    sheet.gm_notes.iter().try_for_each(|text| limits::text("gm_notes", text, LIMITS.notes))?;
    sheet.override_reason.iter().try_for_each(|text| limits::text("override_reason", text, LIMITS.context))?;
    for (parameter, map) in [("attributes", &sheet.attributes), ("skills", &sheet.skills), ("tracks", &sheet.tracks)] {
        limits::count(parameter, map.len(), LIMITS.map)?;
        for (name, value) in map {
            limits::name(parameter, name)?;
            limits::number(&format!("{parameter}.{name}"), *value)?;
        }
    }
    items::check_limits(&sheet.inventory)?;
    limits::number("worth", sheet.worth.unwrap_or(0))?;
    for hp in sheet.hp.iter().flat_map(|hp| [hp.current, hp.max]) {
        limits::number("hp", hp)?;
    }
    limits::count("conditions", sheet.conditions.len(), LIMITS.conditions)?;
    limits::number("level", sheet.level.unwrap_or(0))?;
    limits::number("xp", sheet.xp.unwrap_or(0))
}
