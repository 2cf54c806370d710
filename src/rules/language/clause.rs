//! What the author wrote, or the program took for granted, with its place.

use crate::diagnostic::Place;

/// Something that the file does not say in so many words, and what the program made of it.
///
/// Authors read these in the summary: a default that nobody notices is a rule that nobody wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assumption {
    /// One sentence: what is assumed, and what to write to have it otherwise.
    pub text: String,
    /// The line that led to it, when one did.
    pub place: Option<Place>,
}

/// A part of a rule with the line it stands in.
#[derive(Debug, Clone, PartialEq)]
pub struct Clause<T> {
    pub what: T,
    pub place: Place,
}
