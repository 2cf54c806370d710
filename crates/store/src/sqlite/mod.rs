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
//! 6. [`notice`]: what a GM's file says first.
//! 7. [`migrate`]: making the schema.
//! 8. [`schema`]: whether the schema is the one the program makes.
//! 9. [`soundness`]: whether the file is sound.
//! 10. [`backups`]: the backups that there are.
//! 11. [`owner`]: whether a file is ours to open.
//! 12. [`reader`]: opening a database to read it.
//! 13. [`copy`]: copies of the database.
//! 14. [`players_undone`]: what undos took back there of which players have only the sentence.
//! 15. [`players`]: the players' file.
//! 16. [`players_copy`]: the same when it came back.
//! 17. [`backup`]: making a backup.
//! 18. [`fresh`]: a new database.
//! 19. [`lock`]: the lock beside the database.
//! 20. [`restore`]: putting a database back from a copy.
//! 21. [`pending`]: what the calls of a commit are to write.
//! 22. [`writer`]: the connection that plays.
//! 23. [`mod@open`]: opening a database to play.
//! 24. [`alone`]: a database that no other process writes to.

mod alone;
pub mod backup;
pub mod backups;
mod connection;
pub(super) mod copy;
mod error;
mod file;
mod fresh;
mod header;
mod journal;
mod lock;
pub mod migrate;
pub mod notice;
mod open;
mod owner;
mod pending;
pub mod players;
pub mod players_copy;
mod players_undone;
mod reader;
mod restore;
pub(super) mod schema;
mod soundness;
mod writer;

pub use alone::Alone;
pub use file::RawFile;
pub use fresh::Durability;
pub use open::{open, open_throw_away, open_waiting};
pub(super) use reader::{check_storage, connect_read_only};
pub use restore::PutBack;
pub use writer::{Sqlite, Turn};
