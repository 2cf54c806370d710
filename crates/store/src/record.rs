//! The records a store keeps.

use std::borrow::Cow;

use super::error::StoreError;
use rollbook_game::record::entry::Entry;
use rollbook_game::record::instant::iso;

/// What a campaign is known by besides its name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Identity {
    /// The key of its rows.
    pub key: i64,
    /// What is hashed into its entries.
    pub uuid: String,
}

/// A campaign with its counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CampaignSummary {
    pub name: String,
    pub adventure: String,
    pub entries: u64,
    pub sessions: u64,
    pub characters: u64,
    /// Of the log: what happened, and what players see of it.
    pub bytes: u64,
    /// When its last entry was written, in microseconds since 1970.
    pub last_written: Option<i64>,
    /// Keys that were made for it, those too that are revoked or expired.
    pub keys: u64,
}

/// The end of a campaign's log: `seq` 0 and 32 zero bytes before the first entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Head {
    pub seq: u64,
    pub chain: [u8; 32],
}

/// Hex digits of a chain value in a receipt: 80 bits cannot be searched for; 48 take days.
pub const RECEIPT_DIGITS: usize = 20;

impl Head {
    /// What a reply carries to be kept outside the database: the number, and how its chain begins.
    pub fn receipt(&self) -> String {
        let hex = base16ct::lower::encode_string(&self.chain);
        format!(
            "#{} {}",
            self.seq,
            hex.get(..RECEIPT_DIGITS).unwrap_or_default()
        )
    }
}

/// An entry with its hashes, as a row of the log. `body` and `public` are the hashed bytes.
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

impl Sealed {
    /// The head after this entry.
    pub fn head(&self) -> Head {
        Head {
            seq: self.seq,
            chain: self.chain,
        }
    }
}

/// A row of the log as it is on disk, hashes and all.
#[derive(Debug, Clone, Default)]
pub struct LogRow {
    pub seq: u64,
    pub prev: Vec<u8>,
    pub body: Vec<u8>,
    pub public: Vec<u8>,
    pub salt: Vec<u8>,
    pub commitment: Vec<u8>,
    pub leaf: Vec<u8>,
    pub chain: Vec<u8>,
    pub at: i64,
    pub session: i64,
    pub kind: Vec<u8>,
    pub visibility: Vec<u8>,
    pub actor: Vec<u8>,
}

impl LogRow {
    /// The head after this entry; zero bytes where its chain value is not 32 bytes long.
    pub fn head(&self) -> Head {
        Head {
            seq: self.seq,
            chain: self.chain.as_slice().try_into().unwrap_or_default(),
        }
    }
}

/// The answer to a request, kept for ever.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remembered {
    pub tool: String,
    /// SHA-256 of the canonical arguments.
    pub arguments: [u8; 32],
    /// The last entry of the call.
    pub seq: u64,
    /// The reply as JSON text, without its receipt.
    pub reply: String,
    /// What hides the reply in its hash ([`super::chain::answer`]).
    pub salt: [u8; 32],
}

/// The entry that a body is.
pub fn read_entry(body: &[u8], seq: u64) -> Result<Entry, StoreError> {
    serde_json::from_slice(body).map_err(|error| StoreError::Unreadable {
        seq,
        reason: error.to_string(),
    })
}

/// The hash that some bytes are.
pub fn read_hash(bytes: &[u8], seq: u64) -> Result<[u8; 32], StoreError> {
    bytes.try_into().map_err(|_| StoreError::Unreadable {
        seq,
        reason: "a hash is not 32 bytes long".to_owned(),
    })
}

/// A row of `rolls`, as an auditor reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RollRow<'a> {
    pub id: &'a str,
    pub seq: i64,
    pub nth: i64,
    pub time: Cow<'a, str>,
    pub session: i64,
    pub expression: &'a str,
    pub individual_rolls: Cow<'a, str>,
    pub total: i64,
    pub explanation: &'a str,
    pub context: Option<&'a str>,
    pub purpose: &'a str,
    pub visible: bool,
    pub requested_by: &'a str,
    pub source: &'a str,
}

/// The rows that the rolls of the entry `seq` become; `whole`: players see them.
pub fn roll_rows(entry: &Entry, seq: u64, whole: bool) -> Result<Vec<RollRow<'_>>, StoreError> {
    let context = entry.event.description().context;
    let mut rows = Vec::with_capacity(entry.rolls.len());
    for (nth, record) in (1i64..).zip(&entry.rolls) {
        let faces = serde_json::to_string(&record.roll.faces()).map_err(|error| {
            StoreError::Unreadable {
                seq,
                reason: error.to_string(),
            }
        })?;
        rows.push(RollRow {
            id: &record.roll_id,
            seq: i64::try_from(seq).unwrap_or(i64::MAX),
            nth,
            time: iso(entry.at).into(),
            session: i64::from(entry.session),
            expression: &record.roll.expression,
            individual_rolls: faces.into(),
            total: record.roll.total,
            explanation: &record.roll.explanation,
            context,
            purpose: &record.purpose,
            visible: whole,
            requested_by: &record.by,
            source: &record.source,
        });
    }
    Ok(rows)
}

/// What was found of a database as a whole, a sentence each.
#[derive(Debug, Default)]
pub struct Remarks {
    pub findings: Vec<String>,
    /// What a reader should know and is no fault.
    pub notes: Vec<String>,
}

/// How far a log was read, and the rows of its next page: fewer after long rows, to bound its size.
#[derive(Debug)]
pub struct Position {
    pub campaign: i64,
    pub after: i64,
    pub rows: u32,
    /// Whether the rows of `rolls` are read, too.
    pub has_rolls: bool,
    /// Whether the places in the index are.
    pub has_places: bool,
}

/// Where an entry is in what the log is searched by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub seq: u64,
    /// The number that it has for players; 0 where it has none.
    pub number: u64,
    /// The GM finds it by words.
    pub gm: bool,
    pub players: bool,
}

impl Position {
    /// Bytes that a page is meant to have.
    const BYTES: usize = 4 * 1024 * 1024;
    const ROWS_FIRST: u32 = 64;
    /// Rows of a page at most.
    pub const ROWS_MAX: u32 = 512;

    /// Before the first entry of a campaign's log.
    pub fn of(campaign: i64) -> Self {
        Position {
            campaign,
            after: 0,
            rows: Self::ROWS_FIRST,
            has_rolls: false,
            has_places: false,
        }
    }

    /// Goes on after a page that ended with the entry `last`, and of which a row had so many bytes.
    pub fn advance(&mut self, last: i64, row_bytes: usize) {
        let fit = u32::try_from(Self::BYTES / row_bytes.max(1)).unwrap_or(Self::ROWS_MAX);
        self.rows = fit.clamp(1, Self::ROWS_MAX.min(self.rows * 8));
        self.after = last;
    }

    /// Asks for fewer rows after a page that was too big; `false` where it was a single row.
    pub fn shrink(&mut self) -> bool {
        let several = self.rows > 1;
        self.rows = (self.rows / 8).max(1);
        several
    }
}
