//! The log in SQLite through sqlx: one file, WAL, `synchronous = FULL`.
//!
//! With NORMAL, power loss can lose acknowledged entries while the chain still verifies; FULL costs one sync a call
//! and loses none. `begin immediate` takes the write lock at once, because a lock taken at the first write fails
//! half of all calls with two processes.
//!
//! Each module uses only what stands before it:
//!
//! 1. [`mod@file`]: the database's file beside SQLite.
//! 2. [`connection`]: connections to it.
//! 3. [`header`]: the first bytes of the file, and of a journal that a killed process left.
//! 4. [`notice`]: what a GM's file says first.
//! 5. [`migrate`]: making the schema.
//! 6. [`schema`]: whether the schema is the one the program makes.
//! 7. [`soundness`]: whether the file is sound.
//! 8. [`backups`]: the backups that there are.
//! 9. [`owner`]: whether a file is ours to open.
//! 10. [`reader`]: opening a database to read it.
//! 11. [`copy`]: copies of the database.
//! 12. [`players_undone`]: what undos took back there of which players have only the sentence.
//! 13. [`players`]: the players' file.
//! 14. [`players_copy`]: the same when it came back.
//! 15. [`backup`]: making a backup.
//! 16. [`fresh`]: a new database.
//! 17. [`lock`]: the lock beside the database.
//! 18. [`restore`]: putting a database back from a copy.
//! 19. [`pending`]: what the calls of a commit are to write.
//! 20. [`writer`]: the connection that plays.
//! 21. [`mod@open`]: opening a database to play, or alone.

pub mod backup;
pub mod backups;
mod connection;
pub(super) mod copy;
mod file;
mod fresh;
mod header;
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

pub use file::RawFile;
pub use fresh::Durability;
pub use open::{Alone, open, open_throw_away, open_waiting};
pub(super) use reader::{check_storage, connect_read_only};
pub use restore::PutBack;
pub use writer::{Sqlite, Turn};
