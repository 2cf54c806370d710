//! What can be true of a roll beside its outcome.

use super::when::When;
use crate::diagnostic::{Place, Span};

/// A condition beside the outcome: glitch, messy, match. `Flag glitch: ones at least dice / 2`.
#[derive(Debug, Clone, PartialEq)]
pub struct Flag {
    /// Name as the author writes it.
    pub name: String,
    /// When it is raised.
    pub when: When,
    /// The rule that the roll must have been followed by: `after Push`; named as it is declared.
    pub after: Option<String>,
    /// The same in the author's words.
    pub when_text: String,
    /// Where it stands.
    pub place: Place,
    /// Where it stands, in bytes.
    pub span: Span,
}
