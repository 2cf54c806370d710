//! What can be the matter with a character.

use crate::diagnostic::{Place, Span};

/// A condition that the file names. Its words are kept; what it changes is for the GM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConditionRule {
    /// Name as the author writes it: "Poisoned".
    pub name: String,
    /// The author's words about it; may be empty.
    pub about: String,
    /// Where it stands.
    pub place: Place,
    /// Where it stands, in bytes.
    pub span: Span,
}
