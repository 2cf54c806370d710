//! What came of the playtests, one form a file.

mod human;
mod json;

pub use human::human;
pub use json::json;

use super::{Coverage, Played};
use rollbook_text::diagnostic::Sources;

/// What came of all of them, with the files to cite.
pub struct Report<'a> {
    /// Each playtest, in order.
    pub played: &'a [Played],
    /// The files they stand in.
    pub sources: &'a Sources,
    /// What of the rules they reach, where that is asked for.
    pub coverage: Option<&'a Coverage>,
}

impl Report<'_> {
    /// How many hold.
    pub fn passed(&self) -> usize {
        self.played.iter().filter(|one| one.failures.is_empty()).count()
    }

    /// How many do not.
    pub fn failed(&self) -> usize {
        self.played.len() - self.passed()
    }
}
