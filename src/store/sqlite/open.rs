//! Opening the file: private, sound, of a known schema.

use std::fs::OpenOptions;
use std::path::Path;
use std::time::Duration;

use sqlx::ConnectOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};

use super::in_place::InPlace;
use super::lock::{self, Alive, Locked};
use super::soundness::{Soundness, quick_check};
use super::{Sqlite, guard, migrate, owner};
use crate::store::StoreError;

/// How long a write waits for another process's write.
const BUSY: Duration = Duration::from_secs(5);

/// Opens the database for writing, making it (0600) and bringing its schema up to date where needed. The folder must exist.
///
/// # Errors
/// [`StoreError::Newer`] for a file of a later program, [`StoreError::Damaged`] for one that is not sound,
/// [`StoreError::NotOpened`] for one that is not ours or should not be empty, [`StoreError::Busy`] when another process is
/// migrating and does not finish.
pub async fn open(path: &Path) -> Result<Sqlite, StoreError> {
    open_waiting(path, BUSY).await
}

/// The same, where a write waits for another process's write no longer than `patience`.
pub async fn open_waiting(path: &Path, patience: Duration) -> Result<Sqlite, StoreError> {
    owner::check(path).await?;
    owner::may_be_made_if_empty(path)?;
    make(path)?;
    let mut locked = lock::acquire(path).await?;
    let left_over = matches!(locked, Locked::Alone(_)) && has_wal(path);
    let mut connection = connect(path, patience).await.map_err(|error| damaged(path, error))?;
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
                return opened(connection, path, Alive::downgrade(file).await?, soundness).await;
            }
            Locked::Shared(alive) if found == migrate::CURRENT => {
                return opened(connection, path, alive, Soundness::Sound).await;
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
) -> Result<Sqlite, StoreError> {
    guard::check(&mut connection, path).await?;
    Ok(Sqlite { connection, open: false, _alive: alive, in_place: InPlace::of(path)?, soundness })
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

async fn connect(path: &Path, patience: Duration) -> Result<SqliteConnection, sqlx::Error> {
    SqliteConnectOptions::new()
        .filename(path)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(patience)
        .pragma("recursive_triggers", "on")
        .pragma("trusted_schema", "off")
        .connect()
        .await
}

fn make(path: &Path) -> Result<(), StoreError> {
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

pub(super) fn damaged_store(path: &Path, error: StoreError) -> StoreError {
    match error {
        StoreError::Database(error) => damaged(path, error),
        other => other,
    }
}

/// SQLITE_CORRUPT (11) and SQLITE_NOTADB (26) mean damage; the rest is passed on.
pub(super) fn damaged(path: &Path, error: sqlx::Error) -> StoreError {
    match super::code(&error) {
        Some(11 | 26) => refused(path, &error.to_string()),
        _ => error.into(),
    }
}

pub(super) fn refused(path: &Path, reason: &str) -> StoreError {
    let advice = match migrate::newest_backup(path) {
        Some(backup) => {
            format!("The newest backup is {}; copy it to a new place and name that with --db", backup.display())
        }
        None => "There is no backup beside it. Keep the file, and name another with --db to play on".to_owned(),
    };
    StoreError::Damaged { path: path.display().to_string(), reason: reason.to_owned(), advice }
}

#[cfg(test)]
mod tests {
    use super::{connect_read_only, open};
    use crate::store::{Store, StoreError};

    fn place() -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("campaigns.db");
        (folder, path)
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
        let (folder, path) = place();
        std::fs::write(&path, "overwritten").unwrap();
        std::fs::write(folder.path().join("campaigns.db.backup-schema0001-entries000000000007"), "").unwrap();
        assert!(matches!(open(&path).await, Err(StoreError::Damaged { .. })));
    }

    #[tokio::test]
    async fn a_damaged_file_names_the_newest_backup() {
        let (folder, path) = place();
        open(&path).await.unwrap().close().await.unwrap();
        let mut bytes = std::fs::read(&path).unwrap();
        bytes.iter_mut().skip(100).take(4000).for_each(|byte| *byte = 0xff);
        std::fs::write(&path, bytes).unwrap();
        std::fs::write(folder.path().join("campaigns.db.backup-schema0001-entries000000000007"), "").unwrap();
        let refused = open(&path).await.map(|_| ()).unwrap_err();
        assert!(refused.to_string().contains("entries000000000007"), "{refused}");
    }

    #[tokio::test]
    async fn a_file_of_a_later_program_is_refused() {
        let (_folder, path) = place();
        let mut store = open(&path).await.unwrap();
        sqlx::query("insert into _sqlx_migrations (version, description, success, checksum, execution_time) values (99, 'x', 1, x'00', 0)")
            .execute(&mut store.connection)
            .await
            .unwrap();
        store.close().await.unwrap();
        assert!(matches!(open(&path).await, Err(StoreError::Newer { found: 99, .. })));
    }

    #[tokio::test]
    async fn a_missing_file_is_not_made_by_a_reader() {
        let (_folder, path) = place();
        assert!(connect_read_only(&path).await.is_err());
        assert!(!path.exists());
    }

    #[tokio::test]
    async fn many_first_starts_at_once_make_one_schema() {
        let (_folder, path) = place();
        let starts = (0..20).map(|_| {
            let path = path.clone();
            tokio::spawn(async move { open(&path).await.map(|_| ()) })
        });
        for start in starts.collect::<Vec<_>>() {
            start.await.unwrap().unwrap();
        }
    }
}
