//! What a character has learned.

use crate::language::number_table::Base;
use rollbook_text::diagnostic::{Place, Span};

/// What a character has learned, or a thing everyone can try.
#[derive(Debug, Clone, PartialEq)]
pub struct Skill {
    pub name: String,
    /// Name of the attribute it is linked to, as that attribute is declared.
    pub attribute: Option<String>,
    /// Lowest and highest number, both allowed; none when the file gives no range.
    pub range: Option<(i64, i64)>,
    /// What it is worth unlearned; zero when none.
    pub base: Option<Base>,
    /// The check that it is rolled by where a call names none: the one below whose heading its table stands. None: the first.
    pub check: Option<String>,
    /// The author's words about it; may be empty.
    pub about: String,
    /// What declares it.
    pub by: DeclaredBy,
    pub place: Place,
    pub span: Span,
}

/// What declares a skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeclaredBy {
    /// The list or the table of skills.
    List,
    /// A column of numbers: `| Level | Death |`.
    Column,
    /// A row of a table that has rows for each class: what somebody is.
    Kind,
}
