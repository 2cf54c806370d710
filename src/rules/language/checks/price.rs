//! Dice that following a roll adds to it: `adds 1 stress`.

use crate::dice::Expression;

/// Dice that are added to a roll that is followed; they are rolled with those that are rolled again.
#[derive(Debug, Clone, PartialEq)]
pub struct Added {
    /// The folded label of the group that they belong to.
    pub label: String,
    /// The same as dice: `1d6[stress]`.
    pub dice: Expression,
}
