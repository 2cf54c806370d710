//! The lines of each section.

pub mod advancement;
pub mod checks;
pub mod combat;
pub mod conditions;
pub mod dice;
pub mod health;
pub mod scores;

use super::cursor::Cursor;
use super::line::Line;

/// Reads the value of a label with a rule in it: `At 5 Stress`.
pub type ValueReader = Box<dyn FnOnce(&mut Cursor<'_>) -> Option<Line>>;
