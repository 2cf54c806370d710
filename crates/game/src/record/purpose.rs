//! What rolls are for. These words are in every log, so they never change.

use crate::record::entry::RollRecord;

/// The roll of a check.
pub const ROLL: &str = "skill_check";
/// The opposing dice of a check's rule.
pub const OPPOSING: &str = "opposing";
/// The opponent's roll in an opposed check.
pub const OPPOSED: &str = "opposed";
/// A roll that follows an earlier one; it includes the kept dice.
pub const AGAIN: &str = "again";
/// An initiative roll.
pub const INITIATIVE: &str = "initiative";
/// The gain of a ticked skill.
pub const GAIN: &str = "gain";
/// The score of a new character, followed by the attribute's name.
pub const ATTRIBUTE: &str = "attribute ";

impl RollRecord {
    /// The attribute whose score the roll made.
    pub fn attribute(&self) -> Option<&str> {
        self.purpose.strip_prefix(ATTRIBUTE)
    }
}
