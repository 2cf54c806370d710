//! Keys of seats: who may ask over HTTP, and for which campaign. They are no part of the log.

use sqlx::AssertSqlSafe;

use crate::StoreError;
use crate::record::read_hash;
use crate::sql::connection::{Connection, Row, query};
use rollbook_game::record::instant::iso;

/// Whose seat a key is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role {
    Gm,
    /// One character's own side of the table. The character may be made later than its key.
    Player {
        character: String,
    },
}

/// A key as it is kept: not the key, but its hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRecord {
    /// The public part of the key, by which it is listed and revoked.
    pub id: String,
    pub hash: [u8; 32],
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

    /// Whose side of the table it is; `None` for the GM's.
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

    /// Whether it is good, in a few words.
    pub fn standing(&self, now: i64) -> String {
        match (self.revoked_at, self.expires_at) {
            (Some(at), _) => format!("revoked {}", iso(at)),
            (None, Some(at)) if at <= now => format!("expired {}", iso(at)),
            (None, Some(at)) => format!("good until {}", iso(at)),
            (None, None) => "good".to_owned(),
        }
    }
}

const SELECT: &str =
    "select keys.id, keys.hash, campaigns.name, keys.seat, keys.character, keys.created_at, keys.expires_at,
    keys.revoked_at from keys join campaigns on campaigns.id = keys.table_of";

impl Connection {
    /// Keeps a key of a campaign that there is.
    pub async fn keep_key(&mut self, key: &KeyRecord) -> Result<(), StoreError> {
        let Some(campaign) = self.find(&key.campaign).await? else {
            return Err(StoreError::Io(format!(
                "there is no campaign \"{}\"",
                key.campaign
            )));
        };
        let insert = query(
            "insert into keys (id, hash, table_of, seat, character, created_at, expires_at, revoked_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8)",
        );
        let insert = insert
            .bind(&key.id)
            .bind(&key.hash[..])
            .bind(campaign.key)
            .bind(key.role.as_str());
        let insert = insert
            .bind(key.role.character())
            .bind(key.created_at)
            .bind(key.expires_at);
        Ok(insert.bind(key.revoked_at).execute(self).await?)
    }

    /// Revokes a key; one that was revoked stays as it was. Answers it, where there is one.
    pub async fn revoke_key(&mut self, id: &str, at: i64) -> Result<Option<KeyRecord>, StoreError> {
        let revoke = query("update keys set revoked_at = coalesce(revoked_at, $2) where id = $1");
        revoke.bind(id).bind(at).execute(self).await?;
        self.key(id).await
    }

    /// The key with that id.
    pub async fn key(&mut self, id: &str) -> Result<Option<KeyRecord>, StoreError> {
        let key = query(AssertSqlSafe(format!("{SELECT} where keys.id = $1"))).bind(id);
        key.fetch_optional(self)
            .await?
            .as_ref()
            .map(read)
            .transpose()
    }

    /// Every key, the oldest first.
    pub async fn keys(&mut self) -> Result<Vec<KeyRecord>, StoreError> {
        let keys = query(AssertSqlSafe(format!(
            "{SELECT} order by keys.created_at, keys.id"
        )));
        keys.fetch_all(self).await?.iter().map(read).collect()
    }

    /// Whether any key was ever made; one that is revoked, too, says that not everybody may ask.
    pub async fn has_keys(&mut self) -> Result<bool, StoreError> {
        Ok(query("select 1 as found from keys limit 1")
            .fetch_optional(self)
            .await?
            .is_some())
    }
}

fn read(row: &Row) -> Result<KeyRecord, StoreError> {
    let role = match row.try_get::<Option<String>>("character")? {
        Some(character) => Role::Player { character },
        None => Role::Gm,
    };
    Ok(KeyRecord {
        id: row.try_get("id")?,
        hash: read_hash(row.try_get("hash")?, 0)?,
        campaign: row.try_get("name")?,
        role,
        created_at: row.try_get("created_at")?,
        expires_at: row.try_get("expires_at")?,
        revoked_at: row.try_get("revoked_at")?,
    })
}
