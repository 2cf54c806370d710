//! A damaged file: told from every other error, and refused with its newest good backup named. It is never made anew.

use std::path::Path;

use super::backup;
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

/// The refusal of a damaged file: what is wrong. [`advised`] adds what to do.
pub(super) fn refused(path: &Path, reason: &str) -> StoreError {
    StoreError::Damaged { path: path.display().to_string(), reason: reason.to_owned(), advice: String::new() }
}

/// Adds to the refusal of a damaged file how to go back to its newest good backup.
pub(super) async fn advised(path: &Path, error: StoreError) -> StoreError {
    match error {
        StoreError::Damaged { path: at, reason, advice } if advice.is_empty() => {
            let advice = backup::advice(path).await.unwrap_or_else(|| {
                "There is no good backup beside it. Keep the file, and name another with --db to play on".to_owned()
            });
            StoreError::Damaged { path: at, reason, advice }
        }
        other => other,
    }
}

/// What was done, or its error as it is refused.
pub(super) async fn told<T>(path: &Path, done: Result<T, StoreError>) -> Result<T, StoreError> {
    match done {
        Ok(done) => Ok(done),
        Err(error) => Err(advised(path, damaged_store(path, error)).await),
    }
}
