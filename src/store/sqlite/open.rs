//! Opening the file: private, sound, of a known schema.

use std::path::Path;
use std::time::Duration;

use sqlx::ConnectOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};

use super::damage::{damaged, damaged_store};
use super::fresh::{self, Durability};
use super::in_place::InPlace;
use super::lock::{self, Alive, Locked};
use super::raw_file::RawFile;
use super::soundness::{Soundness, quick_check};
use super::{Sqlite, backup, damage, guard, header, journal, migrate, owner};
use crate::store::StoreError;
use crate::store::draft::{self, Draft};

/// How long a write waits for another process's write.
pub(super) const BUSY: Duration = Duration::from_secs(5);

/// How long one attempt to write waits; the whole wait is [`Sqlite::patience`].
pub(super) const ATTEMPT: Duration = Duration::from_millis(20);

/// Opens the database for writing, making it (0600) and bringing its schema up to date where needed. The folder must exist.
///
/// # Errors
/// [`StoreError::Newer`] for a file of a later program, [`StoreError::Damaged`] for one that is not sound,
/// [`StoreError::NotOpened`] for one that is not ours or should not be empty, [`StoreError::Busy`] when another process is
/// migrating and does not finish.
pub async fn open(path: &Path) -> Result<Sqlite, StoreError> {
    open_prepared(path, None).await
}

/// The same; where there is no database yet, the prepared one is put there.
pub async fn open_prepared(path: &Path, prepared: Option<Draft>) -> Result<Sqlite, StoreError> {
    open_as(path, BUSY, Durability::Full, prepared).await
}

/// The same, where a write waits for another process's write no longer than `patience`.
pub async fn open_waiting(path: &Path, patience: Duration) -> Result<Sqlite, StoreError> {
    open_as(path, patience, Durability::Full, None).await
}

/// The same for a campaign that is thrown away: nothing of it is synced.
pub async fn open_throw_away(path: &Path) -> Result<Sqlite, StoreError> {
    open_as(path, BUSY, Durability::ThrowAway, None).await
}

async fn open_as(
    path: &Path,
    patience: Duration,
    durability: Durability,
    prepared: Option<Draft>,
) -> Result<Sqlite, StoreError> {
    damage::told(path, open_sound(path, patience, durability, prepared).await).await
}

async fn open_sound(
    path: &Path,
    patience: Duration,
    durability: Durability,
    prepared: Option<Draft>,
) -> Result<Sqlite, StoreError> {
    owner::check(path).await?;
    owner::may_be_made_if_empty(path).await?;
    // Held to the end: a handle that is closed in between would take the locks of another connection with it.
    let _file = make(path)?;
    let mut locked = lock::acquire(path).await?;
    let mut is_new = false;
    if matches!(locked, Locked::Alone(_)) {
        header::check_length(path)?;
        draft::remove_left_behind(path.parent().unwrap_or(Path::new(".")));
        draft::remove_left_behind(&backup::folder(path));
        is_new = fresh::is_free(path);
    }
    if is_new {
        owner::may_be_made(path).await?;
        fresh::put(path, durability, prepared).await?;
    }
    let mut connection = connect(path, patience, durability).await.map_err(|error| damaged(path, error))?;
    loop {
        let found = migrate::version(&mut connection).await.map_err(|error| damaged_store(path, error))?;
        if found > migrate::CURRENT {
            return Err(StoreError::Newer { found, known: migrate::CURRENT });
        }
        if let Some(what) = migrate::contradiction(&mut connection, found).await? {
            return Err(damage::refused(path, &what));
        }
        match locked {
            Locked::Alone(file) => {
                let soundness = match found {
                    0 => {
                        owner::may_be_made(path).await?;
                        Soundness::Sound
                    }
                    migrate::CURRENT if is_new => Soundness::Sound,
                    migrate::CURRENT => Soundness::look(path),
                    _ => {
                        quick_check(&mut connection, path).await?;
                        Soundness::Sound
                    }
                };
                if found < migrate::CURRENT {
                    migrate::migrate(&mut connection, path, found).await?;
                }
                return opened(connection, path, Alive::downgrade(file).await?, soundness, patience).await;
            }
            Locked::Shared(alive) if found == migrate::CURRENT => {
                return opened(connection, path, alive, Soundness::Sound, patience).await;
            }
            // Whoever was migrating is gone, or an older program is still alive: wait for the lock.
            Locked::Shared(alive) => {
                drop(alive);
                locked = lock::acquire(path).await?;
            }
        }
    }
}

async fn opened(
    mut connection: SqliteConnection,
    path: &Path,
    alive: Alive,
    soundness: Soundness,
    patience: Duration,
) -> Result<Sqlite, StoreError> {
    guard::check(&mut connection, path).await?;
    // Opening may wait for as long as the caller is patient; from now on the caller does the waiting.
    let attempt = patience.min(ATTEMPT).as_millis();
    sqlx::query(sqlx::AssertSqlSafe(format!("pragma busy_timeout = {attempt}"))).execute(&mut connection).await?;
    let _file = RawFile::of(path).map_err(|error| StoreError::Io(error.to_string()))?;
    Ok(Sqlite { connection, open: false, patience, _alive: alive, in_place: InPlace::of(path)?, soundness, _file })
}

/// Opens a database for reading only.
pub async fn connect_read_only(path: &Path) -> Result<SqliteConnection, StoreError> {
    damage::told(path, read_sound(path).await).await
}

async fn read_sound(path: &Path) -> Result<SqliteConnection, StoreError> {
    if !path.exists() && !path.is_symlink() {
        owner::may_be_made(path).await?;
        return Err(StoreError::Io(format!("there is no database at {}", path.display())));
    }
    owner::check(path).await?;
    header::check_length(path)?;
    journal::recover(path).await.map_err(|error| damaged(path, error))?;
    let mut connection = read_only(path).await?;
    // A file without tables has nothing to read, and may be one that was emptied.
    if migrate::version(&mut connection).await.map_err(|error| damaged_store(path, error))? == 0 {
        if let Some(what) = migrate::contradiction(&mut connection, 0).await? {
            return Err(damage::refused(path, &what));
        }
        owner::may_be_made(path).await?;
        return Err(StoreError::Io(format!("the database {} holds nothing yet", path.display())));
    }
    Ok(connection)
}

pub(super) async fn read_only(path: &Path) -> Result<SqliteConnection, StoreError> {
    let options = SqliteConnectOptions::new().filename(path).read_only(true).busy_timeout(BUSY);
    options.pragma("trusted_schema", "off").connect().await.map_err(|error| damaged(path, error))
}

/// Closes a connection in good order.
pub async fn close(connection: SqliteConnection) -> Result<(), StoreError> {
    Ok(sqlx::Connection::close(connection).await?)
}

async fn connect(path: &Path, patience: Duration, durability: Durability) -> Result<SqliteConnection, sqlx::Error> {
    SqliteConnectOptions::new()
        .filename(path)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(match durability {
            Durability::Full => SqliteSynchronous::Full,
            Durability::ThrowAway => SqliteSynchronous::Off,
        })
        .foreign_keys(true)
        .busy_timeout(patience)
        .pragma("recursive_triggers", "on")
        .pragma("trusted_schema", "off")
        .connect()
        .await
}

/// Makes an empty file of the owner's alone where there is none.
pub(super) fn make(path: &Path) -> Result<RawFile, StoreError> {
    RawFile::made(path).map_err(|error| StoreError::NotOpened {
        path: path.display().to_string(),
        reason: format!("it cannot be written: {error}"),
        advice: "Name a file in a folder of your own with --db".to_owned(),
    })
}

pub(super) fn has_wal(path: &Path) -> bool {
    std::fs::metadata(owner::beside_it(path, "-wal")).is_ok_and(|wal| wal.len() > 0)
}

#[cfg(test)]
mod tests;
