//! Everything of the Advancement section.

use super::model::Advancement;
use crate::rules::language::summary::{Summary, clipped};

/// One line an item.
pub fn advancement(own: &Advancement, summary: &mut Summary) {
    if let Some(level_up) = &own.level_up {
        summary.line("level up at", &format!("{} experience points", level_up.what), Some(&level_up.place));
    }
    if let (Some(first), Some(last)) = (own.thresholds.first(), own.thresholds.last()) {
        let what = format!("a table from level {} ({}) to {} ({})", first.level, first.xp, last.level, last.xp);
        summary.line("levels", &what, own.thresholds_place.as_ref());
    }
    if let Some(ticks) = &own.ticks {
        let by = if ticks.what.earned.is_some() { "by the check itself" } else { "by the GM" };
        summary.line("tick a skill", &format!("when {}, {by}", ticks.what.when), Some(&ticks.place));
    }
    if let Some(improvement) = &own.improvement {
        let side = if improvement.above { "above" } else { "below" };
        let from = improvement.from.map_or(String::new(), |from| format!(" or {from}+"));
        let what = format!("roll {}; {side} the skill{from} it gains {}", improvement.roll, improvement.gain);
        summary.line(&improvement.when, &what, Some(&improvement.place));
    }
    for track in &own.tracks {
        summary.line(&track.name, &format!("{} marks", track.size), Some(&track.place));
    }
    if let Some(milestones) = &own.milestones {
        summary.line("milestones", &milestones.what.join(", "), Some(&milestones.place));
    }
    for left in &own.left {
        summary.line("", &format!("\"{}\", for the GM", clipped(&left.what)), Some(&left.place));
    }
}
