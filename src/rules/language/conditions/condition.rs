//! What can be the matter with a character.

use crate::diagnostic::{Place, Span};
use crate::rules::grammar::effect::Duration;

/// A condition that the file names: what it changes, how long it lasts, and the author's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConditionRule {
    /// Name as the author writes it: "Poisoned".
    pub name: String,
    /// Lowest and highest level: `Exhausted (1-6)`; none for one that is there or not.
    pub levels: Option<(i64, i64)>,
    /// What it changes, as far as the program reads it.
    pub effects: Vec<ConditionEffect>,
    /// How long it lasts; none: until it is removed.
    pub duration: Option<Duration>,
    /// The author's words about it; may be empty.
    pub about: String,
    /// Where it stands.
    pub place: Place,
    /// Where it stands, in bytes.
    pub span: Span,
}

/// One thing that a condition changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConditionEffect {
    /// What is changed.
    pub on: EffectOn,
    /// How.
    pub change: EffectChange,
    /// Whether it counts once for each level.
    pub per_level: bool,
    /// Whether it is about what others roll against the bearer, and not about the bearer's own checks.
    pub against: bool,
    /// Which clause says so, from 0: of one clause, what fits a check counts once.
    pub clause: usize,
}

/// What a condition changes. Names are as they are declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EffectOn {
    /// Every check.
    Checks,
    /// Checks with this attribute.
    Attribute(String),
    /// Checks with this skill.
    Skill(String),
    /// This named check.
    Check(String),
    /// Every check that strikes somebody, where no check is called so.
    Attacks,
}

/// How a condition changes a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EffectChange {
    /// This much is added; below zero taken away.
    Add(i64),
    /// It is rolled with advantage.
    Advantage,
    /// It is rolled with disadvantage.
    Disadvantage,
    /// So many dice more are rolled of the Roll's first kind, or fewer.
    Dice(i64),
    /// The die is so many steps further up its chain, or down.
    Steps(i64),
}

impl ConditionEffect {
    /// What it comes to at this level: what it adds, or how many dice or steps.
    pub fn amount(&self, level: i64) -> Option<i64> {
        match self.change {
            EffectChange::Add(amount) | EffectChange::Dice(amount) | EffectChange::Steps(amount) => {
                Some(if self.per_level { amount.saturating_mul(level) } else { amount })
            }
            EffectChange::Advantage | EffectChange::Disadvantage => None,
        }
    }

    /// In a few words: "-1 STR", "disadvantage on checks".
    pub fn describe(&self) -> String {
        let on = match &self.on {
            EffectOn::Checks => "checks".to_owned(),
            EffectOn::Attacks => "attacks".to_owned(),
            EffectOn::Attribute(name) | EffectOn::Skill(name) | EffectOn::Check(name) => name.clone(),
        };
        let on = if self.against { format!("{on} against the bearer") } else { on };
        let each = if self.per_level { " per level" } else { "" };
        match self.change {
            EffectChange::Add(amount) => format!("{amount:+} {on}{each}"),
            EffectChange::Dice(many) => format!("{} on {on}{each}", of_many(many, "die", "dice")),
            EffectChange::Steps(many) => format!("{} on {on}{each}", of_many(many, "step", "steps")),
            EffectChange::Advantage => format!("advantage on {on}"),
            EffectChange::Disadvantage => format!("disadvantage on {on}"),
        }
    }
}

/// `-1 die`, `+2 dice`.
pub fn of_many(many: i64, one: &str, several: &str) -> String {
    format!("{many:+} {}", if many.abs() == 1 { one } else { several })
}
