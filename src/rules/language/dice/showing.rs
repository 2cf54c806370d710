//! Who sees a roll unless the call says otherwise.

use crate::diagnostic::Place;

/// How much of a roll players see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Showing {
    /// Everything.
    Public,
    /// Who, what and the outcome's label.
    OutcomeOnly,
    /// That a roll was made.
    Blind,
    /// Nothing.
    Gm,
}

/// Who sees what by default: the Visibility bullet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShowingPolicy {
    /// Rolls of player characters, their companions, and the GM's own.
    pub players: Showing,
    /// Rolls of everybody else.
    pub others: Showing,
    /// Where the file says so, when it does.
    pub place: Option<Place>,
}

impl Default for ShowingPolicy {
    fn default() -> Self {
        Self { players: Showing::Public, others: Showing::Gm, place: None }
    }
}

impl Showing {
    /// The word for it in a rules file.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::OutcomeOnly => "outcome only",
            Self::Blind => "blind",
            Self::Gm => "gm",
        }
    }
}
