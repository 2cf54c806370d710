//! A call that was taken back.

use serde::{Deserialize, Serialize};

/// A call that was undone, or redone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UndoneEvent {
    /// The first entry of the call.
    pub entry: u64,
    /// The last entry of the call.
    pub last: u64,
    /// The sentences of those entries, the first few.
    pub told: Vec<String>,
    /// The same as players saw them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seen: Vec<String>,
    /// All of it was public.
    pub open: bool,
    /// The undone call is an undo itself, so its call is redone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub again: bool,
}
