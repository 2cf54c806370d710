//! Damage, healing, and the conditions that came with them.

use serde::{Deserialize, Serialize};

use super::Subject;

/// Damage (positive) or healing (negative) with each step from the amount named to the amount taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DamageEvent {
    pub subject: Subject,
    pub track: Option<String>,
    pub amount: i64,
    /// Of several, all of them: `slashing, fire`.
    pub damage_type: Option<String>,
    /// Of which it was made up; empty where it was all of one kind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
    pub steps: Vec<Step>,
    /// What the rules did when a bound was crossed, in words.
    pub triggers: Vec<String>,
    pub gained: Vec<String>,
    pub lost: Vec<String>,
    /// How the target is afterwards, by its main track.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub health: Option<Health>,
    /// The track that moved is not the main one, so nobody is the worse for it in a fight.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub aside: bool,
    /// What half of it, or what stood in the way, left of the amount, where that is something else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eased: Option<Eased>,
    /// How it is told, where it is neither so much damage nor so much healing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<Told>,
    /// Players hear the figures, though a row behind them says where a condition came from.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
    pub reason: Option<String>,
    /// The entry whose roll decided the amount.
    pub roll: Option<u64>,
    /// What is out of the ordinary about that roll.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roll_note: Option<Box<RollNote>>,
}

/// A foe's health as players may know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Health {
    Unhurt,
    Hurt,
    /// Half of the track or less is left.
    Bloodied,
    Down,
}

impl Health {
    /// The word players hear.
    pub fn as_str(self) -> &'static str {
        match self {
            Health::Unhurt => "unhurt",
            Health::Hurt => "hurt",
            Health::Bloodied => "bloodied",
            Health::Down => "down",
        }
    }
}

/// How damage departs from the roll it names. It is allowed (half damage, one roll for an area), and it is always said.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RollNote {
    /// What was rolled, where the amount is something else; one total for each roll of the entry.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rolled: Vec<i64>,
    /// The entry that used the same roll on the same target before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<u64>,
    /// It has the dice of a check, such as an attack roll, and the call said that it is the damage.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub like_check: bool,
    /// Players did not see the roll, so they are told neither what it was nor how it was used.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// Players know that dice fell and not what they showed, and are told that the amount is another. Older entries did not say it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub changed_unseen: bool,
}

impl RollNote {
    /// Whether nothing is out of the ordinary.
    pub fn is_empty(&self) -> bool {
        self.rolled.is_empty() && self.before.is_none() && !self.like_check
    }
}

/// A hit that is less, or more, by the time it reaches somebody.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Eased {
    pub left: i64,
    /// What made it so: `half`, `Resistance (cold)`.
    pub by: Vec<String>,
}

/// What a movement is that is no damage and no healing. Entries from before it was written down have none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Told {
    /// Nothing moved, nothing came and nothing went.
    Idle,
    /// A track that nobody's health hangs on: spent, counted, granted.
    Counted,
    /// Conditions alone, without a hit.
    Conditions,
}

/// Damage of one kind in a hit of several.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(description = "")]
pub struct Part {
    pub amount: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damage_type: Option<String>,
}

/// One step of the arithmetic: `after` is what is left when the step is done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Step {
    pub step: String,
    pub before: i64,
    pub after: i64,
}
