//! Where the log lives. [`Store`] is a database that is open to play in, [`Reader`] one that is read.
//!
//! The order of a write is the design's heart: the write lock first, then the head of the log, then what other
//! processes wrote, then the decision with its dice, then append and fold, then commit; and no answer before the
//! commit returned.
//!
//! Each module uses only what stands before it:
//!
//! 1. [`error`]: what can go wrong below the table.
//! 2. [`canonical`]: one byte string for one value.
//! 3. [`record`]: the records a store keeps.
//! 4. [`keys`]: keys of seats.
//! 5. [`chain`]: the hashes of the log.
//! 6. [`special`]: what is no regular file.
//! 7. [`draft`]: a file in the making.
//! 8. [`hosts`]: the hosts of a server's address.
//! 9. [`location`]: where a book lies.
//! 10. [`migrations`]: the statements that make a database.
//! 11. [`checkpoint`]: receipts beside the database.
//! 12. [`absent`]: campaigns that checkpoints know and a database does not hold.
//! 13. [`sql`]: the log and its tables in SQL.
//! 14. [`pool`]: connections that are lent.
//! 15. [`sqlite`]: the log in a file of SQLite.
//! 16. [`postgres`]: the log in PostgreSQL.
//! 17. [`removal`]: the removal of a campaign.
//! 18. [`rebuild`]: the tables made anew from the log.
//! 19. [`opened`]: a database that is open to play in.
//! 20. [`transfer`]: campaigns carried from one database to another.
//! 21. [`dump`]: a database on a server as a file of SQLite.
//! 22. [`reader`]: reading a database of logs.
//! 23. [`replacement`]: campaigns of a server put back from a file.
//! 24. [`parallel`]: work on a log page by page, on every core.
//! 25. [`verify`]: whether a log is what was written.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::dbg_macro)]

pub mod absent;
pub mod canonical;
pub mod chain;
pub mod checkpoint;
pub mod draft;
pub mod dump;
pub mod error;
pub mod hosts;
pub mod keys;
pub mod location;
pub mod migrations;
pub mod opened;
pub mod parallel;
pub mod pool;
pub mod postgres;
pub mod reader;
pub mod rebuild;
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
