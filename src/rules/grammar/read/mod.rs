//! The lines of each section.

pub mod advancement;
pub mod checks;
pub mod combat;
pub mod conditions;
pub mod dice;
pub mod health;
pub mod scores;
