//! The log and its tables in SQL, for either kind of database.
//!
//! Each module uses only what stands before it:
//!
//! 1. [`error`]: errors in the store's terms.
//! 2. [`connection`]: a connection, statements and rows.
//! 3. [`tables`]: the state tables.
//! 4. [`page`]: many rows of the log at once.
//! 5. [`read`]: reading the log.
//! 6. [`search`]: finding entries by their words.
//! 7. [`append`]: writing the log.
//! 8. [`zone`]: the clock at a campaign's table.

pub mod append;
pub mod connection;
pub mod error;
pub mod page;
pub mod read;
pub mod search;
pub mod tables;
pub mod zone;
