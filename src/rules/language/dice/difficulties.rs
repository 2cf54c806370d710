//! Words for difficulties: `- Difficulty Fair: 10`, `- Difficulty Hard: Hard success`, or a table with the columns Difficulty and Number.

use std::fmt;

use crate::diagnostic::Place;

/// "Hard" is 15: what a call may send as `difficulty` in the place of the number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difficulty {
    /// As the author writes it.
    pub name: String,
    /// What must be reached.
    pub is: ToReach,
    /// Where it stands.
    pub place: Place,
}

/// What a difficulty asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToReach {
    /// A number.
    Number(i64),
    /// A row of the check's table, by its label: a success in a row below it counts as the table's failure.
    Row(String),
}

impl Difficulty {
    /// The number; none where a row is to be reached.
    pub fn number(&self) -> Option<i64> {
        match self.is {
            ToReach::Number(number) => Some(number),
            ToReach::Row(_) => None,
        }
    }
}

impl fmt::Display for ToReach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Row(row) => write!(f, "is the row {row}"),
        }
    }
}
