//! Held effects.

use rollbook_dice::Formula;
use rollbook_text::diagnostic::Place;

/// `- Held effects: ask Will against 10, end with Stunned`: how effects that a character holds may end. Without it, damage asks for
/// no check, and they end when the holder is down.
#[derive(Debug, Clone, PartialEq)]
pub struct Held {
    /// The check, skill or attribute that damage to the holder asks for, named as declared.
    pub asks: String,
    /// The difficulty, which may use `{hit}`, the damage taken; none: the check's, or the GM gives it.
    pub against: Option<Formula>,
    /// Conditions that end all held effects, named as declared.
    pub ends: Vec<String>,
    pub place: Place,
}
