//! Connections to a database's file.

use std::path::Path;
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection};

use super::error::of_file;
use crate::store::StoreError;

/// How long a write waits for another process's write.
pub const BUSY: Duration = Duration::from_secs(5);

/// How much of the file a connection that writes keeps in memory at most, in KiB: each of many campaigns writes to pages of its own.
const CACHE_KIB: u32 = 48 * 1024;

/// One that cannot change anything.
pub async fn read_only(path: &Path) -> Result<SqliteConnection, StoreError> {
    let options = SqliteConnectOptions::new().filename(path).read_only(true).busy_timeout(BUSY);
    options.pragma("trusted_schema", "off").connect().await.map_err(|error| of_file(path, error))
}

/// One that writes.
pub async fn writing(
    path: &Path,
    patience: Duration,
    synchronous: SqliteSynchronous,
) -> Result<SqliteConnection, StoreError> {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(synchronous)
        .foreign_keys(true)
        .busy_timeout(patience)
        .pragma("cache_size", format!("-{CACHE_KIB}"))
        .pragma("recursive_triggers", "on")
        // What savepoints may have to put back would else go to a file.
        .pragma("temp_store", "memory")
        .pragma("trusted_schema", "off");
    options.connect().await.map_err(|error| of_file(path, error))
}

/// Closes a connection in good order.
pub async fn close(connection: SqliteConnection) -> Result<(), StoreError> {
    Ok(Connection::close(connection).await?)
}
