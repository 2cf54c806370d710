//! Backups of a database: whole copies in a folder beside it, each checked before it gets its name.
//!
//! One is made at a session's end, at most one an hour, and the last three are kept. Another is made before a migration, beside
//! the database itself, and kept for good. A copy that is broken off has no name yet, so it never counts.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use chrono::{DateTime, NaiveDateTime, Utc};
use sqlx::sqlite::SqliteConnection;

use super::soundness::quick_check;
use super::{damage, migrate, open, owner};
use crate::store::draft::Draft;
use crate::store::{StoreError, special};

/// Backups that are kept.
const KEPT: usize = 3;
/// Microseconds between two.
const APART: i64 = 60 * 60 * 1_000_000;
/// Backups that are looked at for the newest good one.
const LOOKED_AT_MAX: usize = 8;
/// When it was made, in its name.
const STAMP: &str = "%Y-%m-%dT%H-%M-%SZ";

/// Where a database's backups lie.
pub fn folder(database: &Path) -> PathBuf {
    owner::beside_it(database, ".backups")
}

/// Makes a backup, unless the last one is not an hour old or there is nothing to keep; answers where it lies.
///
/// # Errors
/// When it cannot be written, or is not sound: then the database is not either.
pub async fn make(database: &Path, now: i64) -> Result<Option<PathBuf>, StoreError> {
    let made = made(database);
    if made.iter().any(|last| now.saturating_sub(last.at).saturating_abs() < APART) {
        return Ok(None);
    }
    let mut connection = open::connect_read_only(database).await?;
    if migrate::count(&mut connection).await? == 0 {
        return open::close(connection).await.map(|()| None);
    }
    let number = made.last().map_or(1, |last| last.number + 1);
    let stamp = DateTime::<Utc>::from_timestamp_micros(now).unwrap_or_default().format(STAMP);
    let out = folder(database).join(format!("{number:06}-{stamp}.db"));
    let copied = copy(&mut connection, &out).await;
    open::close(connection).await?;
    copied?;
    let mut old = self::made(database);
    old.truncate(old.len().saturating_sub(KEPT));
    for old in old {
        if let Err(error) = std::fs::remove_file(&old.path) {
            tracing::warn!("the old backup {} cannot be removed: {error}", old.path.display());
        }
    }
    Ok(Some(out))
}

/// Copies the whole database to a file that is not there yet, and looks whether the copy is sound before it gets its name.
pub async fn copy(connection: &mut SqliteConnection, out: &Path) -> Result<(), StoreError> {
    if let Some(folder) = out.parent() {
        let mut builder = std::fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(folder).map_err(|error| failed(folder, &error))?;
    }
    let draft = Draft::of(out)?;
    let path = draft.path().to_str().ok_or_else(|| failed(out, &"its path is no UTF-8"))?.to_owned();
    sqlx::query("vacuum into $1").bind(path).execute(connection).await?;
    if !is_good(draft.path()).await {
        return Err(failed(out, &"the copy is not sound"));
    }
    draft.finish()
}

/// The newest backup that is sound and holds a log.
pub async fn newest_good(database: &Path) -> Option<PathBuf> {
    for backup in all(database).into_iter().take(LOOKED_AT_MAX) {
        if is_good(&backup).await {
            return Some(backup);
        }
    }
    None
}

/// Every backup of a database, the newest first.
pub fn all(database: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = made(database).into_iter().map(|made| made.path).collect();
    found.extend(before_migrations(database));
    let time =
        |path: &PathBuf| std::fs::metadata(path).and_then(|about| about.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
    found.sort_by_cached_key(|path| std::cmp::Reverse((time(path), path.clone())));
    found
}

/// How to go back to the newest good backup, for the refusal of a database that cannot be opened.
pub async fn advice(database: &Path) -> Option<String> {
    let backup = newest_good(database).await?;
    let folder = database.parent()?;
    let name = database.file_name()?.to_string_lossy();
    let backup = backup.strip_prefix(folder).ok()?.display();
    let aside = std::iter::once("damaged".to_owned()).chain((2..).map(|nth| format!("damaged-{nth}")));
    let aside = aside.take(1000).find(|aside| folder.join(aside).symlink_metadata().is_err())?;
    let in_folder = shell(&folder.display().to_string());
    Some(format!(
        "The newest good backup is {backup}. To play on from it, stop every server of this database, run `cd {in_folder} && mkdir \
         {aside} && mv {0}* {aside} && cp {1} {0}` and start again",
        shell(&name),
        shell(&format!("{aside}/{backup}"))
    ))
}

struct Made {
    number: u64,
    at: i64,
    path: PathBuf,
}

/// The backups of sessions, oldest first.
fn made(database: &Path) -> Vec<Made> {
    let read = |path: PathBuf| {
        let (number, stamp) = path.file_name()?.to_str()?.strip_suffix(".db")?.split_once('-')?;
        let at = NaiveDateTime::parse_from_str(stamp, STAMP).ok()?.and_utc().timestamp_micros();
        Some(Made { number: number.parse().ok()?, at, path })
    };
    let mut made: Vec<Made> = files(&folder(database)).filter_map(read).collect();
    made.sort_by_key(|made| made.number);
    made
}

/// Where the copy is kept that is made before a migration.
pub fn before_migration(database: &Path, schema: i64, entries: i64) -> PathBuf {
    owner::beside_it(database, &format!("{BEFORE_MIGRATION}schema{schema:04}-entries{entries:012}"))
}

const BEFORE_MIGRATION: &str = ".backup-";

fn before_migrations(database: &Path) -> Vec<PathBuf> {
    let (Some(folder), Some(name)) = (database.parent(), database.file_name()) else { return Vec::new() };
    let prefix = format!("{}{BEFORE_MIGRATION}", name.to_string_lossy());
    files(folder)
        .filter(|file| file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&prefix)))
        .collect()
}

/// The regular files of a folder; none where there is no such folder.
fn files(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file())).map(|entry| entry.path())
}

/// Whether every page of it is sound, its schema is what it says, and a log is in it.
pub async fn is_good(backup: &Path) -> bool {
    if special::at(backup).is_some() {
        return false;
    }
    let Ok(mut connection) = open::read_only(backup).await else { return false };
    let entries = entries(&mut connection, backup).await;
    let _ = open::close(connection).await;
    entries.is_ok_and(|entries| entries > 0)
}

/// The entries of a sound database.
async fn entries(connection: &mut SqliteConnection, path: &Path) -> Result<i64, StoreError> {
    let found = migrate::version(connection).await?;
    if let Some(what) = migrate::contradiction(connection, found).await? {
        return Err(damage::refused(path, &what));
    }
    quick_check(connection, path).await?;
    migrate::count(connection).await
}

/// A word as a shell takes it.
fn shell(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-".contains(letter);
    if word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

fn failed(path: &Path, error: &dyn std::fmt::Display) -> StoreError {
    StoreError::Io(format!("the backup {} could not be made: {error}", path.display()))
}

#[cfg(test)]
pub(super) mod tests;
