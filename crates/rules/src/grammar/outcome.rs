//! How a check can end.

use std::fmt;

use serde::{Deserialize, Serialize};

use rollbook_text::names::fold;

/// How a check ended, in five words that all systems share. A better one compares greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Worse than failing.
    CriticalFailure,
    Failure,
    /// It worked at a price.
    PartialSuccess,
    Success,
    /// Better than hoped.
    CriticalSuccess,
}

impl Outcome {
    /// All of them, the best first.
    pub const ALL: [Self; 5] = [
        Self::CriticalSuccess,
        Self::Success,
        Self::PartialSuccess,
        Self::Failure,
        Self::CriticalFailure,
    ];

    /// In words: "critical success".
    pub fn as_str(self) -> &'static str {
        match self {
            Self::CriticalSuccess => "critical success",
            Self::Success => "success",
            Self::PartialSuccess => "partial success",
            Self::Failure => "failure",
            Self::CriticalFailure => "critical failure",
        }
    }

    /// The outcome with this name, folded.
    pub fn named(name: &str) -> Option<Self> {
        let name = fold(name);
        Self::ALL
            .into_iter()
            .find(|outcome| outcome.as_str() == name)
    }

    /// Whether it worked, even at a price.
    pub fn is_success(self) -> bool {
        self >= Self::PartialSuccess
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::Outcome;

    #[test]
    fn a_better_outcome_is_greater() {
        assert!(Outcome::ALL.is_sorted_by(|better, worse| better > worse));
    }

    #[test]
    fn names_are_folded_and_written_in_snake_case() {
        assert_eq!(
            Outcome::named("Critical-Success"),
            Some(Outcome::CriticalSuccess)
        );
        assert_eq!(Outcome::named("miss"), None);
        assert_eq!(
            serde_json::to_string(&Outcome::PartialSuccess).expect("json"),
            "\"partial_success\""
        );
    }
}
