//! How diagnostics look, one form a file.

mod human;
mod plain;

pub use human::human;
pub use plain::plain;
