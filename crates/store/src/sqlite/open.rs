//! Opening a file to play: private, sound, of a known schema; and one that no other process writes to.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::sqlite::SqliteSynchronous;

use super::connection::{self, BUSY, close};
use super::file::{InPlace, RawFile};
use super::fresh::{self, Durability};
use super::lock::{self, Alive, Locked, Patience};
use super::reader::connect_read_only;
use super::soundness::Soundness;
use super::writer::{Sqlite, Writer};
use super::{backups, header, migrate, owner, schema};
use crate::StoreError;
use crate::draft;
use crate::error::{damaged, not_opened};
use crate::sql::connection::Connection;
use crate::sql::error::of_file;

/// How long one attempt to write waits; the whole wait is [`Sqlite::patience`].
pub(super) const ATTEMPT: Duration = Duration::from_millis(20);

/// Opens the database for writing, making it (0600) where there is none. The folder must exist.
pub async fn open(path: &Path) -> Result<Sqlite, StoreError> {
    open_as(path, BUSY, Durability::Full).await
}

/// The same, where a write waits for another process's write no longer than `patience`.
pub async fn open_waiting(path: &Path, patience: Duration) -> Result<Sqlite, StoreError> {
    open_as(path, patience, Durability::Full).await
}

/// The same for a campaign that is thrown away: nothing of it is synced.
pub async fn open_throw_away(path: &Path) -> Result<Sqlite, StoreError> {
    open_as(path, BUSY, Durability::ThrowAway).await
}

async fn open_as(path: &Path, patience: Duration, durability: Durability) -> Result<Sqlite, StoreError> {
    backups::advised(path, open_sound(path, patience, durability).await).await
}

async fn open_sound(path: &Path, patience: Duration, durability: Durability) -> Result<Sqlite, StoreError> {
    owner::check(path).await?;
    owner::may_be_made_if_empty(path).await?;
    let mut locked = lock::acquire(path).await?;
    let mut is_new = false;
    if matches!(locked, Locked::Alone(_)) {
        header::check_length(path)?;
        draft::remove_left_behind(path.parent().unwrap_or(Path::new(".")));
        draft::remove_left_behind(&backups::folder(path));
        is_new = fresh::is_free(path);
    }
    if is_new {
        owner::may_be_made(path).await?;
        fresh::put(path, durability).await?;
    }
    // Held to the end: a handle that is closed in between would take the locks of another connection with it.
    let _file = make(path)?;
    let synchronous = match durability {
        Durability::Full => SqliteSynchronous::Full,
        Durability::ThrowAway => SqliteSynchronous::Off,
    };
    let mut connection = connection::writing(path, patience, synchronous).await?;
    schema::check_tables(&mut connection, path).await?;
    let mut lock_patience = Patience::default();
    let (alive, soundness) = loop {
        let found = migrate::version(&mut connection).await.map_err(|error| of_file(path, error))?;
        if let Some(what) = migrate::contradiction(&mut connection, found).await? {
            return Err(damaged(path, what));
        }
        let known = migrate::steps()?.current();
        if found > known {
            return Err(StoreError::Newer { found, known });
        }
        match locked {
            Locked::Alone(file) => {
                let soundness = match found {
                    0 => {
                        owner::may_be_made(path).await?;
                        migrate::make(&mut connection).await?;
                        Soundness::Sound
                    }
                    _ if is_new => Soundness::Sound,
                    _ => Soundness::look(path),
                };
                break (Alive::downgrade(file).await?, soundness);
            }
            Locked::Shared(alive) if found > 0 => break (alive, Soundness::Sound),
            // The process that was making it is gone: wait for the lock.
            Locked::Shared(alive) => {
                drop(alive);
                lock_patience.pause().await?;
                locked = lock::acquire(path).await?;
            }
        }
    };
    schema::check_triggers(&mut connection, path).await?;
    // Opening may wait for as long as the caller is patient; from now on the caller does the waiting.
    let attempt = patience.min(ATTEMPT).as_millis();
    sqlx::query(sqlx::AssertSqlSafe(format!("pragma busy_timeout = {attempt}"))).execute(&mut connection).await?;
    let file = RawFile::of(path).map_err(|error| StoreError::Io(error.to_string()))?;
    let writer = Writer::new(Connection::Sqlite(connection), soundness, alive, file);
    Ok(Sqlite::new(writer, InPlace::of(path)?, patience))
}

/// Makes an empty file of the owner's alone where there is none.
pub(super) fn make(path: &Path) -> Result<RawFile, StoreError> {
    let refused = |error| {
        not_opened(path, format!("it cannot be written: {error}"), "Name a file in a folder of your own with --db")
    };
    RawFile::made(path).map_err(refused)
}

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

#[cfg(test)]
mod tests {
    use super::{backups, open};
    use crate::{Reader, StoreError};

    fn place() -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("campaigns.db");
        (folder, path)
    }

    fn empty_backup(path: &std::path::Path) {
        let folder = backups::folder(path);
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("000001-2026-11-20T19-30-00Z.db"), "").unwrap();
    }

    #[tokio::test]
    async fn a_new_file_is_private_and_opens_again() {
        let (_folder, path) = place();
        open(&path).await.unwrap().close().await.unwrap();
        open(&path).await.unwrap().close().await.unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        }
    }

    #[tokio::test]
    async fn a_file_that_is_no_database_is_refused_and_left_alone() {
        let (_folder, path) = place();
        std::fs::write(&path, "a shopping list").unwrap();
        assert!(matches!(open(&path).await, Err(StoreError::NotOpened { .. })));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "a shopping list");
    }

    #[tokio::test]
    async fn a_file_that_was_a_database_is_damaged_though_it_does_not_begin_as_one() {
        let (_folder, path) = place();
        std::fs::write(&path, "overwritten").unwrap();
        empty_backup(&path);
        assert!(matches!(open(&path).await, Err(StoreError::Damaged { .. })));
    }

    #[tokio::test]
    async fn a_backup_that_is_not_good_is_not_named() {
        let (_folder, path) = place();
        open(&path).await.unwrap().close().await.unwrap();
        let mut bytes = std::fs::read(&path).unwrap();
        bytes.iter_mut().skip(100).take(4000).for_each(|byte| *byte = 0xff);
        std::fs::write(&path, bytes).unwrap();
        empty_backup(&path);
        let refused = open(&path).await.map(|_| ()).unwrap_err();
        assert!(refused.to_string().contains("There is no good backup beside it."), "{refused}");
    }

    #[tokio::test]
    async fn a_file_of_a_later_program_is_refused() {
        let (_folder, path) = place();
        let store = open(&path).await.unwrap();
        sqlx::query("insert into _sqlx_migrations (version, description, success, checksum, execution_time) values (99, 'x', 1, x'00', 0)")
            .execute(&mut *store.raw().await)
            .await
            .unwrap();
        store.close().await.unwrap();
        assert!(matches!(open(&path).await, Err(StoreError::Newer { found: 99, .. })));
    }

    #[tokio::test]
    async fn a_missing_file_is_not_made_by_a_reader() {
        let (_folder, path) = place();
        assert!(Reader::open(&path).await.is_err());
        assert!(!path.exists());
    }

    #[tokio::test]
    async fn a_database_that_another_process_keeps_empty_is_busy() {
        let (_folder, path) = place();
        std::fs::write(&path, "").unwrap();
        let lock = std::fs::File::create(crate::sqlite::file::beside(&path, ".lock")).unwrap();
        lock.lock_shared().unwrap();
        let opened = tokio::time::timeout(std::time::Duration::from_secs(60), open(&path)).await;
        assert!(matches!(opened.expect("gives up").map(drop), Err(StoreError::Busy)));
    }
}
