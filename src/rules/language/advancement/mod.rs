//! The Advancement section: experience, levels, skills that get better by use.

pub mod model;
mod read;
mod ticks;

use crate::names::counted;
use crate::rules::language::entry::SectionEntry;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::names::Names;
use crate::rules::language::outline::Outline;
use crate::rules::language::shape::{Shape, has_column, mechanical_fit};
use crate::rules::language::summary::Summary;
use crate::rules::language::summary::clipped;
use crate::rules::language::system::System;
use crate::rules::section::SectionKind;

pub use model::{AdvanceTrack, Advancement, Earned, Improvement, Threshold, Tick};

/// The section.
pub const SECTION: SectionEntry = SectionEntry {
    read: read_section,
    describe,
    ..SectionEntry::of(Shape {
        bullet: mechanical_fit,
        table: |table| has_column(table, "level") && has_column(table, "xp"),
        subjects: &[
            "xp",
            "experience points",
            "levels",
            "levelling",
            "leveling",
            "levelling up",
            "leveling up",
            "level up",
            "progression",
        ],
        ..Shape::of(SectionKind::Advancement, &["Advancement", "Experience"], &read::LABELS)
    })
};

fn read_section(outline: &Outline<'_>, names: &mut Names, system: &mut System, ledger: &mut Ledger<'_>) {
    system.advancement = read::read(outline, names, ledger);
}

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
        summary.line(&track.name, &counted(track.size, "mark", "marks"), Some(&track.place));
    }
    if let Some(milestones) = &own.milestones {
        summary.line("milestones", &milestones.what.join(", "), Some(&milestones.place));
    }
    for left in &own.left {
        summary.line("", &format!("\"{}\", for the GM", clipped(&left.what)), Some(&left.place));
    }
}
