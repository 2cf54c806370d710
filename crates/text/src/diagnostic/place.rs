//! Where something is, as a person says it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Where something is, as a person says it: `System.md:31`.
///
/// Replies, refusals and log entries cite it, so it must still make sense after the file has changed; that is why it
/// holds a name and numbers, not bytes.
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
