//! Parts of rules and assumptions with their places.

use super::ledger::Ledger;
use crate::grammar::file::Rule;
use rollbook_text::diagnostic::{Place, Span};

/// Something that the file leaves open, and what the program assumes.
///
/// The summary lists these, so that authors see each default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assumption {
    /// One sentence: what is assumed, and what to write instead.
    pub text: String,
    /// The line that led to it, if any.
    pub place: Option<Place>,
}

/// A part of a rule with its line.
#[derive(Debug, Clone, PartialEq)]
pub struct Clause<T> {
    pub what: T,
    pub place: Place,
}

/// A bullet of the rules: its label, and what follows the colon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bullet {
    /// Such as "Again Push".
    pub label: String,
    /// The value as written.
    pub text: String,
    /// The same without words for people.
    pub is: String,
    pub place: Place,
    pub span: Span,
}

impl Bullet {
    /// The bullet of a line that was read.
    pub(crate) fn new(rule: &Rule, ledger: &Ledger<'_>) -> Bullet {
        let words = [rule.value.as_str(), &rule.value.without_emphasis()];
        let [text, is] = words.map(|words| words.trim().trim_end_matches('.').to_owned());
        Bullet {
            label: rule.label.clone(),
            text,
            is,
            place: ledger.place(rule.span),
            span: rule.span,
        }
    }
}
