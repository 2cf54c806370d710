//! What is taken off damage before it reaches a track.

use crate::diagnostic::Place;
use crate::dice::Formula;

/// One step between the damage that is dealt and the damage that is taken. The system's list is in the order of application.
#[derive(Debug, Clone, PartialEq)]
pub struct Mitigation {
    /// Name as the author writes it: "Resistance". A character's sheet says to which damage types it applies, or how much it is.
    pub name: String,
    /// What it does.
    pub kind: MitigationKind,
    /// Where it stands.
    pub place: Place,
}

/// What a step does to damage.
#[derive(Debug, Clone, PartialEq)]
pub enum MitigationKind {
    /// The character's number is taken off; never below zero.
    Subtract,
    /// Half of it is left.
    Half {
        /// Whether an odd number is rounded up; else down.
        up: bool,
    },
    /// It is doubled.
    Double,
    /// Nothing is left.
    Nothing,
    /// Damage below this number does nothing; none: below the character's number.
    Threshold(Option<Formula>),
}

/// Points in front of a track that damage takes first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layer {
    /// Name as the author writes it: "Temporary hit points".
    pub name: String,
    /// The track that they stand before, as it is declared; none when the file declares no track of that name.
    pub track: Option<String>,
    /// Whether the larger of two grants is kept; else they are added.
    pub keeps_larger: bool,
    /// The author's words.
    pub text: String,
    /// Where it stands.
    pub place: Place,
}

impl MitigationKind {
    /// In a few words: "half, rounded down".
    pub fn describe(&self) -> String {
        match self {
            Self::Subtract => "subtracted from damage".to_owned(),
            Self::Half { up: false } => "half, rounded down".to_owned(),
            Self::Half { up: true } => "half, rounded up".to_owned(),
            Self::Double => "double".to_owned(),
            Self::Nothing => "no damage".to_owned(),
            Self::Threshold(Some(below)) => format!("less than {below} does nothing"),
            Self::Threshold(None) => "less than the character's own does nothing".to_owned(),
        }
    }
}
