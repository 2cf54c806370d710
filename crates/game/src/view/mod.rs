//! What the GM and players see: visibility, sentences, sheets, snapshots.

pub mod bodies;
pub mod narrate;
pub mod recap;
pub mod secret_clocks;
pub mod secrets;
pub mod seen;
pub mod sheet;
pub mod snapshot;
pub mod visibility;
pub mod words;

use serde::{Deserialize, Serialize};

/// The audience; set by the server's or the command's configuration, never by a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    Gm,
    #[default]
    Player,
}

impl Audience {
    /// `gm` or `player`.
    pub fn as_str(self) -> &'static str {
        match self {
            Audience::Gm => "gm",
            Audience::Player => "player",
        }
    }
}

/// The field of an entry that has the ticks of hidden checks.
pub const HIDDEN_TICKS: &str = "hidden ticks";

/// Fields of a sheet of which players hear nothing.
pub const OF_GM: [&str; 2] = ["gm_notes", HIDDEN_TICKS];
