//! Damage, healing, and the conditions that came with them.

use serde::{Deserialize, Serialize};

use super::Subject;

/// Damage (positive) or healing (negative), with each step from the amount sent to the amount taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DamageEvent {
    pub subject: Subject,
    pub track: Option<String>,
    pub amount: i64,
    /// All types, where there are several: `slashing, fire`.
    pub damage_type: Option<String>,
    /// The parts, where it has several types; else empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
    pub steps: Vec<Step>,
    /// The texts of the triggers that fired.
    pub triggers: Vec<String>,
    pub gained: Vec<String>,
    pub lost: Vec<String>,
    /// The target's health afterwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub health: Option<Health>,
    /// The track that moved is not the health track.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub aside: bool,
    /// The amount after `half` and mitigation, where that differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eased: Option<Mitigated>,
    /// How the sentence is phrased, where it is neither damage nor healing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<Phrasing>,
    /// Players see the figures, though a changed row holds a secret cause of a condition.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
    pub reason: Option<String>,
    /// The entry whose roll decided the amount.
    pub roll: Option<u64>,
    /// Who struck, where players see the blow and neither its check nor its roll.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Box<Subject>>,
    /// How the damage departs from that roll.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roll_note: Option<Box<RollNote>>,
}

impl DamageEvent {
    /// The points that come through armour and the like; less than zero where it heals.
    pub fn came_through(&self) -> i64 {
        self.eased.as_ref().map_or(self.amount, |eased| self.amount.signum() * eased.left)
    }
}

/// Health in one word, as players see it of a foe.
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
    /// The word.
    pub fn as_str(self) -> &'static str {
        match self {
            Health::Unhurt => "unhurt",
            Health::Hurt => "hurt",
            Health::Bloodied => "bloodied",
            Health::Down => "down",
        }
    }
}

/// How damage departs from the roll it names. That is allowed (half damage, one roll for an area) and always noted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RollNote {
    /// What was rolled, where the amount differs; one total for each roll of the entry.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rolled: Vec<i64>,
    /// The entry that used the same roll on the same target before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<u64>,
    /// The roll has the dice of a check, such as an attack roll, and the call sent the amount beside it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub like_check: bool,
    /// Players did not see the roll, so the note shows neither its total nor its use.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// Players know that dice fell and not what they showed, and are told that the amount is another.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub changed_unseen: bool,
}

impl RollNote {
    /// Whether there is nothing to note.
    pub fn is_empty(&self) -> bool {
        self.rolled.is_empty() && self.before.is_none() && !self.like_check
    }
}

/// A hit changed by `half` and mitigation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mitigated {
    pub left: i64,
    /// The steps that changed it: `half`, `Resistance (cold)`.
    pub by: Vec<String>,
}

/// The phrasing of an event that is neither damage nor healing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phrasing {
    /// Nothing changed.
    Idle,
    /// A track that is not health was spent, counted or granted.
    Counted,
    /// Only conditions changed.
    Conditions,
}

/// Damage of one type in a hit of several.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(description = "")]
pub struct Part {
    pub amount: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damage_type: Option<String>,
}

/// One step of the arithmetic: `after` is what is left after it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Step {
    pub step: String,
    pub before: i64,
    pub after: i64,
}
