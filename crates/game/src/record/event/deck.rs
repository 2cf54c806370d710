//! What happened to a deck that stays drawn.

use serde::{Deserialize, Serialize};

/// A deck that was shuffled by hand: all of its cards are in it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeckEvent {
    pub name: String,
}
