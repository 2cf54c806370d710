//! What happens when a track reaches an end.

use crate::diagnostic::{Place, Span};

/// What happens when damage or a track reaches something. It fires once per crossing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trigger {
    /// When.
    pub when: TriggerWhen,
    /// The conditions it brings, as the author names them; may be empty when the text names none.
    pub conditions: Vec<String>,
    /// The author's words.
    pub text: String,
    /// Where it stands.
    pub place: Place,
    /// Where it stands, in bytes.
    pub span: Span,
}

/// When a trigger fires. The track is named as it is declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TriggerWhen {
    /// The track reaches 0.
    AtZero {
        /// Which track.
        track: String,
    },
    /// The track reaches its maximum.
    Full {
        /// Which track.
        track: String,
    },
    /// A single hit takes half the maximum or more.
    OneHitOfHalfMax {
        /// Which track.
        track: String,
    },
    /// A single hit takes the maximum or more.
    OneHitOfMax {
        /// Which track.
        track: String,
    },
    /// What is left of a hit after the track is empty is the maximum or more.
    LeftOverOfMax {
        /// Which track.
        track: String,
    },
}

impl TriggerWhen {
    /// The track it watches.
    pub fn track(&self) -> &str {
        match self {
            Self::AtZero { track }
            | Self::Full { track }
            | Self::OneHitOfHalfMax { track }
            | Self::OneHitOfMax { track }
            | Self::LeftOverOfMax { track } => track,
        }
    }

    /// In a few words: "Hit points at 0".
    pub fn describe(&self) -> String {
        match self {
            Self::AtZero { track } => format!("{track} at 0"),
            Self::Full { track } => format!("{track} full"),
            Self::OneHitOfHalfMax { track } => format!("{track}, half the maximum in one hit"),
            Self::OneHitOfMax { track } => format!("{track}, the maximum in one hit"),
            Self::LeftOverOfMax { track } => format!("{track}, the maximum left over"),
        }
    }
}
