//! What can be the matter with a character.

use crate::grammar::effect::{Change, Duration};
use rollbook_text::diagnostic::{Place, Span};

/// A condition that the file names: what it changes, how long it lasts, and the author's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConditionRule {
    /// Name as the author writes it: "Poisoned".
    pub name: String,
    /// Lowest and highest level: `Exhausted (1-6)`; none for one that is there or not.
    pub levels: Option<(i64, i64)>,
    /// What it changes; of each change what fits a check counts once.
    pub changes: Vec<Change>,
    /// How long it lasts; none: until it is removed.
    pub duration: Option<Duration>,
    /// The author's words about it; may be empty.
    pub about: String,
    pub place: Place,
    pub span: Span,
}
