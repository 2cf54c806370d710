//! Words for difficulties: `- Difficulty Fair: 10`, or a table with the columns Difficulty and Number.

use crate::diagnostic::Place;

/// "Hard" is 15: what a call may send as `difficulty` in the place of the number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difficulty {
    /// As the author writes it.
    pub name: String,
    /// What must be reached.
    pub number: i64,
    /// Where it stands.
    pub place: Place,
}
