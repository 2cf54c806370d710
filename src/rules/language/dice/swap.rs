//! What advantage and disadvantage do.

use crate::diagnostic::Place;
use crate::dice::{Formula, Mode};
use crate::rules::when::facts::Succeed;

/// What advantage or disadvantage puts in the place of a check's main die.
#[derive(Debug, Clone, PartialEq)]
pub struct Swap {
    /// The dice that come instead: `2d20kh1`; or those that come to the others.
    pub roll: Formula,
    /// Whether they come to the others.
    pub adds: bool,
    /// The line that says so; for an assumed one the line with the d20.
    pub place: Option<Place>,
    /// Whether the file leaves it to a default.
    pub assumed: bool,
}

/// What a check itself says of advantage, or of disadvantage.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum OwnSwap {
    /// Nothing: it is as the Dice section has it.
    #[default]
    Unsaid,
    /// That there is none.
    Nothing,
    /// That these dice come in the place of its main dice.
    By(Swap),
}

impl OwnSwap {
    /// The dice, where it names some.
    pub fn swap(&self) -> Option<&Swap> {
        match self {
            OwnSwap::By(swap) => Some(swap),
            OwnSwap::Unsaid | OwnSwap::Nothing => None,
        }
    }
}

/// Two d20 of which the better or the worse is kept.
pub fn two_d20(mode: Mode, succeed: Succeed) -> &'static str {
    match (mode, succeed) {
        (Mode::Advantage, Succeed::AtLeast) | (Mode::Disadvantage, Succeed::AtMost) => "2d20kh1",
        (Mode::Advantage, Succeed::AtMost) | (Mode::Disadvantage, Succeed::AtLeast) => "2d20kl1",
    }
}
