//! How characters get better.

use crate::diagnostic::Place;
use crate::dice::Formula;
use crate::rules::language::clause::Clause;

/// How characters get better, as far as the file says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Advancement {
    /// Experience points at which the next level is reached, over `{level}`: `7 + {level}`.
    pub level_up: Option<Clause<Formula>>,
    /// Experience points at which levels are reached, from a table; lowest level first.
    pub thresholds: Vec<Threshold>,
    /// Where that table stands.
    pub thresholds_place: Option<Place>,
    /// When skills are ticked.
    pub ticks: Option<Clause<Tick>>,
    /// What is rolled for each ticked skill, and when.
    pub improvement: Option<Improvement>,
    /// Tracks that fill up with marks.
    pub tracks: Vec<AdvanceTrack>,
    /// Kinds of milestones, smallest first.
    pub milestones: Option<Clause<Vec<String>>>,
    /// What the GM sees to, in the author's words.
    pub left: Vec<Clause<String>>,
}

/// When a skill is ticked: "you succeed with it".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tick {
    /// In the author's words.
    pub when: String,
    /// How a check with the skill must end; none: the words say something else, and the GM sees to it.
    pub earned: Option<Earned>,
}

/// How a check must end to tick its skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Earned {
    /// With a success of either kind.
    Success,
    /// With a critical success.
    CriticalSuccess,
    /// With a failure of either kind.
    Failure,
    /// With a critical failure.
    CriticalFailure,
}

/// A level and the experience points it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Threshold {
    /// The level.
    pub level: i64,
    /// Points in all.
    pub xp: i64,
}

/// A track of advancement: `Playbook track: 8`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdvanceTrack {
    /// Name as the author writes it.
    pub name: String,
    /// Marks that fill it.
    pub size: i64,
    /// Where it stands.
    pub place: Place,
}

/// `At the end of a session, for each tick: roll d%; above the skill or 96+, gain 1d10`.
#[derive(Debug, Clone, PartialEq)]
pub struct Improvement {
    /// When, in the author's words.
    pub when: String,
    /// What is rolled for each tick.
    pub roll: Formula,
    /// Whether the roll must be above the skill; else below it.
    pub above: bool,
    /// A roll from which on it is met whatever the skill: `or 96+`.
    pub from: Option<i64>,
    /// What the skill gains.
    pub gain: Formula,
    /// Where it stands.
    pub place: Place,
}

impl Improvement {
    /// Whether a roll improves a skill of this value.
    pub fn is_met(&self, thrown: i64, known: i64) -> bool {
        let beyond = if self.above { thrown > known } else { thrown < known };
        beyond || self.from.is_some_and(|from| thrown >= from)
    }
}

impl Advancement {
    /// Whether a track of this name, folded, is one of advancement.
    pub fn has_track(&self, name: &str) -> bool {
        self.tracks.iter().any(|track| crate::names::same(&track.name, name))
    }

    /// The experience points that the level after this one takes in all; none when the file has no number for it.
    pub fn xp_for_next(&self, level: i64) -> Option<i64> {
        let next = level.checked_add(1)?;
        if let Some(threshold) = self.thresholds.iter().find(|threshold| threshold.level == next) {
            return Some(threshold.xp);
        }
        let mut lookup = |name: &str| crate::names::same(name, "level").then_some(level);
        self.level_up.as_ref()?.what.bind(&mut lookup).ok()?.constant()
    }
}
