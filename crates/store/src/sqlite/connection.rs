//! Connections to a database's file.

use std::path::Path;

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection};

use super::file::{BUSY, beside, has_wal};
use crate::StoreError;
use crate::sql::error::{code, of_file};

/// How much of the file a writing connection caches, in KiB: each campaign has pages of its own.
const CACHE_KIB: u32 = 48 * 1024;

/// Steps of SQLite's machine for any file, and for each byte: to verify takes less than one.
const STEPS_MIN: u64 = 100_000_000;
const STEPS_A_BYTE: u64 = 100;

/// Steps between two looks at how many there were.
const STEPS_AT_ONCE: i32 = 10_000;

/// One that cannot change anything, and lives as long as a server.
///
/// SQLite makes its log file (WAL) also to read. Where it may not (a read-only disk, another user's
/// folder), and there is none, the file is read as one that no process writes to.
pub async fn reading(path: &Path) -> Result<SqliteConnection, StoreError> {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .read_only(true)
        .busy_timeout(BUSY);
    let options = options.pragma("trusted_schema", "off");
    let connected = options.connect().await;
    let mut connection = match connected {
        Ok(connection) => connection,
        Err(error) if is_kept_from_writing(path, &error) => return still(path, &options).await,
        Err(error) => return Err(of_file(path, error)),
    };
    match sqlx::query("select 1 from sqlite_schema limit 1")
        .execute(&mut connection)
        .await
    {
        Err(error) if is_kept_from_writing(path, &error) => still(path, &options).await,
        // What else is wrong the first reading says.
        _ => Ok(connection),
    }
}

/// Whether SQLite could not make its files beside the database, and there is no log file.
pub fn is_kept_from_writing(path: &Path, error: &sqlx::Error) -> bool {
    matches!(code(error), Some(8 | 14)) && path.exists() && !has_wal(path)
}

async fn still(
    path: &Path,
    options: &SqliteConnectOptions,
) -> Result<SqliteConnection, StoreError> {
    options
        .clone()
        .immutable(true)
        .connect()
        .await
        .map_err(|error| of_file(path, error))
}

/// One that changes nothing, and gives up once a file, maybe endless, costs more than its size.
pub async fn read_only(path: &Path) -> Result<SqliteConnection, StoreError> {
    let mut connection = reading(path).await?;
    let bytes: u64 = ["", "-wal"]
        .iter()
        .flat_map(|end| beside(path, end).metadata())
        .map(|about| about.len())
        .sum();
    let most = STEPS_MIN.saturating_add(bytes.saturating_mul(STEPS_A_BYTE))
        / STEPS_AT_ONCE.unsigned_abs() as u64;
    let mut looks = 0;
    let mut handle = connection.lock_handle().await?;
    handle.set_progress_handler(STEPS_AT_ONCE, move || {
        looks += 1;
        looks <= most
    });
    drop(handle);
    Ok(connection)
}

/// One that writes.
pub async fn writing(
    path: &Path,
    synchronous: SqliteSynchronous,
) -> Result<SqliteConnection, StoreError> {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(synchronous)
        .foreign_keys(true)
        .busy_timeout(BUSY)
        .pragma("cache_size", format!("-{CACHE_KIB}"))
        .pragma("recursive_triggers", "on")
        // What savepoints may have to put back would else go to a file.
        .pragma("temp_store", "memory")
        .pragma("trusted_schema", "off");
    options
        .connect()
        .await
        .map_err(|error| of_file(path, error))
}

/// Closes a connection in good order.
pub async fn close(connection: SqliteConnection) -> Result<(), StoreError> {
    Ok(Connection::close(connection).await?)
}
