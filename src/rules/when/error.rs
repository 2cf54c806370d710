//! Why a *When* cell cannot be read.

use std::ops::Range;

/// Why a *When* cell cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WhenError {
    /// The bytes of the cell's words that are meant.
    pub at: Range<usize>,
    /// What is wrong, without a full stop.
    pub message: String,
    /// What to write instead, when that is known.
    pub help: Option<String>,
}

impl WhenError {
    pub(super) fn new(at: Range<usize>, message: impl Into<String>) -> Self {
        Self { at, message: message.into(), help: None }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}
