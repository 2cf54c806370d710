//! Where the log lives. [`Store`] is a database open to play in, [`Reader`] one that is read.
//!
//! The order of a write is the design's heart: the write lock first, then the head of the log, then
//! what other processes wrote, then the decision with its dice, then append and fold, then commit;
//! and no answer before the commit returned.
//!
//! Each module uses only what stands before it:
//!
//! 1. [`error`]: what can go wrong below the table.
//! 2. [`canonical`]: one byte string for one value.
//! 3. [`record`]: the records a store keeps.
//! 4. [`chain`]: the hashes of the log.
//! 5. [`special`]: what is no regular file.
//! 6. [`draft`]: a file in the making.
//! 7. [`location`]: where a book lies.
//! 8. [`migrations`]: the statements that make a database.
//! 9. [`checkpoint`]: receipts beside the database.
//! 10. [`sql`]: the log and its tables in SQL.
//! 11. [`keys`]: keys of seats.
//! 12. [`pool`]: connections that are lent.
//! 13. [`sqlite`]: the log in a file of SQLite.
//! 14. [`postgres`]: the log in PostgreSQL.
//! 15. [`removal`]: a campaign removed, or its tables made anew.
//! 16. [`opened`]: a database that is open to play in.
//! 17. [`transfer`]: campaigns carried from one database to another, or to a file.
//! 18. [`reader`]: reading a database of logs.
//! 19. [`replacement`]: campaigns of a server put back from a file.
//! 20. [`parallel`]: work on a log page by page, on every core.
//! 21. [`verify`]: whether a log is what was written.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

// `src/migrations.rs`, which the tests read, too, names this crate.
#[cfg(test)]
extern crate self as rollbook_store;

pub mod canonical;
pub mod chain;
pub mod checkpoint;
pub mod draft;
mod error;
pub mod keys;
pub mod location;
pub mod migrations;
pub mod opened;
pub mod parallel;
mod pool;
pub mod postgres;
mod reader;
pub mod record;
pub mod removal;
pub mod replacement;
pub mod special;
pub mod sql;
pub mod sqlite;
pub mod transfer;
pub mod verify;

pub use error::StoreError;
pub use opened::{Store, Turn};
pub use pool::Lent;
pub use reader::{Former, Reader};
pub use record::{Head, Identity, LogRow, Position, Remarks, Remembered, RollRow, Sealed};
pub use sql::connection::Connection;
pub use sql::page::Page;
