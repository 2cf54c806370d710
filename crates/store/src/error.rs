//! What can go wrong below the table.

use std::path::Path;
use std::sync::Arc;

use rollbook_text::names::for_shell;

/// Either the caller can wait ([`StoreError::Busy`]) or a person has to look.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// Another process held the write lock for too long. Nothing was written.
    #[error("another process is writing to the database and did not finish in time")]
    Busy,
    /// The file was left alone: it is not ours, no file, or not where its checkpoints say.
    #[error("the database {path} was not opened: {reason}. Nothing was changed. {advice}")]
    NotOpened {
        path: String,
        reason: String,
        advice: String,
    },
    /// It is what an export wrote to be read, not to be played with; `form` is in which format.
    #[error(
        "{path} is a copy {form} that `rollbook export` wrote, and no database. Nothing was changed. `rollbook verify --copy {quoted}` checks it. A \
         database is what a server plays with, a backup of that, or what `rollbook export --format db --audience gm` wrote of a whole log",
        quoted = for_shell(path)
    )]
    Copy { path: String, form: &'static str },
    /// Another file, or none, is where the open one was.
    #[error(
        "the database {path} is not the file any more that was opened: it was moved, removed or replaced"
    )]
    Moved { path: String },
    /// The open file or its log file was cut, or the latter removed: what is written would be lost.
    #[error("the database {path} is not as it was: {what}")]
    Cut { path: String, what: String },
    /// The disk did not say that it kept what was written.
    #[error("the disk did not confirm what was written: {0}")]
    NotKnown(String),
    /// The disk did not take it, or did not give it. Nothing was written.
    #[error("the disk refused: {0}")]
    Disk(String),
    /// The server only reads for now. Nothing was written.
    #[error("the database server only reads for now: {0}")]
    ReadOnly(String),
    /// The connection was lost, or the server ended the transaction: the call can be made again.
    #[error("the database server {0}")]
    Lost(String),
    /// The file was written by a later version of the program.
    #[error(
        "the database has schema {found}, and this program knows {known} at most; use a newer rollbook"
    )]
    Newer { found: i64, known: i64 },
    /// The file is not sound. It is never repaired or replaced without being asked for.
    #[error("the database {path} is damaged ({reason}). Nothing was changed. {advice}")]
    Damaged {
        path: String,
        reason: String,
        advice: String,
    },
    #[error("entry #{seq} cannot be read: {reason}")]
    Unreadable { seq: u64, reason: String },
    #[error("{0}")]
    Record(String),
    #[error("{0}")]
    Io(String),
    #[error("database: {0}")]
    Database(Arc<sqlx::Error>),
}

impl StoreError {
    /// The same of a file that is only read, where this helps, and not another place to play in.
    pub fn advising(self, advice: String) -> StoreError {
        match self {
            StoreError::NotOpened { path, reason, .. } => StoreError::NotOpened {
                path,
                reason,
                advice,
            },
            StoreError::Damaged { path, reason, .. } => StoreError::Damaged {
                path,
                reason,
                advice,
            },
            other => other,
        }
    }

    /// Whether it is the file at this place that is not as it should be.
    pub fn is_of(&self, file: &Path) -> bool {
        match self {
            StoreError::NotOpened { path, .. }
            | StoreError::Damaged { path, .. }
            | StoreError::Copy { path, .. } => *path == file.display().to_string(),
            _ => false,
        }
    }
}

/// The refusal of a damaged file; [`advised`](super::sqlite::backups::advised) adds what to do.
pub(crate) fn damaged(path: &Path, reason: impl Into<String>) -> StoreError {
    StoreError::Damaged {
        path: path.display().to_string(),
        reason: reason.into(),
        advice: String::new(),
    }
}

/// The refusal of a database that is left alone; its place is a path or an address.
pub(crate) fn not_opened(
    place: impl AsRef<Path>,
    reason: impl Into<String>,
    advice: impl Into<String>,
) -> StoreError {
    StoreError::NotOpened {
        path: place.as_ref().display().to_string(),
        reason: reason.into(),
        advice: advice.into(),
    }
}
