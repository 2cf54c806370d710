//! The removal of a campaign.

use std::fs::File;
use std::path::{Path, PathBuf};

use sqlx::AssertSqlSafe;
use sqlx::sqlite::SqliteSynchronous;

use super::connection::{self, BUSY, close};
use super::lock::{self, Locked};
use super::open::{make, open};
use super::reader::connect_read_only;
use crate::store::checkpoint::{self, Checkpoint};
use crate::store::sql::connection::{Connection, query};
use crate::store::{Head, Identity, StoreError};

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
        close(connect_read_only(database).await?).await?;
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
        let connection = connection::writing(&self.database, BUSY, SqliteSynchronous::Full).await?;
        let mut connection = Connection::Sqlite(connection);
        let removed = remove(&mut connection, &self.database, identity, head, line).await;
        // What was not committed is rolled back.
        connection.close().await.and(removed)
    }
}

async fn remove(
    connection: &mut Connection,
    database: &Path,
    identity: &Identity,
    head: Head,
    line: &Checkpoint,
) -> Result<(), StoreError> {
    query("begin immediate").execute(connection).await?;
    if connection.head(identity.key).await? != head {
        return Err(StoreError::Io("the campaign was played on meanwhile. Send the same command again".to_owned()));
    }
    // The log's triggers keep every row; they are gone inside this transaction alone.
    let triggers = query("select name, sql from sqlite_schema where type = 'trigger'").fetch_all(connection).await?;
    for trigger in &triggers {
        // `open` has seen that they are those of our schema, and no others.
        let name: &str = trigger.try_get("name")?;
        query(AssertSqlSafe(format!("drop trigger {name}"))).execute(connection).await?;
    }
    let tables = query(
        "select own.name from sqlite_schema as own where own.type = 'table' and exists
            (select 1 from pragma_table_info(own.name) as col where col.name = 'campaign')",
    );
    let tables = tables.fetch_all(connection).await?;
    let tables = tables.iter().map(|table| table.try_get("name")).collect::<Result<Vec<&str>, _>>()?;
    let of_campaign = tables.into_iter().map(|table| (table, "campaign"));
    for (table, column) in of_campaign.chain([("keys", "table_of"), ("campaigns", "id")]) {
        let sql = format!("delete from \"{}\" where {column} = $1", table.replace('"', "\"\""));
        query(AssertSqlSafe(sql)).bind(identity.key).execute(connection).await?;
    }
    for trigger in &triggers {
        query(AssertSqlSafe(trigger.try_get::<String>("sql")?)).execute(connection).await?;
    }
    // Before the commit: a line of a removal that was broken off is noted by `verify`, a campaign that is gone without one is a loss.
    if let Some(note) = checkpoint::append(database, line)? {
        tracing::warn!("{note}");
    }
    Ok(query("commit").execute(connection).await?)
}
