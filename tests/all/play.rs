//! The table in the terminal: a model behind each of the three APIs, played by a fake on this
//! computer; commands; what a terminal shows.

mod broken;
mod confirm;
pub mod fake;
pub mod limits;
mod mounted;
#[cfg(unix)]
mod picture;
pub mod piped;
mod players;
pub mod rig;
mod talk;
#[cfg(unix)]
mod terminal;
