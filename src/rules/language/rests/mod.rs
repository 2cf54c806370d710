//! Rests and ends of scenes, in the Health section.

pub mod read;
pub mod recovery;
pub mod rest;

pub use recovery::{Recoverable, recoverable};
pub use rest::{Rest, RestEffect};
