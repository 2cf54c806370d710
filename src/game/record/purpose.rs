//! What rolls are for, as their records name it: the words stand in every log, so they never change.

use crate::game::record::entry::RollRecord;

/// The roll of a check.
pub const ROLL: &str = "skill_check";
/// The dice that a check's rule sets against it.
pub const OPPOSING: &str = "opposing";
/// The roll of somebody who opposes a check.
pub const OPPOSED: &str = "opposed";
/// A roll that follows another: the dice that stayed are in it.
pub const AGAIN: &str = "again";
/// Who acts when in a fight.
pub const INITIATIVE: &str = "initiative";
/// By how much a ticked skill got better.
pub const GAIN: &str = "gain";
/// The score of a new character, before the attribute's name. Older records go without the name.
pub const ATTRIBUTE: &str = "attribute ";

impl RollRecord {
    /// The attribute whose score the roll made.
    pub fn attribute(&self) -> Option<&str> {
        self.purpose.strip_prefix(ATTRIBUTE)
    }
}
