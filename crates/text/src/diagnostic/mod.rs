//! A finding for an author: what is wrong, where, why and what to write instead.
//!
//! A [`Diagnostic`] is data. How it looks is the business of one renderer a file in [`render`], so that a terminal, an
//! editor and a test see the same facts. Places are bytes inside ([`Span`]) and line and column at the edge ([`Place`]).

mod edit;
mod label;
mod place;
pub mod render;
mod severity;
mod source;
mod span;

pub use edit::edited;
pub use label::{Applies, Fix, Label};
pub use place::Place;
pub use severity::Severity;
pub use source::{SourceFile, Sources};
pub use span::{FileId, Span};

/// One thing an author should know about their files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable name of the kind of finding, by area: `skills/unknown-attribute`.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// One sentence without a full stop: what is wrong, in the author's words.
    pub message: String,
    /// Where, with what there is to say about each place. The primary one comes first; none for a finding about no place.
    pub labels: Vec<Label>,
    /// What the reader made of it, or why it matters.
    pub notes: Vec<String>,
    /// What to write instead.
    pub help: Vec<String>,
    /// An edit that corrects it.
    pub fix: Option<Fix>,
    /// Whether the edit may be made without asking.
    pub applies: Applies,
}

impl Diagnostic {
    /// A finding that makes part of the rules unusable.
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Error, message)
    }

    /// A finding that probably is not what the author meant.
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Warning, message)
    }

    /// A finding that the author may want to know.
    pub fn note(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Note, message)
    }

    fn new(code: &'static str, severity: Severity, message: impl Into<String>) -> Self {
        Self {
            code,
            severity,
            message: message.into(),
            labels: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
            fix: None,
            applies: Applies::Surely,
        }
    }

    /// Adds the place it is about.
    #[must_use]
    pub fn at(mut self, span: Span, text: impl Into<String>) -> Self {
        let label = Label { span, text: text.into(), primary: true };
        let primaries = self.labels.iter().filter(|label| label.primary).count();
        self.labels.insert(primaries, label);
        self
    }

    /// Adds a place that helps to understand the first.
    #[must_use]
    pub fn and(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into(), primary: false });
        self
    }

    /// Adds an explanation.
    #[must_use]
    pub fn because(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Adds advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// Adds the edit that corrects it, the only one there is: a program may make it.
    #[must_use]
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fix = Some(fix);
        self
    }

    /// Adds an edit that may be the one: it is shown, and the author makes it.
    #[must_use]
    pub fn perhaps(mut self, fix: Fix) -> Self {
        self.applies = Applies::Perhaps;
        self.fix(fix)
    }

    /// The edit that a program may make without asking.
    pub fn sure_fix(&self) -> Option<&Fix> {
        self.fix.as_ref().filter(|_| self.applies == Applies::Surely)
    }

    /// Where it is, when it is anywhere.
    pub fn span(&self) -> Option<Span> {
        self.labels.first().map(|label| label.span)
    }
}
