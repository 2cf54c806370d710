//! What an author is told.

use crate::diagnostic::Span;
use crate::rules::section::SectionKind;

/// What an author is told of a line.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    pub span: Span,
    pub kind: FindingKind,
}

#[derive(Debug, Clone, PartialEq)]
pub enum FindingKind {
    /// A rule that is not understood to its last word, what may stand where it is not, and the declared name that is nearly what stands there.
    NotUnderstood { word: String, expected: Vec<String>, near: Option<String> },
    /// A name or a rule that is given once, and where it is given before.
    GivenTwice { name: String, first: Span },
    /// What looks like a rule and is none, and what may have been meant.
    NotARule { label: String, near: Vec<String>, known_in: Vec<SectionKind> },
    /// A table of outcomes where no check is.
    OutsideChecks,
    /// A name that could not be told from others.
    Name { name: String, why: &'static str },
    /// Words for people that would be a rule where they stand.
    ReadsAsRule { words: String },
}
