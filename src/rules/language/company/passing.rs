//! What the game's time moves.

use crate::diagnostic::{Place, Span};
use crate::rules::language::checks::RowMove;
use crate::rules::language::time_words::span_words;

/// What is moved each time that so much of the game's time is full.
#[derive(Debug, Clone, PartialEq)]
pub struct Passing {
    /// Seconds.
    pub every: i64,
    /// What moves, and how.
    pub moves: Vec<RowMove>,
    /// Where it stands.
    pub place: Place,
    /// Where it stands, in bytes.
    pub span: Span,
}

impl Passing {
    /// "each hour", "each 10 minutes".
    pub fn when(&self) -> String {
        let words = span_words(self.every);
        format!("each {}", words.strip_prefix("1 ").filter(|rest| !rest.contains(' ')).unwrap_or(&words))
    }

    /// What moves, in a few words.
    pub fn describe(&self) -> String {
        self.moves.iter().map(RowMove::describe).collect::<Vec<_>>().join(", ")
    }
}
