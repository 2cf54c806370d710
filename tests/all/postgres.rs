//! The same book on PostgreSQL. What needs a server passes without one, says in one line that it
//! was left out, and fails with `ROLLBOOK_POSTGRES=required`.

mod backups;
mod commands;
mod connect;
mod retries;
mod schema;
pub mod server;
