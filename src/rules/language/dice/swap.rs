//! What advantage and disadvantage do.

use crate::diagnostic::Place;
use crate::dice::{Formula, Mode};
use crate::rules::when::facts::Succeed;

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

/// Two d20 of which the better or the worse is kept.
pub fn two_d20(mode: Mode, succeed: Succeed) -> &'static str {
    match (mode, succeed) {
        (Mode::Advantage, Succeed::AtLeast) | (Mode::Disadvantage, Succeed::AtMost) => "2d20kh1",
        (Mode::Advantage, Succeed::AtMost) | (Mode::Disadvantage, Succeed::AtLeast) => "2d20kl1",
    }
}
