//! A campaign: a game being played with an adventure.

use serde::{Deserialize, Serialize};

/// The row of `campaigns`. Its UUID is hashed into every entry, so a chain cannot be moved to another campaign.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Campaign {
    pub uuid: String,
    pub name: String,
    /// The adventure's folder name, not its path.
    pub adventure: String,
    /// SHA-256 of the rules in force, as hex; empty before they were first loaded.
    pub rules_hash: String,
    /// Microseconds since 1970-01-01T00:00:00Z.
    pub created_at: i64,
}
