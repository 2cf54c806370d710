//! Whether fights have turns.

use serde::{Deserialize, Serialize};

/// How a fight is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Structure {
    /// Combatants act in the order of initiative.
    TurnBased,
    /// Sides without turns.
    Narrative,
}

impl Structure {
    /// The word in rules, calls and replies. The log and its tables have serde's.
    pub const fn as_str(self) -> &'static str {
        match self {
            Structure::TurnBased => "turn-based",
            Structure::Narrative => "narrative",
        }
    }

    /// The other one.
    pub fn other(self) -> Structure {
        match self {
            Structure::TurnBased => Structure::Narrative,
            Structure::Narrative => Structure::TurnBased,
        }
    }
}
