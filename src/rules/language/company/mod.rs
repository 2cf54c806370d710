//! What the company shares: the sections Company (stress, supplies, an alarm) and Clocks. Their tracks and triggers are written like
//! those of Health and are kept apart from them, as a system of their own: [`System::company`].

mod each;
mod effect;
mod moments;
pub mod passing;
mod read;

pub use passing::Passing;

use crate::rules::document::{Bullet, Table};
use crate::rules::language::entry::SectionEntry;
use crate::rules::language::health::{Direction, Track, describe_track, describe_trigger};
use crate::rules::language::labels::Labelled;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::shape::{Fit, Shape, has_column};
use crate::rules::language::summary::Summary;
use crate::rules::language::system::System;
use crate::rules::section::SectionKind;

/// The section of shared tracks. It reads that of clocks, too, since what one brings about may move the other.
pub const SECTION: SectionEntry = SectionEntry {
    read: |outline, _, system, ledger| system.company = read::read(outline, ledger).map(Box::new),
    // Only with all conditions is known which of them the party may get.
    resolve: |_, system, _| read::resolve(system),
    describe: |system, summary| describe(system, summary, |own| !own.clock),
    ..SectionEntry::of(Shape::of(SectionKind::Company, &["Company", "Shared tracks"], &moments::LABELS))
};

/// The section of clocks.
pub const CLOCKS: SectionEntry = SectionEntry {
    describe: |system, summary| describe(system, summary, |own| own.clock),
    ..SectionEntry::of(Shape {
        bullet,
        table: is_table,
        ..Shape::of(SectionKind::Clocks, &["Clocks", "Progress clocks"], &moments::LABELS)
    })
};

/// `Flooding: 6 segments`.
fn bullet(_: &Bullet, label: Option<&Labelled>, _: &Ledger<'_>) -> Fit {
    let segments = |label: &Labelled| label.value.as_str().to_ascii_lowercase().contains("segment");
    if label.is_some_and(segments) { Fit::Well } else { Fit::Not }
}

fn is_table(table: &Table) -> bool {
    has_column(table, "Segments")
}

/// The tracks of one of the two sections, each with what happens on its way.
fn describe(system: &System, summary: &mut Summary, is_own: fn(&Track) -> bool) {
    let Some(company) = &system.company else { return };
    for own in company.tracks.iter().filter(|own| is_own(own)) {
        let what = match (own.clock, &own.max, own.counts) {
            (true, Some(max), Direction::Up) => format!("{max} segments"),
            (_, _, Direction::Up | Direction::Down) => describe_track(own),
        };
        let hidden = if own.hidden { ", hidden from players" } else { "" };
        summary.line(&own.name, &format!("{what}{hidden}"), Some(&own.place));
        for trigger in company.triggers.iter().filter(|trigger| trigger.when.track() == own.name) {
            summary.line(&trigger.when.describe(), &describe_trigger(trigger), Some(&trigger.place));
        }
        for rest in &company.rests {
            for effect in rest.shared.iter().filter(|effect| effect.track() == own.name) {
                summary.line(&rest.name, &effect.describe(), Some(&rest.place));
            }
        }
        let of_own = |passing: &&Passing| passing.moves.first().is_some_and(|first| first.effect.track() == own.name);
        for passing in company.passing.iter().filter(of_own) {
            summary.line(&passing.when(), &passing.describe(), Some(&passing.place));
        }
    }
}
