//! The log in PostgreSQL, on a server that others run.
//!
//! Each module uses only what stands before it:
//!
//! 1. [`migrate`]: making the schema.
//! 2. [`schema`]: whether the schema is the one the program makes.
//! 3. [`server`]: a connection to a server, and a database that is open to play in.

pub mod migrate;
pub(crate) mod schema;
pub mod server;
