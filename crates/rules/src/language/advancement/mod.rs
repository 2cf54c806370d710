//! The Advancement section: experience, levels, skills that get better by use.

pub mod model;
mod read;

use crate::language::summary::Summary;
use crate::language::system::System;
use crate::section::SectionKind;

pub use model::{Advancement, Improvement, Threshold};
pub use read::read;

/// Its lines of the summary.
pub fn describe(system: &System, summary: &mut Summary) {
    for own in system.bullets(SectionKind::Advancement) {
        summary.line(&own.label, &own.text, Some(&own.place));
    }
    let own = &system.advancement;
    if let (Some(first), Some(last)) = (own.thresholds.first(), own.thresholds.last()) {
        let what = format!("a table from level {} ({}) to {} ({})", first.level, first.xp, last.level, last.xp);
        summary.line("levels", &what, own.thresholds_place.as_ref());
    }
}
