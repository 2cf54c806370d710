//! The log in PostgreSQL, on a server that others run.
//!
//! Each module uses only what stands before it:
//!
//! 1. [`mod@connect`]: connections to a server.
//! 2. [`migrate`]: bringing the schema up to date.

pub mod connect;
pub mod migrate;
