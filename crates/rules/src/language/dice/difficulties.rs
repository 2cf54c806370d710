//! Words for difficulties: `- Difficulty Fair: 10`, `- Difficulty Hard: Hard success`, or a table with the columns Difficulty and Number.

use crate::grammar::line::ToReach;
use rollbook_text::diagnostic::{Place, Span};

/// "Hard" is 15: a word that a call may send as `difficulty` instead of the number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difficulty {
    /// As the author writes it.
    pub name: String,
    pub is: ToReach,
    pub place: Place,
    pub span: Span,
}

impl Difficulty {
    /// The number, unless it is a row.
    pub fn number(&self) -> Option<i64> {
        match self.is {
            ToReach::Number(number) => Some(number),
            ToReach::Row(_) => None,
        }
    }

    /// The row, unless it is a number.
    pub fn row(&self) -> Option<&str> {
        match &self.is {
            ToReach::Number(_) => None,
            ToReach::Row(row) => Some(row),
        }
    }
}
