//! Attributes.

use super::modifier::{Modifier, ModifierError};
use rollbook_text::diagnostic::{Place, Span};
use rollbook_text::names::fold;

/// Every character has a score in it: Strength, Notice, Hunger.
#[derive(Debug, Clone, PartialEq)]
pub struct Attribute {
    pub name: String,
    /// The short form, if any: `STR`.
    pub abbr: Option<String>,
    /// The author's words about it; may be empty.
    pub about: String,
    /// The lowest and the highest score, if the file gives a range.
    pub range: Option<(i64, i64)>,
    /// What a score is worth in an expression.
    pub modifier: Modifier,
    pub place: Place,
    pub span: Span,
}

impl Attribute {
    /// What `{STR}` means for a character with this score.
    ///
    /// # Errors
    /// When the file's formula cannot be computed for this score or its table has no row for it.
    pub fn modifier(&self, score: i64) -> Result<i64, ModifierError> {
        self.modifier.of(score)
    }

    /// The short form, else the name.
    pub fn short(&self) -> &str {
        self.abbr.as_deref().unwrap_or(&self.name)
    }

    /// Whether this folded name is its name or its short form.
    pub fn is_called(&self, folded: &str) -> bool {
        fold(&self.name) == folded || self.abbr.as_ref().is_some_and(|abbr| fold(abbr) == folded)
    }

    /// Whether a score is in the range, if any.
    pub fn allows(&self, score: i64) -> bool {
        self.range.is_none_or(|(low, high)| (low..=high).contains(&score))
    }
}
