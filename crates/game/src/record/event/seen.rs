//! What players had seen at a moment, in one hash.

use serde::{Deserialize, Serialize};

/// The head of the second chain, over what players see alone (`store::chain`), before the entry that names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// How many entries players see.
    pub n: u64,
    /// 32 bytes as hex.
    pub chain: String,
}
