//! A database that no other process writes to.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::sqlite::SqliteSynchronous;

use super::connection::{self, BUSY, close};
use super::file::RawFile;
use super::lock::{self, Locked};
use super::open::{make, open};
use super::reader::connect_read_only;
use crate::StoreError;
use crate::sql::connection::Connection;

/// How often, and how far apart, a database that another process has open is asked for.
const ENDING_TRIES: u32 = 20;
const ENDING_PAUSE: Duration = Duration::from_millis(50);

/// A database that no other process writes to, for as long as this lives.
pub struct Alone {
    database: PathBuf,
    _lock: File,
}

impl Alone {
    /// Takes it; the database must be there.
    pub async fn take(database: &Path) -> Result<Alone, StoreError> {
        close(connect_read_only(database).await?).await?;
        // Looks whether the file is sound, and brings its schema up to date.
        open(database).await?.close().await?;
        // A server that is just ending, or a process that was just started beside one, keeps the file for a moment.
        for _ in 0..ENDING_TRIES {
            if let Locked::Alone(file) = lock::acquire(database).await? {
                return Ok(Alone { database: database.to_path_buf(), _lock: file });
            }
            tokio::time::sleep(ENDING_PAUSE).await;
        }
        Err(StoreError::Io(format!(
            "another process has {} open, and this is done only while nobody plays. Stop the server (over HTTP: all of \
             it), then send the same command again. Nothing was changed",
            database.display()
        )))
    }

    /// A connection that writes; the file stays open as long as the connection.
    pub async fn connect(&self) -> Result<(RawFile, Connection), StoreError> {
        let file = make(&self.database)?;
        let writing = connection::writing(&self.database, BUSY, SqliteSynchronous::Full).await?;
        Ok((file, Connection::Sqlite(writing)))
    }
}
