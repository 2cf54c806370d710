//! Findings, assumptions and expressions that the readers collect.

use std::collections::HashSet;

use super::clause::Assumption;
use crate::codes;
use crate::document::Text;
use crate::limits::Limits;
use rollbook_dice::Formula;
use rollbook_text::diagnostic::{Diagnostic, Place, Sources, Span};

/// Findings, assumptions and expressions that the readers collect beside the system.
pub struct Ledger<'a> {
    /// The files, for places.
    pub sources: &'a Sources,
    pub limits: &'a Limits,
    pub diagnostics: Vec<Diagnostic>,
    pub assumptions: Vec<Assumption>,
    /// Every expression read, with its place.
    pub written: Vec<Written>,
    /// Names that have a number only in checks, folded.
    pub check_only_names: HashSet<String>,
}

/// An expression with its text.
#[derive(Debug, Clone)]
pub struct Written {
    pub formula: Formula,
    /// The author's words, or the notation made of them, so that findings can point at a variable.
    pub text: Text,
    /// Which names it may use.
    pub scope: Scope,
}

/// Which names an expression may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// In a check: the character's names, the call's, and the check's values.
    Check,
    /// Elsewhere: the character's names; in a check's rows also its values.
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
            check_only_names: HashSet::new(),
        }
    }

    /// Where a span begins.
    pub fn place(&self, span: Span) -> Place {
        self.sources.place(span)
    }

    /// Adds a finding.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Adds an assumption.
    pub fn assume(&mut self, text: impl Into<String>, place: Option<Place>) {
        self.assumptions.push(Assumption {
            text: text.into(),
            place,
        });
    }

    /// Whether a list of this length may have one more item. Reports the first item too many.
    pub fn has_room(&mut self, length: usize, kind: &str, span: Span) -> bool {
        if length < self.limits.items {
            return true;
        }
        let reported = |found: &Diagnostic| {
            found.code == codes::TOO_MANY_ITEMS && found.message.contains(kind)
        };
        if !self.diagnostics.iter().any(reported) {
            let message = format!(
                "more than {} {kind}; this one and those after it are not read",
                self.limits.items
            );
            self.report(
                Diagnostic::error(codes::TOO_MANY_ITEMS, message)
                    .at(span, "the limit is reached here"),
            );
        }
        false
    }

    /// Warns about text that looks like a rule and is not read as one.
    pub fn overlooked(&mut self, span: Span, why: &str, help: impl Into<String>) {
        let message = "this looks like a rule, and is not read as one";
        self.report(
            Diagnostic::warning(codes::LOOKS_LIKE_A_RULE, message)
                .at(span, why)
                .help(help),
        );
    }
}
