//! Creates and changes characters: scores are checked against the rules, tracks are computed from them, and each changed
//! field is logged before and after.
//!
//! Only given numbers are stored (scores, skills, level, xp, values of tracks); what follows from them is computed when it
//! is read.

mod bounds;
mod create;
mod fields;
mod missing;
mod retire;
mod revise;
mod roll;
mod scores;
pub mod tracks;

use std::collections::BTreeMap;

pub use bounds::check_name_free;
pub use create::{create, create_many};
pub use missing::missing;
pub use retire::retire;
pub use revise::{Revision, apply_checked, revise, update};

use crate::game::decide::items::ItemCall;
use crate::game::record::state::Kind;
use crate::game::view::snapshot::CharacterSnapshot;

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
    /// Hit points of an NPC: value and maximum, regardless of the rules.
    pub hp: Option<i64>,
    pub inventory: Vec<ItemCall>,
    pub notes: Option<String>,
    pub gm_notes: Option<String>,
    /// Why a score is outside its range; logged.
    pub override_reason: Option<String>,
    /// For a new character: what it is made from; the other fields override it.
    pub from: Option<Box<CharacterSnapshot>>,
    /// For a new character: dice for every attribute that is not given, such as `4d6kh3`.
    pub roll_attributes: Option<String>,
    /// For a new character: allows conditions in `from` that no rule has.
    pub free: bool,
}
