//! Whether fights have turns.

use serde::{Deserialize, Serialize};

/// How one fight goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Structure {
    /// Everybody acts in the order of initiative.
    TurnBased,
    /// Sides without an order: nobody waits for a turn.
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
