//! What happens by a rule: effects of rests, triggers, rows and prices, of clocks and of what all share.

mod read;

pub use read::{Reader, Refused, Spot, condition_called};

use crate::diagnostic::Place;
use crate::dice::Formula;
use crate::names::same;
use crate::rules::grammar::effect::Duration;
use crate::rules::when::When;

/// One thing that happens, if its condition holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    pub act: Act,
    pub only_if: Option<When>,
    /// As it is written: `Hit points +1d6`.
    pub text: String,
    /// The line of the rules.
    pub place: Place,
}

/// What happens. Names are as they are declared.
#[derive(Debug, Clone, PartialEq)]
pub enum Act {
    Move(Target, Move),
    /// A condition begins, or goes to this level.
    Gain {
        condition: String,
        level: Option<Formula>,
        lasts: Option<Duration>,
    },
    Lose {
        condition: String,
    },
    /// So many seconds of the game's time.
    Pass {
        seconds: i64,
    },
    Damage {
        amount: Formula,
        kind: Option<String>,
    },
}

/// What is moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// A track, or the marks of one name.
    pub track: String,
    /// Whether all share it.
    pub shared: bool,
}

/// How a track moves.
#[derive(Debug, Clone, PartialEq)]
pub enum Move {
    /// So much is added to its number, or taken away.
    By {
        down: bool,
        amount: Formula,
    },
    /// Along the dice chain, whose sizes these are, the smallest first; steps below 0 go down.
    Steps {
        sizes: Vec<i64>,
        steps: i64,
    },
    To(Formula),
    ToMax,
    /// So much is added to its maximum for a time, or taken away.
    Max {
        down: bool,
        amount: Formula,
        lasts: Option<Duration>,
    },
}

impl Effect {
    /// The track that it moves.
    pub fn target(&self) -> Option<&Target> {
        match &self.act {
            Act::Move(target, _) => Some(target),
            Act::Gain { .. } | Act::Lose { .. } | Act::Pass { .. } | Act::Damage { .. } => None,
        }
    }

    /// Whether it moves what all share.
    pub fn is_shared(&self) -> bool {
        self.target().is_some_and(|own| own.shared)
    }

    /// Whether it moves this track.
    pub fn moves(&self, track: &str) -> bool {
        self.target().is_some_and(|own| same(&own.track, track))
    }

    /// The condition that it brings.
    pub fn gains(&self) -> Option<&str> {
        match &self.act {
            Act::Gain { condition, .. } => Some(condition),
            _ => None,
        }
    }

    /// The condition that it ends.
    pub fn loses(&self) -> Option<&str> {
        match &self.act {
            Act::Lose { condition } => Some(condition),
            _ => None,
        }
    }

    /// The number that it depends on, where there is one.
    pub fn amount(&self) -> Option<&Formula> {
        match &self.act {
            Act::Move(_, Move::By { amount, .. } | Move::To(amount) | Move::Max { amount, .. })
            | Act::Damage { amount, .. } => Some(amount),
            Act::Gain { level, .. } => level.as_ref(),
            Act::Move(_, Move::Steps { .. } | Move::ToMax) | Act::Lose { .. } | Act::Pass { .. } => None,
        }
    }

    /// Whether dice are thrown for it.
    pub fn is_rolled(&self) -> bool {
        self.amount().is_some_and(|amount| !amount.labelled_dice().is_empty())
    }
}

/// Seconds of the game's time that these let pass.
pub fn passes(effects: &[Effect]) -> Option<i64> {
    let seconds = effects.iter().filter_map(|own| match own.act {
        Act::Pass { seconds } => Some(seconds),
        _ => None,
    });
    seconds.reduce(i64::saturating_add)
}

/// Effects as they are written, one after the other.
pub fn texts(effects: &[Effect]) -> String {
    effects.iter().map(|own| own.text.as_str()).collect::<Vec<_>>().join(", ")
}

/// The size of a die so many steps further; below the smallest there is no die, above the largest it stays.
pub fn stepped(sizes: &[i64], value: i64, steps: i64) -> Option<i64> {
    let mut now = value;
    for _ in 0..steps.abs() {
        now = match steps < 0 {
            true => sizes.iter().rev().copied().find(|size| *size < now)?,
            false => sizes.iter().copied().find(|size| *size > now).unwrap_or(now),
        };
    }
    Some(now)
}
