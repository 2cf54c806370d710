//! How diagnostics look, one form a file.

mod github;
mod human;
mod json;
mod plain;
mod sarif;

pub use github::github;
pub use human::human;
pub use json::json;
pub use plain::plain;
pub use sarif::sarif;
