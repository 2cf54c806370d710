//! The table of keys.

use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};

use super::reader::ReadOnly;
use super::writer::Sqlite;
use crate::store::keys::{KeyRecord, Role};
use crate::store::record::read_hash;
use crate::store::{Reader, StoreError};

const SELECT: &str =
    "select keys.id, keys.hash, campaigns.name, keys.seat, keys.character, keys.created_at, keys.expires_at,
    keys.revoked_at from keys join campaigns on campaigns.id = keys.table_of";

impl Sqlite {
    /// Keeps a key of a campaign that there is.
    ///
    /// # Errors
    /// What the database says.
    pub async fn keep_key(&mut self, key: &KeyRecord) -> Result<(), StoreError> {
        let Some(campaign) = self.find(&key.campaign).await? else {
            return Err(StoreError::Io(format!("there is no campaign \"{}\"", key.campaign)));
        };
        sqlx::query(
            "insert into keys (id, hash, table_of, seat, character, created_at, expires_at, revoked_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8)",
        )
        .bind(&key.id)
        .bind(&key.hash[..])
        .bind(campaign.key)
        .bind(key.role.as_str())
        .bind(key.role.character())
        .bind(key.created_at)
        .bind(key.expires_at)
        .bind(key.revoked_at)
        .execute(&mut self.connection)
        .await?;
        Ok(())
    }

    /// Revokes a key; one that was revoked stays as it was. Answers it, where there is one of that id.
    ///
    /// # Errors
    /// What the database says.
    pub async fn revoke_key(&mut self, id: &str, at: i64) -> Result<Option<KeyRecord>, StoreError> {
        sqlx::query("update keys set revoked_at = coalesce(revoked_at, $2) where id = $1")
            .bind(id)
            .bind(at)
            .execute(&mut self.connection)
            .await?;
        key(&mut self.connection, id).await
    }
}

impl ReadOnly {
    /// The key of that id.
    ///
    /// # Errors
    /// What the database says.
    pub async fn key(&mut self, id: &str) -> Result<Option<KeyRecord>, StoreError> {
        key(&mut self.connection, id).await
    }

    /// Every key, the oldest first.
    ///
    /// # Errors
    /// What the database says.
    pub async fn keys(&mut self) -> Result<Vec<KeyRecord>, StoreError> {
        if !self.knows_keys().await? {
            return Ok(Vec::new());
        }
        let sql = sqlx::AssertSqlSafe(format!("{SELECT} order by keys.created_at, keys.id"));
        sqlx::query(sql).fetch_all(&mut self.connection).await?.iter().map(read).collect()
    }

    /// Whether any key was ever made; also one that is revoked says that this database is not for everybody.
    ///
    /// # Errors
    /// What the database says.
    pub async fn has_keys(&mut self) -> Result<bool, StoreError> {
        if !self.knows_keys().await? {
            return Ok(false);
        }
        Ok(sqlx::query_scalar("select exists (select 1 from keys)").fetch_one(&mut self.connection).await?)
    }

    /// Whether the schema has keys at all; an older one is brought up to date by the first write.
    pub(super) async fn knows_keys(&mut self) -> Result<bool, StoreError> {
        let sql = "select exists (select 1 from sqlite_schema where type = 'table' and name = 'keys')";
        Ok(sqlx::query_scalar(sql).fetch_one(&mut self.connection).await?)
    }
}

async fn key(connection: &mut SqliteConnection, id: &str) -> Result<Option<KeyRecord>, StoreError> {
    let sql = sqlx::AssertSqlSafe(format!("{SELECT} where keys.id = $1"));
    sqlx::query(sql).bind(id).fetch_optional(connection).await?.as_ref().map(read).transpose()
}

fn read(row: &SqliteRow) -> Result<KeyRecord, StoreError> {
    let role = match row.try_get::<Option<String>, _>("character")? {
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
