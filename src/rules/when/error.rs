//! Why a *When* cell cannot be read.

use std::ops::Range;

/// A cell that is read, in the place of one that is not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instead {
    /// The cell's words as they can be read.
    pub words: String,
    /// Whether nothing else can be meant.
    pub sure: bool,
}

/// Why a *When* cell cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WhenError {
    /// The bytes of the cell's words that are meant.
    pub at: Range<usize>,
    /// What is wrong, without a full stop.
    pub message: String,
    /// What to write instead, when that is known.
    pub help: Option<String>,
    /// The cell in words that are read, where it can be told what is meant.
    pub instead: Option<Instead>,
}

impl WhenError {
    pub(super) fn new(at: Range<usize>, message: impl Into<String>) -> Self {
        Self { at, message: message.into(), help: None, instead: None }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}
