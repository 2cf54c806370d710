//! The Advancement section: experience, levels, skills that get better by use.

pub mod model;
mod read;

use crate::rules::language::entry::SectionEntry;
use crate::rules::language::summary::Summary;
use crate::rules::language::system::System;
use crate::rules::section::SectionKind;

pub use model::{Advancement, Earned, Improvement, Threshold};

/// The section.
pub const SECTION: SectionEntry = SectionEntry {
    read: |outline, system, ledger| system.advancement = read::read(outline, system, ledger),
    describe,
    ..SectionEntry::of(SectionKind::Advancement)
};

/// One line an item.
fn describe(system: &System, summary: &mut Summary) {
    let own = &system.advancement;
    if let Some(level_up) = &own.level_up {
        summary.line("level up at", &format!("{} experience points", level_up.what), Some(&level_up.place));
    }
    if let (Some(first), Some(last)) = (own.thresholds.first(), own.thresholds.last()) {
        let what = format!("a table from level {} ({}) to {} ({})", first.level, first.xp, last.level, last.xp);
        summary.line("levels", &what, own.thresholds_place.as_ref());
    }
    if let Some(ticks) = &own.ticks {
        let outcomes: Vec<String> = ticks.what.iter().map(ToString::to_string).collect();
        summary.line("tick", &format!("a skill by {}", outcomes.join(", ")), Some(&ticks.place));
    }
    if let Some(improvement) = &own.improvement {
        let what = format!("{} gains it {}", improvement.describe(), improvement.gain);
        summary.line("each tick", &what, Some(&improvement.place));
    }
}
