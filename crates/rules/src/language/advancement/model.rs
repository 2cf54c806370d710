//! Advancement: experience, levels and ticks.

use crate::grammar::tree::Op;
use crate::language::clause::Clause;
use rollbook_dice::Formula;
use rollbook_text::diagnostic::Place;

/// How characters advance.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Advancement {
    /// Experience points for the next level, by `{level}`: `7 + {level}`.
    pub level_up: Option<Clause<Formula>>,
    /// Experience points for each level in a table; the lowest level first.
    pub thresholds: Vec<Threshold>,
    /// Where that table is.
    pub thresholds_place: Option<Place>,
    /// The outcomes of a check that tick its skill: one of the five, or the label of a row.
    pub ticks: Option<Clause<Vec<String>>>,
    /// What is rolled for each ticked skill, and when.
    pub improvement: Option<Improvement>,
}

/// A level and its experience points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Threshold {
    pub level: i64,
    /// The total of points.
    pub xp: i64,
}

/// ``Each tick: {skill} +1d10 if `1d100 > {skill}` ``
#[derive(Debug, Clone, PartialEq)]
pub struct Improvement {
    /// What is rolled for each tick.
    pub roll: Formula,
    /// How the roll must compare with `against`.
    pub op: Op,
    /// What the roll is compared with, by `{skill}`.
    pub against: Formula,
    pub gain: Formula,
    pub place: Place,
}

impl Improvement {
    /// Whether a roll improves the skill.
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
    /// The total of experience points for the level after this one, if the file has it.
    pub fn next_level_xp(&self, level: i64) -> Option<i64> {
        let next = level.checked_add(1)?;
        if let Some(threshold) = self
            .thresholds
            .iter()
            .find(|threshold| threshold.level == next)
        {
            return Some(threshold.xp);
        }
        let mut lookup = |name: &str| rollbook_text::names::same(name, "level").then_some(level);
        self.level_up
            .as_ref()?
            .what
            .bind(&mut lookup)
            .ok()?
            .constant()
    }
}
