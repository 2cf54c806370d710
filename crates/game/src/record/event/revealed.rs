//! A hidden entry that the GM opened.

use serde::{Deserialize, Serialize};

use crate::record::entry::Entry;

/// What was hidden, as it was sealed: whoever has the commitment of that entry can see that nothing of it was changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RevealedEvent {
    /// Its number.
    pub entry: u64,
    /// 32 bytes as hex.
    pub salt: String,
    /// The body, as the bytes that were hashed.
    pub body: String,
    /// It had been taken back.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub undone: bool,
}

impl RevealedEvent {
    /// What was hidden; `None` where it cannot be read.
    pub fn opened(&self) -> Option<Entry> {
        serde_json::from_str(&self.body).ok()
    }

    /// The salt's bytes; `None` where they are none.
    pub fn salt(&self) -> Option<[u8; 32]> {
        base16ct::lower::decode_vec(&self.salt).ok()?.try_into().ok()
    }
}
