//! A place in a file with what there is to say about it, and the edit that would correct it.

use super::Span;

/// A place with what there is to say about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What; may be empty when the message says it all.
    pub text: String,
    /// Whether this is where the finding is, rather than a place that explains it.
    pub primary: bool,
}

/// An edit that corrects a finding: the text of `span` becomes `replacement`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What is replaced; an empty span inserts.
    pub span: Span,
    /// What comes in its place.
    pub replacement: String,
    /// What the edit does, as an order: "spell it `Roll`".
    pub message: String,
}

/// Whether a fix may be applied without asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applies {
    /// There is no other way to read it: `check --fix` makes the edit.
    Surely,
    /// Likely; only the author knows.
    Perhaps,
}
