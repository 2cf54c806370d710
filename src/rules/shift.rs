//! Outcomes that the die itself makes better or worse.

use crate::diagnostic::Place;

/// A natural face that moves the outcome: `On natural 20: one step better`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shift {
    /// Lowest face that does.
    pub low: i64,
    /// Highest face that does.
    pub high: i64,
    /// Steps among the outcomes of the table; above zero is better.
    pub steps: i64,
    /// The author's words: "On natural 20: one step better".
    pub text: String,
    /// Where it stands.
    pub place: Place,
}

impl Shift {
    /// Whether this face moves the outcome.
    pub fn is_by(&self, natural: i64) -> bool {
        (self.low..=self.high).contains(&natural)
    }

    /// `19 to 20`, `19+`, `3 or less`.
    pub fn range(&self) -> String {
        match (self.low, self.high) {
            (low, i64::MAX) => format!("{low}+"),
            (i64::MIN, high) => format!("{high} or less"),
            (low, high) => format!("{low} to {high}"),
        }
    }
}
