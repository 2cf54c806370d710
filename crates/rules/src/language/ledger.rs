//! What the readers write down beside the system.

use std::collections::HashSet;

use super::clause::Assumption;
use crate::codes;
use crate::document::Text;
use crate::limits::Limits;
use rollbook_dice::Formula;
use rollbook_text::diagnostic::{Diagnostic, Place, Sources, Span};

/// What the readers write down beside the system: findings, assumptions, and where each expression stands.
pub struct Ledger<'a> {
    /// The files, to cite them.
    pub sources: &'a Sources,
    /// How much is read.
    pub limits: &'a Limits,
    /// What was found wrong.
    pub diagnostics: Vec<Diagnostic>,
    /// What was taken for granted.
    pub assumptions: Vec<Assumption>,
    /// Every expression read, with its place.
    pub written: Vec<Written>,
    /// Names that have a number in checks alone, folded.
    pub only_called: HashSet<String>,
}

/// An expression with the place where it is written.
#[derive(Debug, Clone)]
pub struct Written {
    pub formula: Formula,
    /// The author's words: in notation, so that a variable's bytes can be pointed at, or in plain words.
    pub text: Text,
    /// Which names mean something in it.
    pub scope: Scope,
}

/// Which names mean something in an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// In a check: the character's names, those of the call, and whatever `values` brings.
    Check,
    /// Elsewhere: the character's names, and of a check's rows its values.
    Sheet,
    /// In an attribute's Modifier: the score.
    Score,
}

impl<'a> Ledger<'a> {
    /// An empty ledger.
    pub fn new(sources: &'a Sources, limits: &'a Limits) -> Self {
        Self {
            sources,
            limits,
            diagnostics: Vec::new(),
            assumptions: Vec::new(),
            written: Vec::new(),
            only_called: HashSet::new(),
        }
    }

    /// Where a stretch begins.
    pub fn place(&self, span: Span) -> Place {
        self.sources.place(span)
    }

    /// Notes a finding.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Notes something taken for granted.
    pub fn assume(&mut self, text: impl Into<String>, place: Option<Place>) {
        self.assumptions.push(Assumption { text: text.into(), place });
    }

    /// Whether a list that has this many items may have one more; the first that may not is reported.
    pub fn has_room(&mut self, length: usize, kind: &str, span: Span) -> bool {
        if length < self.limits.items {
            return true;
        }
        let reported = |found: &Diagnostic| found.code == codes::TOO_MANY_ITEMS && found.message.contains(kind);
        if !self.diagnostics.iter().any(reported) {
            let message = format!("more than {} {kind}; this one and those after it are not read", self.limits.items);
            self.report(Diagnostic::error(codes::TOO_MANY_ITEMS, message).at(span, "the limit is reached here"));
        }
        false
    }

    /// Tells of something that looks like a rule and is not read as one.
    pub fn overlooked(&mut self, span: Span, why: &str, help: impl Into<String>) {
        let message = "this looks like a rule, and is not read as one";
        self.report(Diagnostic::warning(codes::LOOKS_LIKE_A_RULE, message).at(span, why).help(help));
    }
}
