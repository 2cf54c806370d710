//! Conditions of characters.

use crate::grammar::effect::{Change, Duration};
use rollbook_text::diagnostic::{Place, Span};

/// A condition that the file names: what it changes, how long it lasts, and the author's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConditionRule {
    /// As the author writes it: "Poisoned".
    pub name: String,
    /// The lowest and the highest level, if it has levels: `Exhausted (1-6)`.
    pub levels: Option<(i64, i64)>,
    /// What it changes; each change counts once for a check.
    pub changes: Vec<Change>,
    /// How long it lasts; none: until it is removed.
    pub duration: Option<Duration>,
    /// The author's words about it; may be empty.
    pub about: String,
    pub place: Place,
    pub span: Span,
}
