//! What advantage and disadvantage do.

use crate::diagnostic::Place;
use crate::dice::Formula;

/// What advantage or disadvantage puts in the place of a check's main die.
#[derive(Debug, Clone, PartialEq)]
pub struct Swap {
    /// The dice that come instead: `2d20kh1`.
    pub roll: Formula,
    /// The line that says so; for an assumed one the line with the d20.
    pub place: Option<Place>,
    /// Whether the file leaves it to a default.
    pub assumed: bool,
}
