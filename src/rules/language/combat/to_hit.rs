//! A target's number that some skills are rolled against.

use crate::diagnostic::Place;

/// The number of a target that some skills are rolled against.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToHit {
    /// Skills and attributes, as they are declared.
    pub skills: Vec<String>,
    /// As the author writes it: Armour.
    pub number: String,
    /// What everybody has whose sheet has none, where the sentence says so.
    pub stated: Option<i64>,
    /// The check that it is rolled by, where one is declared; none: any that takes a difficulty.
    pub check: Option<String>,
    /// Where it stands.
    pub place: Place,
}
