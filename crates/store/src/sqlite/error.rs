//! SQLite's errors in the store's terms.

use std::path::Path;

use crate::StoreError;
use crate::sql::error::code;

/// An error of that file: SQLITE_CORRUPT (11) and SQLITE_NOTADB (26) mean that it is damaged.
pub(super) fn of_file(path: &Path, error: impl Into<StoreError>) -> StoreError {
    match error.into() {
        StoreError::Database(error) if matches!(code(&error), Some(11 | 26)) => damaged(path, &error.to_string()),
        StoreError::Record(reason) => damaged(path, &reason),
        other => other,
    }
}

/// The refusal of a damaged file: what is wrong. [`super::backups::advised`] adds what to do.
pub(super) fn damaged(path: &Path, reason: &str) -> StoreError {
    StoreError::Damaged { path: path.display().to_string(), reason: reason.to_owned(), advice: String::new() }
}

/// The refusal of a file that is left alone.
pub(super) fn not_opened(path: &Path, reason: String, advice: &str) -> StoreError {
    StoreError::NotOpened { path: path.display().to_string(), reason, advice: advice.to_owned() }
}
