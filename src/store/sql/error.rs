//! Errors of databases in the store's terms.

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
pub fn code(error: &sqlx::Error) -> Option<i64> {
    let error = error.as_database_error()?.try_downcast_ref::<sqlx::sqlite::SqliteError>()?;
    sqlx::error::DatabaseError::code(error)?.parse::<i64>().ok().map(|code| code & 0xff)
}
