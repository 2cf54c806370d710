//! A call that was taken back.

use serde::{Deserialize, Serialize};

/// A call that was taken back, or done again after it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UndoneEvent {
    /// The first entry whose changes are taken back.
    pub entry: u64,
    /// The last of them.
    pub last: u64,
    /// What had happened, in the sentences of those entries; of many the first.
    pub told: Vec<String>,
    /// The same as players heard it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seen: Vec<String>,
    /// Nothing of it was secret from players.
    pub open: bool,
    /// What is taken back is an undo itself, so what it had taken back is so again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub again: bool,
}
