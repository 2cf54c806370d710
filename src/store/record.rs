//! The records a store keeps.

use bytes::Bytes;

use crate::game::record::entry::Entry;

/// A campaign as the store knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The key of its rows.
    pub key: i64,
    /// What is hashed into its entries.
    pub uuid: String,
}

/// The end of a campaign's log: `seq` 0 and 32 zero bytes before the first entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Head {
    pub seq: u64,
    pub chain: [u8; 32],
}

/// Hex digits of a chain value in a receipt. The log that fits 80 bits cannot be searched for; one that fits 48 takes days.
pub const RECEIPT_DIGITS: usize = 20;

impl Head {
    /// What a reply carries to be kept outside the database: the entry's number and how its chain value begins.
    pub fn receipt(&self) -> String {
        let hex = base16ct::lower::encode_string(&self.chain);
        format!("#{} {}", self.seq, hex.get(..RECEIPT_DIGITS).unwrap_or_default())
    }
}

/// An entry with its hashes, as one row of the log. `body` and `public` are the bytes that were hashed.
#[derive(Debug, Clone)]
pub struct Sealed {
    pub entry: Entry,
    pub seq: u64,
    pub prev: [u8; 32],
    pub body: Vec<u8>,
    pub public: Vec<u8>,
    /// Players see the whole of the body.
    pub whole: bool,
    pub salt: [u8; 32],
    pub commitment: [u8; 32],
    pub leaf: [u8; 32],
    pub chain: [u8; 32],
}

impl LogRow {
    /// The head after this entry; zero bytes where its chain value is not 32 bytes long.
    pub fn head(&self) -> Head {
        Head { seq: self.seq, chain: self.chain[..].try_into().unwrap_or_default() }
    }
}

impl Sealed {
    /// The head after this entry.
    pub fn head(&self) -> Head {
        Head { seq: self.seq, chain: self.chain }
    }
}

/// A row of the log as it lies on disk, hashes and all. Rows that were read at once share their bytes.
#[derive(Debug, Clone)]
pub struct LogRow {
    pub seq: u64,
    pub prev: Bytes,
    pub body: Bytes,
    pub public: Bytes,
    pub salt: Bytes,
    pub commitment: Bytes,
    pub leaf: Bytes,
    pub chain: Bytes,
    pub at: i64,
    pub session: i64,
    pub kind: Bytes,
    pub visibility: Bytes,
    pub actor: Bytes,
}

/// The answer to a request, kept for ever.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remembered {
    pub tool: String,
    /// SHA-256 of the canonical arguments.
    pub arguments: [u8; 32],
    /// The last entry of the call.
    pub seq: u64,
    /// The reply as JSON text, without its receipt where there is a salt.
    pub reply: String,
    /// What hides the reply in its hash ([`super::chain::answer`]); `None` before answers were bound to the log.
    pub salt: Option<[u8; 32]>,
}
