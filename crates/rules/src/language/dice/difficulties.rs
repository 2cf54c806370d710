//! Words for difficulties: `- Difficulty Fair: 10`, `- Difficulty Hard: Hard success`, or a table with the columns Difficulty and Number.

use crate::grammar::line::ToReach;
use rollbook_text::diagnostic::{Place, Span};

/// "Hard" is 15: what a call may send as `difficulty` in the place of the number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difficulty {
    /// As the author writes it.
    pub name: String,
    /// What must be reached.
    pub is: ToReach,
    /// Where it stands.
    pub place: Place,
    pub span: Span,
}

impl Difficulty {
    /// The number; none where a row is to be reached.
    pub fn number(&self) -> Option<i64> {
        match self.is {
            ToReach::Number(number) => Some(number),
            ToReach::Row(_) => None,
        }
    }

    /// The row; none where a number is to be reached.
    pub fn row(&self) -> Option<&str> {
        match &self.is {
            ToReach::Number(_) => None,
            ToReach::Row(row) => Some(row),
        }
    }
}
