//! The Advancement section: experience, levels, skills that improve by use.

pub mod model;
mod read;

use crate::language::summary::Summary;
use crate::language::system::System;
use crate::section::SectionKind;

pub use model::{Advancement, Improvement, Threshold};
pub use read::read;

/// Writes the summary's lines about advancement.
pub fn describe(system: &System, summary: &mut Summary) {
    for bullet in system.bullets(SectionKind::Advancement) {
        summary.line(&bullet.label, &bullet.text, Some(&bullet.place));
    }
    let advancement = &system.advancement;
    if let (Some(first), Some(last)) = (
        advancement.thresholds.first(),
        advancement.thresholds.last(),
    ) {
        let what = format!(
            "a table from level {} ({}) to {} ({})",
            first.level, first.xp, last.level, last.xp
        );
        summary.line("levels", &what, advancement.thresholds_place.as_ref());
    }
}
