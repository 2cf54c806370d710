//! The campaigns of a database as a whole: a list of them, and the removal of one.

use std::fs::File;
use std::path::{Path, PathBuf};

use sqlx::AssertSqlSafe;
use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow, SqliteSynchronous};

use super::connection::{self, BUSY, close};
use super::lock::{self, Locked};
use super::open::{make, open};
use super::read;
use super::reader::ReadOnly;
use crate::store::checkpoint::{self, Checkpoint};
use crate::store::record::CampaignSummary;
use crate::store::{Head, Identity, Reader, StoreError};

impl ReadOnly {
    /// Every campaign with its counts, by name.
    ///
    /// # Errors
    /// What the database says.
    pub async fn summaries(&mut self) -> Result<Vec<CampaignSummary>, StoreError> {
        // A database of an older schema has no keys.
        let keys = match self.knows_keys().await? {
            true => "(select count(*) from keys where table_of = campaigns.id)",
            false => "0",
        };
        let sql = format!(
            "select name, adventure, {keys} as keys,
                (select coalesce(max(seq), 0) from log where campaign = campaigns.id) as entries,
                (select at from log where campaign = campaigns.id order by seq desc limit 1) as written,
                (select coalesce(sum(length(body) + length(public)), 0) from log where campaign = campaigns.id) as bytes,
                (select count(*) from sessions where campaign = campaigns.id) as sessions,
                (select count(*) from characters where campaign = campaigns.id) as characters
             from campaigns order by name"
        );
        sqlx::query(AssertSqlSafe(sql)).fetch_all(&mut self.connection).await?.iter().map(summary).collect()
    }
}

fn summary(row: &SqliteRow) -> Result<CampaignSummary, StoreError> {
    let count = |column: &str| row.try_get::<i64, _>(column).map(|count| u64::try_from(count).unwrap_or(0));
    Ok(CampaignSummary {
        name: row.try_get("name")?,
        adventure: row.try_get("adventure")?,
        entries: count("entries")?,
        sessions: count("sessions")?,
        characters: count("characters")?,
        bytes: count("bytes")?,
        last_written: row.try_get("written")?,
        keys: count("keys")?,
    })
}

/// A database that no other process writes to, for as long as this lives.
pub struct Alone {
    database: PathBuf,
    _lock: File,
}

impl Alone {
    /// Takes it; the database must be there.
    ///
    /// # Errors
    /// When another process has it open for writing, or it cannot be opened.
    pub async fn take(database: &Path) -> Result<Alone, StoreError> {
        ReadOnly::open(database).await?.close().await?;
        // Looks whether the file is sound, and brings its schema up to date.
        open(database).await?.close().await?;
        match lock::acquire(database).await? {
            Locked::Alone(file) => Ok(Alone { database: database.to_path_buf(), _lock: file }),
            Locked::Shared(_) => Err(StoreError::Io(format!(
                "another process has {} open, and a campaign is removed only while nobody plays. Stop the server (over HTTP: all of \
                 it), then send the same command again. Nothing was changed",
                database.display()
            ))),
        }
    }

    /// Removes a campaign whose log ends at `head`, with its keys, after the line of its removal was written beside the database.
    ///
    /// # Errors
    /// When the log ends elsewhere, the line cannot be written, or the database says no. Then everything is as it was.
    pub async fn remove(&self, identity: &Identity, head: Head, line: &Checkpoint) -> Result<(), StoreError> {
        let _file = make(&self.database)?;
        let mut connection = connection::writing(&self.database, BUSY, SqliteSynchronous::Full).await?;
        let removed = remove(&mut connection, &self.database, identity, head, line).await;
        // What was not committed is rolled back.
        close(connection).await.and(removed)
    }
}

async fn remove(
    connection: &mut SqliteConnection,
    database: &Path,
    identity: &Identity,
    head: Head,
    line: &Checkpoint,
) -> Result<(), StoreError> {
    if read::head_under_lock(connection, identity.key).await? != head {
        return Err(StoreError::Io("the campaign was played on meanwhile. Send the same command again".to_owned()));
    }
    // The log's triggers keep every row; they are gone inside this transaction alone.
    let sql = "select name, sql from sqlite_schema where type = 'trigger'";
    let triggers: Vec<(String, String)> = sqlx::query_as(sql).fetch_all(&mut *connection).await?;
    for (name, _) in &triggers {
        // `open` has seen that they are those of our schema, and no others.
        sqlx::query(AssertSqlSafe(format!("drop trigger {name}"))).execute(&mut *connection).await?;
    }
    let tables: Vec<String> = sqlx::query_scalar(
        "select own.name from sqlite_schema as own where own.type = 'table' and exists
            (select 1 from pragma_table_info(own.name) as col where col.name = 'campaign')",
    )
    .fetch_all(&mut *connection)
    .await?;
    let of_campaign = tables.iter().map(|table| (table.as_str(), "campaign"));
    for (table, column) in of_campaign.chain([("keys", "table_of"), ("campaigns", "id")]) {
        let sql = format!("delete from \"{}\" where {column} = $1", table.replace('"', "\"\""));
        sqlx::query(AssertSqlSafe(sql)).bind(identity.key).execute(&mut *connection).await?;
    }
    for (_, sql) in triggers {
        sqlx::query(AssertSqlSafe(sql)).execute(&mut *connection).await?;
    }
    // Before the commit: a line of a removal that was broken off is noted by `verify`, a campaign that is gone without one is a loss.
    if let Some(note) = checkpoint::append(database, line)? {
        tracing::warn!("{note}");
    }
    sqlx::query("commit").execute(connection).await?;
    Ok(())
}
