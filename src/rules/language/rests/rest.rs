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
        count: u8,
    },
}

impl Rest {
    /// What changes by it, in a few words each.
    pub fn describe(&self) -> Vec<String> {
        self.effects.iter().chain(&self.shared).map(RestEffect::describe).collect()
    }
}

impl RestEffect {
    /// How many points an effect without dice gives; 0 for one that gives none.
    pub fn constant(&self) -> Option<i64> {
        match self {
            Self::Gives { amount, .. } => amount.bind(&mut |_| None).ok()?.constant(),
            Self::ToMax { .. } | Self::Clears { .. } | Self::Marks { .. } => Some(0),
        }
    }

    /// The track, boxes or slots it is about, as they are declared.
    pub fn track(&self) -> &str {
        let (Self::ToMax { track } | Self::Clears { track } | Self::Gives { track, .. } | Self::Marks { track, .. }) =
            self;
        track
    }

    /// In a few words: "Stress clears".
    pub fn describe(&self) -> String {
        match self {
            Self::ToMax { track } => format!("{track} to maximum"),
            Self::Clears { track } => format!("{track} clears"),
            Self::Gives { track, amount } => format!("{track} +{amount}"),
            Self::Marks { track, count: 1 } => format!("one mark of {track}"),
            Self::Marks { track, count } => format!("{count} marks of {track}"),
        }
    }
}
