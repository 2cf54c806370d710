//! The Examples section: playtests, which [`crate::playtest`] reads and runs.

use super::entry::SectionEntry;
use super::shape::{Shape, has_column};
use crate::rules::section::SectionKind;

/// The section.
pub const SECTION: SectionEntry = SectionEntry::of(Shape {
    table: |table| has_column(table, "skill_check") || has_column(table, "roll_dice"),
    fence: Some("playtest"),
    ..Shape::of(SectionKind::Examples, &["Examples"], &[])
});
