//! What the company shares: the sections Company (stress, supplies, an alarm) and Clocks. Their tracks and triggers are written like
//! those of Health and are kept apart from them, as a system of their own: [`System::company`].

use crate::language::health::{self, Direction, Track, Trigger};
use crate::language::ledger::Ledger;
use crate::language::outline::Outline;
use crate::language::summary::Summary;
use crate::language::system::System;

/// The tracks of both sections, since what one brings about may move the other.
pub fn read(outline: &Outline<'_>, system: &mut System, ledger: &mut Ledger<'_>) {
    let (tracks, chain) = (health::read::shared(outline, system, ledger), system.chain.clone());
    system.company = (!tracks.is_empty()).then(|| Box::new(System { tracks, chain, ..System::default() }));
}

/// The tracks of one of the two sections, each with what happens on its way.
pub fn describe(system: &System, summary: &mut Summary, is_own: fn(&Track) -> bool) {
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
