//! The sections Company (stress, supplies, an alarm) and Clocks. Their tracks and triggers are
//! written like those of Health, and are kept apart as another system: [`System::company`].

use crate::language::health::{self, Direction, Track, Trigger};
use crate::language::ledger::Ledger;
use crate::language::outline::Outline;
use crate::language::summary::Summary;
use crate::language::system::System;

/// Reads the tracks of both sections, since triggers of one may move tracks of the other.
pub fn read(outline: &Outline<'_>, system: &mut System, ledger: &mut Ledger<'_>) {
    let (tracks, chain) = (
        health::read::shared(outline, system, ledger),
        system.chain.clone(),
    );
    system.company = (!tracks.is_empty()).then(|| {
        Box::new(System {
            tracks,
            chain,
            ..System::default()
        })
    });
}

/// Writes the summary's lines about the tracks of one section, each with its triggers.
pub fn describe(system: &System, summary: &mut Summary, is_of_section: fn(&Track) -> bool) {
    let Some(company) = &system.company else {
        return;
    };
    for track in company.tracks.iter().filter(|track| is_of_section(track)) {
        let what = match (track.clock, &track.max, track.counts) {
            (true, Some(max), Direction::Up) => format!("{max} boxes"),
            (_, _, Direction::Up | Direction::Down) => track.describe(),
        };
        let hidden = if track.hidden {
            ", hidden from players"
        } else {
            ""
        };
        summary.line(&track.name, &format!("{what}{hidden}"), Some(&track.place));
        let watching = company
            .triggers
            .iter()
            .filter(|trigger| trigger.watches(&track.name));
        let moves = |trigger: &&Trigger| {
            trigger
                .effects
                .first()
                .is_some_and(|first| first.moves(&track.name))
        };
        let moving = system
            .rests
            .iter()
            .chain(&system.passing)
            .filter(|trigger| trigger.is_shared())
            .filter(moves);
        for trigger in watching.chain(moving) {
            summary.line(&trigger.label, &trigger.describe(), Some(&trigger.place));
        }
    }
}
