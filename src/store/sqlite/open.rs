//! Opening the file: private, sound, of a known schema.

use std::fs::OpenOptions;
use std::path::Path;
use std::time::Duration;

use sqlx::ConnectOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};

use super::damage::{damaged, damaged_store};
use super::fresh::{self, Durability};
use super::in_place::InPlace;
use super::lock::{self, Alive, Locked};
use super::soundness::{Soundness, quick_check};
use super::{Sqlite, guard, migrate, owner};
use crate::store::StoreError;

/// How long a write waits for another process's write.
const BUSY: Duration = Duration::from_secs(5);

/// How long one attempt to write waits; the whole wait is [`Sqlite::patience`].
pub(super) const ATTEMPT: Duration = Duration::from_millis(20);

/// Opens the database for writing, making it (0600) and bringing its schema up to date where needed. The folder must exist.
///
/// # Errors
/// [`StoreError::Newer`] for a file of a later program, [`StoreError::Damaged`] for one that is not sound,
/// [`StoreError::NotOpened`] for one that is not ours or should not be empty, [`StoreError::Busy`] when another process is
/// migrating and does not finish.
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
    owner::check(path).await?;
    owner::may_be_made_if_empty(path)?;
    make(path)?;
    let mut locked = lock::acquire(path).await?;
    let left_over = matches!(locked, Locked::Alone(_)) && has_wal(path);
    if matches!(locked, Locked::Alone(_)) && fresh::is_free(path) {
        owner::may_be_made(path)?;
        fresh::put(path, durability).await?;
    }
    let mut connection = connect(path, patience, durability).await.map_err(|error| damaged(path, error))?;
    loop {
        let found = migrate::version(&mut connection).await.map_err(|error| damaged_store(path, error))?;
        if found > migrate::CURRENT {
            return Err(StoreError::Newer { found, known: migrate::CURRENT });
        }
        match locked {
            Locked::Alone(file) => {
                if found == 0 {
                    owner::may_be_made(path)?;
                }
                let soundness = match left_over {
                    true if found < migrate::CURRENT => {
                        quick_check(&mut connection, path).await?;
                        Soundness::Sound
                    }
                    true => Soundness::look(path),
                    false => Soundness::Sound,
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
    Ok(Sqlite { connection, open: false, patience, _alive: alive, in_place: InPlace::of(path)?, soundness })
}

/// Opens a database for reading only.
pub async fn connect_read_only(path: &Path) -> Result<SqliteConnection, StoreError> {
    if !path.exists() && !path.is_symlink() {
        owner::may_be_made(path)?;
        return Err(StoreError::Io(format!("there is no database at {}", path.display())));
    }
    owner::check(path).await?;
    let mut connection = read_only(path).await?;
    // A file without tables has nothing to read, and may be one that was emptied.
    if migrate::version(&mut connection).await.map_err(|error| damaged_store(path, error))? == 0 {
        owner::may_be_made(path)?;
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

/// Makes a file readable by its owner only.
pub fn private(path: &Path) -> Result<(), StoreError> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))
            .map_err(|error| StoreError::Io(format!("cannot make {} private: {error}", path.display())))?;
    }
    let _ = path;
    Ok(())
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
pub(super) fn make(path: &Path) -> Result<(), StoreError> {
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Ok(_) => Ok(()),
        Err(error) => Err(StoreError::NotOpened {
            path: path.display().to_string(),
            reason: format!("it cannot be written: {error}"),
            advice: "Name a file in a folder of your own with --db".to_owned(),
        }),
    }
}

pub(super) fn has_wal(path: &Path) -> bool {
    std::fs::metadata(owner::beside_it(path, "-wal")).is_ok_and(|wal| wal.len() > 0)
}

#[cfg(test)]
mod tests;
