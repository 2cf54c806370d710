//! Who sees a roll unless the call says otherwise.

use crate::diagnostic::Place;
use crate::rules::grammar::line::Showing;

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
