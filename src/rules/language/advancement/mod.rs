//! The Advancement section: experience, levels, skills that get better by use.

pub mod model;
mod read;

use crate::rules::language::summary::Summary;
use crate::rules::language::system::System;

pub use model::{Advancement, Improvement, Threshold};
pub use read::read;

/// One line an item.
/// Its lines of the summary.
pub fn describe(system: &System, summary: &mut Summary) {
    let own = &system.advancement;
    if let Some(level_up) = &own.level_up {
        summary.line("level up at", &format!("{} experience points", level_up.what), Some(&level_up.place));
    }
    if let (Some(first), Some(last)) = (own.thresholds.first(), own.thresholds.last()) {
        let what = format!("a table from level {} ({}) to {} ({})", first.level, first.xp, last.level, last.xp);
        summary.line("levels", &what, own.thresholds_place.as_ref());
    }
    if let Some(ticks) = &own.ticks {
        summary.line("tick", &format!("a skill by {}", ticks.what.join(", ")), Some(&ticks.place));
    }
    if let Some(improvement) = &own.improvement {
        let what = format!("{} gains it {}", improvement.describe(), improvement.gain);
        summary.line("each tick", &what, Some(&improvement.place));
    }
}
