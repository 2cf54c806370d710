//! The Examples section: playtests, which [`crate::playtest`] reads and runs.

use super::entry::SectionEntry;
use crate::rules::section::SectionKind;

/// The section.
pub const SECTION: SectionEntry = SectionEntry::of(SectionKind::Examples);
