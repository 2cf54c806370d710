//! Errors of attempts.

use thiserror::Error;

use rollbook_dice::DiceError;

/// Why a check cannot be attempted. Nothing was rolled.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AttemptError {
    /// These names have no value; each once, in the order of the check.
    #[error("there is no value for {}", .0.join(", "))]
    Missing(Vec<String>),
    /// No dice or fewer, and the check has no roll for that.
    #[error("{roll} comes to {count} dice")]
    TooFewDice {
        /// How many dice the first term asks for.
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
