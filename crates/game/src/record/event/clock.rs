//! What happened to a clock or a shared track.

use serde::{Deserialize, Serialize};

/// A clock or shared track that was made, moved, shown, hidden or closed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockEvent {
    pub name: String,
    pub act: ClockAct,
    /// Its value before; of one that is made, its first.
    pub from: i64,
    pub to: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<i64>,
    /// "full" or "empty", where it came to its bad end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
    /// The texts of the triggers that fired; the GM's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub triggers: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The entry whose roll decided how far it moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roll: Option<u64>,
}

/// What happened to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClockAct {
    Made,
    Moved,
    /// Back where it was, since the roll that moved it was followed.
    TakenBack,
    /// Visible to players from now on.
    Revealed,
    Hidden,
    Closed,
}
