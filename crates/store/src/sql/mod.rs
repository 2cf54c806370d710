//! The log and its tables in SQL, for either kind of database.
//!
//! Each module uses only what stands before it:
//!
//! 1. [`error`]: errors in the store's terms.
//! 2. [`connection`]: a connection, statements and rows.
//! 3. [`script`]: several statements at once.
//! 4. [`batch`]: many rows of SQLite as one.
//! 5. [`tables`]: the state tables.
//! 6. [`read`]: reading the log.
//! 7. [`page`]: many rows of the log at once.
//! 8. [`search`]: finding entries by their words.
//! 9. [`append`]: writing the log.
//! 10. [`zone`]: the clock at a campaign's table.

pub mod append;
mod batch;
pub mod connection;
pub mod error;
pub mod page;
pub mod read;
pub mod script;
pub mod search;
pub mod tables;
pub mod zone;
