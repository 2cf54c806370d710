//! What a row says of tracks, and who may make a check.

use crate::diagnostic::Place;

/// The text of a row without one of its columns, `Alarm: +1`. A column that stands alone is there without its header.
pub fn without_column(row_text: Option<String>, column: &str) -> Option<String> {
    let cell = column.split_once(": ").map_or(column, |(_, cell)| cell);
    let text = row_text?;
    let left: Vec<&str> = text.lines().filter(|line| *line != column && *line != cell).collect();
    (!left.is_empty()).then(|| left.join("\n"))
}

/// `While: {Dying}`: a check that nobody else may make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct While {
    /// What must be so.
    pub of: Vec<Need>,
    /// Whether all of it must be so; else one is enough.
    pub all: bool,
    /// The author's words.
    pub text: String,
    /// Where it stands.
    pub place: Place,
}

/// Something that is so of somebody, or is not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Need {
    /// A condition.
    Condition(String),
    /// A track, boxes or slots between these, both included.
    Track {
        /// Which.
        name: String,
        /// The least.
        low: i64,
        /// The most.
        high: i64,
    },
}
