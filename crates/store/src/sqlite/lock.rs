//! The lock beside the database: shared by every living process, exclusive to one that makes the
//! tables.
//!
//! sqlx's SQLite migrator takes no lock of its own, and two first starts at once would both create
//! the tables. Holding the exclusive lock also shows that no other process uses the database, so a
//! WAL that still has content was left by a process that died.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::time::Duration;

use super::file;
use crate::StoreError;
use crate::draft::give_to_owner_of;
use crate::error::not_opened;

/// How long a start waits for another process that makes the tables.
const PATIENCE: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(5);

/// The lock, held for as long as the process uses the database.
pub enum Locked {
    /// No other process uses the database.
    Alone(File),
    /// Others do; the tables are theirs.
    Shared(File),
}

/// Takes the lock exclusively where no other process holds it, else shared.
pub async fn acquire(database: &Path) -> Result<Locked, StoreError> {
    let name = file::beside(database, ".lock");
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let is_new = !name.exists();
    let opened = options.open(&name);
    if is_new && database.exists() {
        give_to_owner_of(database, &name);
    }
    let file = opened.map_err(|error| {
        let reason = format!("its lock {} cannot be written: {error}", name.display());
        not_opened(
            database,
            reason,
            "Name a file in a folder of your own with --db",
        )
    })?;
    let mut waited = Duration::ZERO;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Locked::Alone(file)),
            Err(TryLockError::Error(error)) => return Err(not_locked(&error)),
            Err(TryLockError::WouldBlock) if is_shared(&file)? => return Ok(Locked::Shared(file)),
            Err(TryLockError::WouldBlock) => pause(&mut waited).await?,
        }
    }
}

/// Lets others in when the tables are made.
pub async fn share(lock: File) -> Result<File, StoreError> {
    lock.unlock()
        .map_err(|error| StoreError::Io(error.to_string()))?;
    let mut waited = Duration::ZERO;
    while !is_shared(&lock)? {
        pause(&mut waited).await?;
    }
    Ok(lock)
}

/// Whether it could be locked shared.
fn is_shared(file: &File) -> Result<bool, StoreError> {
    match file.try_lock_shared() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(not_locked(&error)),
    }
}

fn not_locked(error: &std::io::Error) -> StoreError {
    StoreError::Io(format!("cannot lock the database: {error}"))
}

/// Waits a little for another process; [`StoreError::Busy`] when it has `waited` for long enough.
pub async fn pause(waited: &mut Duration) -> Result<(), StoreError> {
    if *waited >= PATIENCE {
        return Err(StoreError::Busy);
    }
    tokio::time::sleep(PAUSE).await;
    *waited += PAUSE;
    Ok(())
}
