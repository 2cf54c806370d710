//! What the author wrote, or the program took for granted, with its place.

use super::ledger::Ledger;
use crate::grammar::file::Rule;
use rollbook_text::diagnostic::{Place, Span};

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

/// A bullet of the rules: its label, and what stands behind the colon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bullet {
    /// Such as "Again Push".
    pub label: String,
    /// As it is written.
    pub text: String,
    /// The same without words for people.
    pub is: String,
    pub place: Place,
    pub span: Span,
}

impl Bullet {
    /// That of a line that was read.
    pub fn of(rule: &Rule, ledger: &Ledger<'_>) -> Bullet {
        let words = [rule.value.as_str(), &rule.value.without_emphasis()];
        let [text, is] = words.map(|own| own.trim().trim_end_matches('.').to_owned());
        Bullet { label: rule.label.clone(), text, is, place: ledger.place(rule.span), span: rule.span }
    }
}
