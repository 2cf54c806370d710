//! How diagnostics look, one form a file.

mod human;
mod json;
mod plain;

pub use human::human;
pub use json::json;
pub use plain::plain;
