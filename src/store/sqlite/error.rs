//! SQLite's errors in the store's terms.

use std::path::Path;

use crate::store::StoreError;

/// For busy the caller can wait, for the disk somebody can make room.
impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        match code(&error) {
            Some(5) => StoreError::Busy,
            // Read-only, input or output, full, cannot be opened.
            Some(8 | 10 | 13 | 14) => StoreError::Disk(error.to_string()),
            _ => StoreError::Database(error),
        }
    }
}

/// SQLite's primary result code; extended codes keep it in their low byte.
pub(super) fn code(error: &sqlx::Error) -> Option<i64> {
    error.as_database_error()?.code()?.parse::<i64>().ok().map(|code| code & 0xff)
}

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
