//! Errors of databases in the store's terms.

use std::path::Path;
use std::sync::Arc;

use sqlx::error::DatabaseError;
use sqlx::postgres::PgDatabaseError;
use sqlx::sqlite::SqliteError;

use crate::StoreError;
use crate::error::damaged;
use rollbook_text::names::printable;

/// The server, or this database of it, only reads: a standby, or one whose disk is full.
const READS_ONLY: &str = "25006";

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        let words = || {
            error
                .as_database_error()
                .map_or_else(String::new, |refused| printable(refused.message()))
        };
        if state(&error) == Some(READS_ONLY) {
            return StoreError::ReadOnly(words());
        }
        if let Some(why) = lost(&error) {
            return StoreError::Lost(why);
        }
        match state(&error) {
            Some("42501") => {
                let how =
                    "Name the user who made the tables in the address, or let that one grant it";
                return StoreError::Io(format!(
                    "the database server does not let this user do it: {}. {how}",
                    words()
                ));
            }
            Some("53100") => return StoreError::Disk(words()),
            Some(_) | None => {}
        }
        match code(&error) {
            Some(5) => StoreError::Busy,
            // Interrupted.
            Some(9) => StoreError::Io(
                "to read it takes more steps than its size explains: something in it was made never to end. Nothing was changed".to_owned(),
            ),
            // What was written may lie there whole, and be found by the next start.
            Some(10) if full_code(&error).is_some_and(|code| NOT_SYNCED.contains(&code)) => {
                StoreError::NotKnown(error.to_string())
            }
            // Read-only, input or output, full, cannot be opened.
            Some(8 | 10 | 13 | 14) => StoreError::Disk(error.to_string()),
            _ => StoreError::Database(Arc::new(error)),
        }
    }
}

/// SQLite's codes for a sync of a file and of its folder that failed.
const NOT_SYNCED: [i64; 2] = [1034, 1290];

/// SQLite's primary result code; extended codes keep it in their low byte.
pub fn code(error: &sqlx::Error) -> Option<i64> {
    full_code(error).map(|code| code & 0xff)
}

fn full_code(error: &sqlx::Error) -> Option<i64> {
    let error = error
        .as_database_error()?
        .try_downcast_ref::<SqliteError>()?;
    DatabaseError::code(error)?.parse().ok()
}

/// An error of that file: SQLITE_CORRUPT (11) and SQLITE_NOTADB (26) mean that it is damaged.
pub fn of_file(path: &Path, error: impl Into<StoreError>) -> StoreError {
    match error.into() {
        StoreError::Database(error) if matches!(code(&error), Some(11 | 26)) => {
            damaged(path, error.to_string())
        }
        StoreError::Record(reason) => damaged(path, reason),
        other => other,
    }
}

/// Whether the connection to a server is gone with the error.
pub fn is_gone(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) | sqlx::Error::Tls(_) | sqlx::Error::Protocol(_) => true,
        error => state(error).is_some_and(|state| {
            // 25P03: a transaction was idle for too long. 0A000: prepared for another schema.
            state.starts_with("08")
                || state.starts_with("57P")
                || matches!(state, "25P03" | READS_ONLY | "0A000")
        }),
    }
}

/// Why the call can be made again, where it can. A taken key was given at the same moment.
fn lost(error: &sqlx::Error) -> Option<String> {
    if is_gone(error) {
        return Some(format!("cannot be reached: {error}"));
    }
    // Serialization failure, deadlock, an unknown end, a limit of time, a row that is there.
    let is_given_up = matches!(
        state(error)?,
        "40001" | "40P01" | "40003" | "55P03" | "57014" | "23505"
    );
    is_given_up.then(|| format!("gave the call up: {error}"))
}

/// PostgreSQL's code of an error (SQLSTATE).
pub fn state(error: &sqlx::Error) -> Option<&str> {
    Some(
        error
            .as_database_error()?
            .try_downcast_ref::<PgDatabaseError>()?
            .code(),
    )
}
