//! What mends: rests and the ends of scenes.

use crate::diagnostic::{Place, Span};
use crate::dice::Formula;

/// Something after which tracks change by rule: a short rest, the end of a scene.
#[derive(Debug, Clone, PartialEq)]
pub struct Rest {
    /// Name as the author writes it: "Long rest".
    pub name: String,
    /// What it does, as far as the program reads it; the rest is in `text`.
    pub effects: Vec<RestEffect>,
    /// What it does to clocks and to what all share, once, whoever rests.
    pub shared: Vec<RestEffect>,
    /// Seconds of the game's time that it takes, where the words say so.
    pub lasts: Option<i64>,
    /// Conditions that end with it, as they are declared.
    pub ends: Vec<String>,
    /// The author's words.
    pub text: String,
    /// Where it stands.
    pub place: Place,
    /// Where it stands, in bytes.
    pub span: Span,
}

/// What a rest does to a track, to boxes or to slots, named as they are declared.
#[derive(Debug, Clone, PartialEq)]
pub enum RestEffect {
    /// To its maximum.
    ToMax {
        /// Which track.
        track: String,
    },
    /// To its minimum.
    Clears {
        /// Which track.
        track: String,
    },
    /// To 0, or as near to it as it goes, whichever way it counts.
    ToZero {
        /// Which track.
        track: String,
    },
    /// This many points better.
    Gives {
        /// Which track.
        track: String,
        /// How many: `1d6`.
        amount: Formula,
    },
    /// This many points worse: `mark two boxes of Dying`.
    Marks {
        /// Which track.
        track: String,
        /// How many, at least 1.
        count: u32,
    },
    /// Along the dice chain, where the track holds the size of a die: `one step down`.
    Steps {
        /// Which track.
        track: String,
        /// The sizes, from the smallest.
        sizes: Vec<i64>,
        /// How many, below zero downwards.
        steps: i64,
    },
}

impl Rest {
    /// What changes by it, in a few words each.
    pub fn describe(&self) -> Vec<String> {
        self.effects.iter().chain(&self.shared).map(RestEffect::describe).collect()
    }
}

impl RestEffect {
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

    /// How many points an effect without dice gives; 0 for one that gives none.
    pub fn constant(&self) -> Option<i64> {
        match self {
            Self::Gives { amount, .. } => amount.bind(&mut |_| None).ok()?.constant(),
            Self::ToMax { .. }
            | Self::Clears { .. }
            | Self::ToZero { .. }
            | Self::Marks { .. }
            | Self::Steps { .. } => Some(0),
        }
    }

    /// The track, boxes or slots it is about, as they are declared.
    pub fn track(&self) -> &str {
        let (Self::ToMax { track }
        | Self::Clears { track }
        | Self::ToZero { track }
        | Self::Gives { track, .. }
        | Self::Marks { track, .. }
        | Self::Steps { track, .. }) = self;
        track
    }

    /// In a few words: "Stress clears".
    pub fn describe(&self) -> String {
        match self {
            Self::ToMax { track } => format!("{track} to maximum"),
            Self::Clears { track } => format!("{track} clears"),
            Self::ToZero { track } => format!("{track} to 0"),
            Self::Gives { track, amount } => format!("{track} +{amount}"),
            Self::Marks { track, count: 1 } => format!("one mark of {track}"),
            Self::Marks { track, count } => format!("{count} marks of {track}"),
            Self::Steps { track, steps, .. } => {
                let (way, many) = (if *steps < 0 { "down" } else { "up" }, steps.abs());
                format!("{track} {many} {} {way}", if many == 1 { "step" } else { "steps" })
            }
        }
    }
}
