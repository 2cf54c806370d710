//! What the company shares: the sections Company (stress, supplies, an alarm) and Clocks. Their tracks and triggers are written like
//! those of Health and are kept apart from them, as a system of their own: [`System::company`].

use crate::rules::language::entry::SectionEntry;
use crate::rules::language::health::{Direction, Track, Trigger, happens, read};
use crate::rules::language::summary::Summary;
use crate::rules::language::system::System;
use crate::rules::section::SectionKind;

/// The section of shared tracks. It reads those of clocks, too, since what one brings about may move the other.
pub const SECTION: SectionEntry = SectionEntry {
    read: |outline, system, ledger| {
        let tracks = read::shared(outline, system, ledger);
        let chain = system.chain.clone();
        system.company = (!tracks.is_empty()).then(|| Box::new(System { tracks, chain, ..System::default() }));
    },
    // Only with all conditions is known which of them the party may get.
    resolve: |outline, system, ledger| happens::read(SectionKind::Company, outline, system, ledger),
    describe: |system, summary| describe(system, summary, |own| !own.clock),
    ..SectionEntry::of(SectionKind::Company)
};

/// The section of clocks.
pub const CLOCKS: SectionEntry = SectionEntry {
    resolve: |outline, system, ledger| happens::read(SectionKind::Clocks, outline, system, ledger),
    describe: |system, summary| describe(system, summary, |own| own.clock),
    ..SectionEntry::of(SectionKind::Clocks)
};

/// The tracks of one of the two sections, each with what happens on its way.
fn describe(system: &System, summary: &mut Summary, is_own: fn(&Track) -> bool) {
    let Some(company) = &system.company else { return };
    for own in company.tracks.iter().filter(|own| is_own(own)) {
        let what = match (own.clock, &own.max, own.counts) {
            (true, Some(max), Direction::Up) => format!("{max} boxes"),
            (_, _, Direction::Up | Direction::Down) => own.describe(),
        };
        let hidden = if own.hidden { ", hidden from players" } else { "" };
        summary.line(&own.name, &format!("{what}{hidden}"), Some(&own.place));
        let watching = company.triggers.iter().filter(|trigger| trigger.watches(&own.name));
        let moves = |trigger: &&Trigger| trigger.effects.first().is_some_and(|first| first.moves(&own.name));
        let moving = system.rests.iter().chain(&system.passing).filter(|trigger| trigger.is_shared()).filter(moves);
        for trigger in watching.chain(moving) {
            summary.line(&trigger.label, &trigger.describe(), Some(&trigger.place));
        }
    }
}
