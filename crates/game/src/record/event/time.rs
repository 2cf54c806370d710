//! Time that passed in the game.

use serde::{Deserialize, Serialize};

use super::EffectOn;

/// Time that passed, in seconds since the game began, and what had lasted its time. What players do not see ends in an entry of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeEvent {
    pub from: i64,
    pub to: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ended: Vec<EffectOn>,
}
