//! The log in SQLite through sqlx: one file, WAL, `synchronous = FULL`.
//!
//! With NORMAL, power loss can lose acknowledged entries while the chain still verifies; FULL costs
//! one sync a call and loses none. `begin immediate` takes the write lock at once, because a lock
//! taken at the first write fails half of all calls with two processes.
//!
//! Each module uses only what stands before it:
//!
//! 1. [`mod@file`]: the database's file beside SQLite.
//! 2. [`connection`]: connections to it.
//! 3. [`notice`]: what a GM's file says first.
//! 4. [`migrate`]: making the schema.
//! 5. [`schema`]: whether the schema is the one the program makes.
//! 6. [`soundness`]: whether the file is sound.
//! 7. [`backups`]: the backups that there are.
//! 8. [`owner`]: whether a file is ours to open, and opening it to read.
//! 9. [`copy`]: copies of the database.
//! 10. [`players`]: the players' file, and the same when it came back.
//! 11. [`writer`]: the connection that plays.
//! 12. [`mod@open`]: opening a database to play, or alone, and putting one back from a copy.

pub mod backups;
mod connection;
pub(super) mod copy;
mod file;
pub(crate) mod migrate;
pub mod notice;
mod open;
mod owner;
pub mod players;
pub(super) mod schema;
mod soundness;
mod writer;

pub(crate) use connection::writing;
pub use copy::back_up;
pub(super) use file::BUSY;
pub(crate) use open::Alone;
pub use open::{PutBack, open, open_throw_away, prepare};
pub(super) use owner::{check_storage, connect_read_only};
pub use writer::{Sqlite, Turn};

/// A closed database in a folder.
#[cfg(test)]
async fn made() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("campaigns.db");
    open(&path).await.unwrap().close().await.unwrap();
    (folder, path)
}

/// Runs statements on a file as any program could.
#[cfg(test)]
async fn execute(path: &std::path::Path, sql: &str) {
    use sqlx::ConnectOptions as _;
    let options = sqlx::sqlite::SqliteConnectOptions::new()
        .filename(path)
        .foreign_keys(false);
    let mut connection = options.create_if_missing(true).connect().await.unwrap();
    sqlx::raw_sql(sqlx::AssertSqlSafe(sql.to_owned()))
        .execute(&mut connection)
        .await
        .unwrap();
    sqlx::Connection::close(connection).await.unwrap();
}

/// Overwrites bytes of a file.
#[cfg(test)]
fn damage(path: &std::path::Path, from: usize, bytes: usize) {
    let mut content = std::fs::read(path).unwrap();
    content
        .iter_mut()
        .skip(from)
        .take(bytes)
        .for_each(|byte| *byte = 0xff);
    std::fs::write(path, content).unwrap();
}
