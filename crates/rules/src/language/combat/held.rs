//! What becomes of effects that somebody holds.

use rollbook_dice::Formula;
use rollbook_text::diagnostic::Place;

/// `- Held effects: ask Will against 10, end with Stunned`: what becomes of effects that somebody holds. Nothing said: damage asks for
/// nothing, and they end when the holder is down.
#[derive(Debug, Clone, PartialEq)]
pub struct Held {
    /// The check, skill or attribute that damage to the holder asks for, named as it is declared.
    pub asks: String,
    /// The difficulty, over `{hit}`, what came through; none: the check has its own, or the GM says it.
    pub against: Option<Formula>,
    /// Conditions in which nobody holds anything, named as they are declared.
    pub ends: Vec<String>,
    pub place: Place,
}
