//! A damaged file: told from every other error, and refused with its newest backup named. It is never made anew.

use std::path::Path;

use super::migrate;
use crate::store::StoreError;

/// SQLITE_CORRUPT (11) and SQLITE_NOTADB (26) mean damage; the rest is passed on.
pub(super) fn damaged(path: &Path, error: sqlx::Error) -> StoreError {
    match super::code(&error) {
        Some(11 | 26) => refused(path, &error.to_string()),
        _ => error.into(),
    }
}

/// The same of what a store says.
pub(super) fn damaged_store(path: &Path, error: StoreError) -> StoreError {
    match error {
        StoreError::Database(error) => damaged(path, error),
        other => other,
    }
}

/// The refusal of a damaged file: what is wrong, and which backup is the newest.
pub(super) fn refused(path: &Path, reason: &str) -> StoreError {
    let advice = match migrate::newest_backup(path) {
        Some(backup) => {
            format!("The newest backup is {}; copy it to a new place and name that with --db", backup.display())
        }
        None => "There is no backup beside it. Keep the file, and name another with --db to play on".to_owned(),
    };
    StoreError::Damaged { path: path.display().to_string(), reason: reason.to_owned(), advice }
}
