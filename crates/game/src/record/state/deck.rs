//! Decks that stay drawn from one roll to the next.

use serde::{Deserialize, Serialize};

/// A row of `decks`: what is out of one. A deck that is whole has none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deck {
    /// As the rules call it.
    pub name: String,
    /// The cards that are out, in the order in which they were drawn: `10H`, `J`, `7`.
    pub drawn: Vec<String>,
}
