//! The table in the terminal: a model behind each of the three APIs, played by a fake on this computer; commands; what a terminal shows.

mod broken;
mod confirm;
mod fake;
mod limits;
mod lockhouse;
mod memory;
mod mounted;
mod piped;
mod rig;
mod secret;
mod talk;
#[cfg(unix)]
mod terminal;
