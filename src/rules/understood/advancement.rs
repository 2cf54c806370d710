//! Everything of the Advancement section.

use super::clipped;
use super::sheet::Sheet;
use crate::rules::advancement::Advancement;

/// One line an item.
pub(super) fn advancement(own: &Advancement, sheet: &mut Sheet) {
    if let Some(level_up) = &own.level_up {
        sheet.line("level up at", &format!("{} experience points", level_up.what), Some(&level_up.place));
    }
    if let (Some(first), Some(last)) = (own.thresholds.first(), own.thresholds.last()) {
        let what = format!("a table from level {} ({}) to {} ({})", first.level, first.xp, last.level, last.xp);
        sheet.line("levels", &what, own.thresholds_place.as_ref());
    }
    if let Some(ticks) = &own.ticks {
        let by = if ticks.what.earned.is_some() { "by the check itself" } else { "by the GM" };
        sheet.line("tick a skill", &format!("when {}, {by}", ticks.what.when), Some(&ticks.place));
    }
    if let Some(improvement) = &own.improvement {
        let side = if improvement.above { "above" } else { "below" };
        let from = improvement.from.map_or(String::new(), |from| format!(" or {from}+"));
        let what = format!("roll {}; {side} the skill{from} it gains {}", improvement.roll, improvement.gain);
        sheet.line(&improvement.when, &what, Some(&improvement.place));
    }
    for track in &own.tracks {
        sheet.line(&track.name, &format!("{} marks", track.size), Some(&track.place));
    }
    if let Some(milestones) = &own.milestones {
        sheet.line("milestones", &milestones.what.join(", "), Some(&milestones.place));
    }
    for left in &own.left {
        sheet.line("", &format!("\"{}\", for the GM", clipped(&left.what)), Some(&left.place));
    }
}
