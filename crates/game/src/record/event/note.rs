//! What the GM wrote down for the story.

use serde::{Deserialize, Serialize};

use crate::record::state::NoteKind;

/// A note, and the thread that it closes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoteEvent {
    pub note: NoteKind,
    pub text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closes: Option<ClosedThread>,
}

/// A thread that a note closes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClosedThread {
    /// The entry that opened it.
    pub entry: i64,
    pub text: String,
    /// Players do not know it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
}
