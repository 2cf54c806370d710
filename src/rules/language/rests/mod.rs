//! Rests and ends of scenes, in the Health section.

pub mod read;
pub mod recovery;
pub mod rest;

pub use recovery::{Recoverable, recoverable, recoverable_with_shared};
pub use rest::{Rest, RestEffect};
