//! What goes down when a character is hurt, or up when they are harried.

use crate::diagnostic::{Place, Span};
use crate::dice::Formula;

/// A number that play moves: hit points, stress, momentum.
#[derive(Debug, Clone, PartialEq)]
pub struct Track {
    /// Name as the author writes it.
    pub name: String,
    /// Highest value, over a character's attributes and level; none when there is no top.
    pub max: Option<Formula>,
    /// Lowest value.
    pub min: i64,
    /// Where it begins.
    pub start: Start,
    /// Which way is worse.
    pub counts: Direction,
    /// Where it is declared.
    pub place: Place,
    /// Where it is declared, in bytes.
    pub span: Span,
}

/// Where a track begins.
#[derive(Debug, Clone, PartialEq)]
pub enum Start {
    /// At its maximum.
    Full,
    /// At its minimum.
    Empty,
    /// At this value.
    At(Formula),
}

/// Which way a track moves when things get worse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Hit points: damage takes away.
    Down,
    /// Stress: harm adds.
    Up,
}
