//! What happens when a track reaches an end.

use crate::diagnostic::{Place, Span};
use crate::dice::Formula;
use crate::names::same;
use crate::rules::language::rests::RestEffect;

/// What happens when damage or a track reaches something. It fires once per crossing.
#[derive(Debug, Clone, PartialEq)]
pub struct Trigger {
    /// When.
    pub when: TriggerWhen,
    /// The conditions it brings, as the author names them; may be empty when the text names none.
    pub conditions: Vec<String>,
    /// What comes instead to somebody who has a condition already.
    pub also: Vec<AlsoWith>,
    /// What becomes of tracks.
    pub effects: Vec<RestEffect>,
    /// The author's words.
    pub text: String,
    /// The random tables that the words tell to roll on, as a call names them; known once every page of the adventure is.
    pub tables: Vec<String>,
    /// Where it stands.
    pub place: Place,
    /// Where it stands, in bytes.
    pub span: Span,
}

impl Trigger {
    /// Whether it moves a track of this name.
    pub fn moves(&self, track: &str) -> bool {
        self.effects.iter().any(|effect| same(effect.track(), track))
    }
}

/// `with a major wound, dying`: what a trigger brings to somebody who has a condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlsoWith {
    /// The condition that they have, as the author names it.
    pub condition: String,
    /// The conditions that come too.
    pub conditions: Vec<String>,
}

/// A part of a maximum: half, three quarters, 40 %.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// How many of them; 1 or more, and less than `by`.
    pub of: i64,
    /// What the maximum is divided by; 2 to 100.
    pub by: i64,
}

impl Part {
    /// Whether so much of a maximum is this part or more; `beyond` where the part itself is not enough.
    pub fn is_reached(self, value: i64, max: i64, beyond: bool) -> bool {
        let (value, part) = (value.saturating_mul(self.by), max.saturating_mul(self.of));
        if beyond { value > part } else { value >= part }
    }

    /// "half", "a third of", "3/4 of"
    pub fn describe(self) -> String {
        match (self.of, self.by) {
            (1, 2) => "half".to_owned(),
            (1, 3) => "a third of".to_owned(),
            (1, 4) => "a quarter of".to_owned(),
            (of, 100) => format!("{of} % of"),
            (of, by) => format!("{of}/{by} of"),
        }
    }
}

/// When a trigger fires. The track is named as it is declared.
#[derive(Debug, Clone, PartialEq)]
pub enum TriggerWhen {
    /// The track reaches 0.
    AtZero {
        /// Which track.
        track: String,
    },
    /// The track passes this value on its way to worse.
    AtValue {
        /// Which track.
        track: String,
        /// The value.
        value: i64,
    },
    /// The track passes a part of its maximum on its way to worse: half, a third, a quarter.
    AtPart {
        /// Which track.
        track: String,
        /// Which part.
        part: Part,
    },
    /// So many of these are at 0: of what a chain of damage takes, or of the tracks that the author names.
    ManyAtZero {
        /// How many; 1 or more.
        many: usize,
        /// Of which.
        of: Vec<String>,
    },
    /// The track rises from 0: somebody is healed, or rests.
    AboveZero {
        /// Which track.
        track: String,
    },
    /// A single hit that reaches somebody is at least so hard.
    OneHitOf {
        /// How hard: a number, or what stands on the sheet.
        least: Formula,
    },
    /// A hit finds no box, slot or layer that takes it.
    Unsoaked,
    /// The track reaches its maximum.
    Full {
        /// Which track.
        track: String,
    },
    /// A single hit takes such a part of the maximum or more.
    OneHitOfPart {
        /// Which track.
        track: String,
        /// Which part.
        part: Part,
        /// The part itself is not enough.
        more: bool,
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
    /// The track it watches; empty when it watches none.
    pub fn track(&self) -> &str {
        match self {
            Self::Unsoaked | Self::ManyAtZero { .. } | Self::OneHitOf { .. } => "",
            Self::AtValue { track, .. }
            | Self::AtPart { track, .. }
            | Self::AtZero { track }
            | Self::AboveZero { track }
            | Self::Full { track }
            | Self::OneHitOfPart { track, .. }
            | Self::OneHitOfMax { track }
            | Self::LeftOverOfMax { track } => track,
        }
    }

    /// In a few words: "Hit points at 0".
    pub fn describe(&self) -> String {
        match self {
            Self::AtZero { track } => format!("{track} at 0"),
            Self::AboveZero { track } => format!("{track} above 0"),
            Self::OneHitOf { least } => format!("{least} in one hit"),
            Self::AtValue { track, value } => format!("{track} at {value}"),
            Self::AtPart { track, part } => format!("{track} at {} the maximum", part.describe()),
            Self::ManyAtZero { many, of } if *many == of.len() => format!("{} at 0", of.join(" and ")),
            Self::ManyAtZero { many: 1, of } => format!("{} at 0", of.join(" or ")),
            Self::ManyAtZero { many, of } => format!("{many} of {} at 0", of.join(", ")),
            Self::Unsoaked => "a hit that nothing soaks".to_owned(),
            Self::Full { track } => format!("{track} full"),
            Self::OneHitOfPart { track, part, more } => {
                let more = if *more { "more than " } else { "" };
                format!("{track}, {more}{} the maximum in one hit", part.describe())
            }
            Self::OneHitOfMax { track } => format!("{track}, the maximum in one hit"),
            Self::LeftOverOfMax { track } => format!("{track}, the maximum left over"),
        }
    }
}
