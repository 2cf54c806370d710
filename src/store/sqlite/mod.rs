//! The log in SQLite through sqlx: one file, WAL, `synchronous = FULL`.
//!
//! With NORMAL, power loss can lose acknowledged entries while the chain still verifies; FULL costs one sync a call
//! and loses none. `begin immediate` takes the write lock at once, because a lock taken at the first write fails
//! half of all calls with two processes.
//!
//! Each module uses only what stands before it:
//!
//! 1. [`error`]: SQLite's errors in the store's terms.
//! 2. [`mod@file`]: the database's file beside SQLite.
//! 3. [`connection`]: connections to it.
//! 4. [`journal`]: a rollback journal that a killed process left.
//! 5. [`header`]: the first bytes of the file.
//! 6. [`page`]: many rows of the log as one.
//! 7. [`read`]: reading the log.
//! 8. [`load`]: the state tables as a state.
//! 9. [`append`]: writing the log.
//! 10. [`fold`]: writing the state tables.
//! 11. [`migrate`]: bringing the schema up to date.
//! 12. [`schema`]: whether the schema is the one the migrations make.
//! 13. [`soundness`]: whether the file is sound.
//! 14. [`backups`]: the backups that there are.
//! 15. [`owner`]: whether a file is ours to open.
//! 16. [`copy`]: copies of the database.
//! 17. [`players`]: the players' file.
//! 18. [`reader`]: opening a database to read it.
//! 19. [`backup`]: making a backup.
//! 20. [`fresh`]: a new database.
//! 21. [`lock`]: the lock beside the database.
//! 22. [`writer`]: the connection that plays.
//! 23. [`keys`]: the table of keys.
//! 24. [`mod@open`]: opening a database to play.
//! 25. [`campaigns`]: the campaigns of a database as a whole.

mod append;
pub mod backup;
pub mod backups;
mod campaigns;
mod connection;
mod copy;
mod error;
mod file;
mod fold;
mod fresh;
mod header;
mod journal;
mod keys;
mod load;
mod lock;
pub mod migrate;
mod open;
mod owner;
mod page;
pub mod players;
mod read;
mod reader;
mod schema;
mod soundness;
mod writer;

pub use campaigns::Alone;
pub use fresh::{Durability, Preparing};
pub use open::{open, open_prepared, open_throw_away, open_waiting};
pub use reader::ReadOnly;
pub use writer::Sqlite;
