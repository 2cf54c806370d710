//! Keys of seats: who may ask over HTTP, and for which campaign. They are no part of the log.

use rollbook_game::record::instant::iso;

/// What a key is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role {
    /// Everything.
    Gm,
    /// One character's own side of the table. The character may be made later than its key.
    Player { character: String },
}

/// A key as it is kept: not the key, but its hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRecord {
    /// The public part of the key, by which it is listed and revoked.
    pub id: String,
    /// SHA-256 of the whole key.
    pub hash: [u8; 32],
    /// The campaign's name.
    pub campaign: String,
    pub role: Role,
    /// Microseconds since 1970-01-01T00:00:00Z, as all moments.
    pub created_at: i64,
    pub expires_at: Option<i64>,
    pub revoked_at: Option<i64>,
}

impl Role {
    /// The word for it in the database and on the command line.
    pub fn as_str(&self) -> &'static str {
        match self {
            Role::Gm => "gm",
            Role::Player { .. } => "player",
        }
    }

    /// Whose a player's seat is.
    pub fn character(&self) -> Option<&str> {
        match self {
            Role::Gm => None,
            Role::Player { character } => Some(character),
        }
    }
}

impl KeyRecord {
    /// Whether it opens anything at that moment.
    pub fn is_good(&self, now: i64) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|at| now < at)
    }

    /// How it stands, in a few words.
    pub fn standing(&self, now: i64) -> String {
        match (self.revoked_at, self.expires_at) {
            (Some(at), _) => format!("revoked {}", iso(at)),
            (None, Some(at)) if at <= now => format!("expired {}", iso(at)),
            (None, Some(at)) => format!("good until {}", iso(at)),
            (None, None) => "good".to_owned(),
        }
    }
}
