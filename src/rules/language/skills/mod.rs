//! The Skills section: what a character has learned.

pub mod read;
pub mod skill;

pub use skill::Skill;
