//! A number that the rules state for everybody who has none of their own: "People wear Armour 10".

use crate::diagnostic::Place;

/// What a number is for everybody whose sheet has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stated {
    /// Name as the author writes it: Armour.
    pub name: String,
    /// The number.
    pub value: i64,
    /// Where it stands.
    pub place: Place,
}
