//! The log in PostgreSQL, on a server that others run.
//!
//! Each module uses only what stands before it:
//!
//! 1. [`mod@connect`]: a connection to a server.
//! 2. [`migrate`]: making the schema.
//! 3. [`schema`]: whether the schema is the one the program makes.
//! 4. [`checkpoints`]: the table of checkpoints.
//! 5. [`server`]: a database that is open to play in.

mod checkpoints;
pub mod connect;
pub mod migrate;
pub(crate) mod schema;
pub mod server;
