//! How characters get better.

use crate::grammar::tree::Op;
use crate::language::clause::Clause;
use rollbook_dice::Formula;
use rollbook_text::diagnostic::Place;

/// How characters get better, as far as the file says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Advancement {
    /// Experience points at which the next level is reached, over `{level}`: `7 + {level}`.
    pub level_up: Option<Clause<Formula>>,
    /// Experience points at which levels are reached, from a table; lowest level first.
    pub thresholds: Vec<Threshold>,
    /// Where that table stands.
    pub thresholds_place: Option<Place>,
    /// The outcomes of a check that tick its skill: each one of the five, or the label of a row.
    pub ticks: Option<Clause<Vec<String>>>,
    /// What is rolled for each ticked skill, and when.
    pub improvement: Option<Improvement>,
}

/// A level and the experience points it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Threshold {
    pub level: i64,
    /// Points in all.
    pub xp: i64,
}

/// ``Each tick: {skill} +1d10 if `1d100 > {skill}` ``
#[derive(Debug, Clone, PartialEq)]
pub struct Improvement {
    /// What is rolled for each tick.
    pub roll: Formula,
    /// How it must lie to the other side.
    pub op: Op,
    /// The other side, over `{skill}`.
    pub against: Formula,
    /// What the skill gains.
    pub gain: Formula,
    pub place: Place,
}

impl Improvement {
    /// Whether a roll improves a skill, where the other side is this.
    pub fn is_met(&self, thrown: i64, against: i64) -> bool {
        match self.op {
            Op::More => thrown > against,
            Op::AtLeast => thrown >= against,
            Op::Less => thrown < against,
            _ => thrown <= against,
        }
    }
}

impl Advancement {
    /// The experience points that the level after this one takes in all; none when the file has no number for it.
    pub fn xp_for_next(&self, level: i64) -> Option<i64> {
        let next = level.checked_add(1)?;
        if let Some(threshold) = self.thresholds.iter().find(|threshold| threshold.level == next) {
            return Some(threshold.xp);
        }
        let mut lookup = |name: &str| rollbook_text::names::same(name, "level").then_some(level);
        self.level_up.as_ref()?.what.bind(&mut lookup).ok()?.constant()
    }
}
