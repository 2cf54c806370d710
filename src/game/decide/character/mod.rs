//! Making and changing characters: scores checked against the rules, tracks worked out from them, each changed
//! field before and after.
//!
//! Stored are the numbers a person wrote down (scores, skills, level, xp) and where tracks stand; what follows from them is
//! worked out by the rules whenever it is read.

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

pub use bounds::taken;
pub use create::{create, create_many};
pub use missing::missing;
pub use retire::retire;
pub use revise::{Revision, checked, revise, update};

use crate::game::decide::items::ItemCall;
use crate::game::record::state::Kind;
use crate::game::view::snapshot::CharacterSnapshot;

/// The fields of a call; `None` and empty leave things as they are.
#[derive(Debug, Default, Clone)]
pub struct Sheet {
    pub name: Option<String>,
    pub kind: Option<Kind>,
    pub level: Option<i64>,
    pub xp: Option<i64>,
    /// Scores by any name of the attribute.
    pub attributes: BTreeMap<String, i64>,
    /// Bonuses by any name of the skill.
    pub skills: BTreeMap<String, i64>,
    /// Values by track; for a track the rules do not work out, the maximum too.
    pub tracks: BTreeMap<String, i64>,
    /// An NPC's hit points as its description gives them: value and maximum, whatever the rules would work out.
    pub hp: Option<i64>,
    pub inventory: Vec<ItemCall>,
    pub notes: Option<String>,
    pub gm_notes: Option<String>,
    /// Why a score may lie outside its range; logged.
    pub override_reason: Option<String>,
    /// Of a new one: whom it is drawn after; what else the sheet says goes before it.
    pub from: Option<Box<CharacterSnapshot>>,
    /// Of a new one: dice for every attribute that is not given, such as `4d6kh3`.
    pub roll_attributes: Option<String>,
    /// Of a new one: conditions of whom it is drawn after are meant as they are, though no rule knows them.
    pub free: bool,
}
