//! Old sessions that were moved out of the database.

use serde::{Deserialize, Serialize};

/// The segment that holds them from here on. With its hash in the log, neither it nor any of its entries can be changed unseen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchivedEvent {
    /// Its first and its last entry.
    pub first: u64,
    pub last: u64,
    /// The chain value of the last one, as hex.
    pub chain: String,
    /// The file's name.
    pub file: String,
    pub bytes: u64,
    /// SHA-256 of the file, as hex.
    pub sha256: String,
}
