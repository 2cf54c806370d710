//! A finding for an author: what is wrong, where, why and what to write instead.
//!
//! A [`Diagnostic`] is data. How it looks is the business of one renderer a file in [`render`], so
//! that a terminal, an editor and a test see the same facts. Places are bytes inside ([`Span`]) and
//! line and column at the edge ([`Place`]).

mod edit;
pub mod render;
mod source;

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

pub use edit::edited;
pub use source::{SourceFile, Sources};

/// One thing an author should know about their files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable name of the kind of finding, by area: `skills/unknown-attribute`.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// One sentence without a full stop: what is wrong, in the author's words.
    pub message: String,
    /// Where, with what there is to say about each place. The primary one comes first; none for a
    /// finding about no place.
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
        let label = Label {
            span,
            text: text.into(),
            primary: true,
        };
        let primaries = self.labels.iter().filter(|label| label.primary).count();
        self.labels.insert(primaries, label);
        self
    }

    /// Adds a place that helps to understand the first.
    #[must_use]
    pub fn and(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label {
            span,
            text: text.into(),
            primary: false,
        });
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
        self.fix
            .as_ref()
            .filter(|_| self.applies == Applies::Surely)
    }

    /// Where it is, when it is anywhere.
    pub fn span(&self) -> Option<Span> {
        self.labels.first().map(|label| label.span)
    }
}

/// How bad a finding is; a worse one compares greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Probably not what was meant.
    Warning,
    /// Part of the rules cannot be used.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

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

/// Which of the files read, counted from 0 in the order in which they were given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FileId(pub u32);

/// A stretch of bytes, `start..end`, in one file. Both ends lie on character boundaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// Which file.
    pub file: FileId,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// A stretch of a file; an end before the start is read as empty.
    pub fn new(file: FileId, bytes: Range<usize>) -> Self {
        Self {
            file,
            start: bytes.start,
            end: bytes.end.max(bytes.start),
        }
    }

    /// The bytes.
    pub fn bytes(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Whether the other one begins in it.
    pub fn holds(&self, other: Self) -> bool {
        self.file == other.file && self.bytes().contains(&other.start)
    }

    /// The stretch from the beginning of the one to the end of the other; the first alone when they
    /// are in two files.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        if self.file != other.file {
            return self;
        }
        Self {
            file: self.file,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

/// Where something is, as a person says it: `System.md:31`. Replies, refusals and log entries cite
/// it, so it must make sense after the file has changed: it holds no bytes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Place {
    /// Name of the file as the adventure's folder has it: `System.md`, `System/combat.md`.
    pub file: String,
    /// Line, from 1; 0 of what is in no file.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl Place {
    /// With the column, as editors take it: `System.md:31:5`.
    pub fn full(&self) -> String {
        format!("{}:{}:{}", self.file, self.line, self.column)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.file),
            line => write!(f, "{}:{line}", self.file),
        }
    }
}
