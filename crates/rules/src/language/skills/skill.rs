//! Skills.

use crate::language::number_table::Base;
use rollbook_text::diagnostic::{Place, Span};

/// What a character may have learned, or can try unlearned.
#[derive(Debug, Clone, PartialEq)]
pub struct Skill {
    pub name: String,
    /// The name of its attribute, as declared.
    pub attribute: Option<String>,
    /// The lowest and the highest number, if the file gives a range.
    pub range: Option<(i64, i64)>,
    /// What it is worth unlearned; zero if none.
    pub base: Option<Base>,
    /// The check that rolls it where a call names none: the one with its table; none: the first.
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
    /// A bullet of the section.
    List,
    /// A column of numbers: `| Level | Death |`.
    Column,
    /// A class in a table with rows for each class.
    Kind,
}
