//! A part of a rule with the line it stands in.

use crate::diagnostic::Place;

/// A part of a rule with the line it stands in.
#[derive(Debug, Clone, PartialEq)]
pub struct Clause<T> {
    /// What it says.
    pub what: T,
    /// Where it stands.
    pub place: Place,
}
