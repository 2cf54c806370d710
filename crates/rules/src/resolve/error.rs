//! Why a check cannot be attempted.

use thiserror::Error;

use rollbook_dice::DiceError;

/// Why a check cannot be attempted. Nothing has been rolled.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AttemptError {
    /// Nothing says what these names are; each once, in the order of the check.
    #[error("there is no value for {}", .0.join(", "))]
    Missing(Vec<String>),
    /// Fewer dice than none, and the check has no roll for that.
    #[error("{roll} comes to {count} dice")]
    TooFewDice {
        /// How many the first term asks for.
        count: i64,
        /// The author's roll.
        roll: String,
    },
    /// A target must be a number.
    #[error("the target has dice in it: {0}")]
    DiceInTarget(String),
    /// With these values it cannot be rolled.
    #[error(transparent)]
    Dice(#[from] DiceError),
}
