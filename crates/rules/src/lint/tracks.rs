//! Tracks that start outside of their range, and triggers at numbers that a track never reaches.

use crate::codes;
use crate::language::health::{Start, Track, TriggerWhen, constant};
use crate::language::ledger::Ledger;
use crate::language::system::System;
use crate::when::facts::Facts;
use rollbook_text::diagnostic::Diagnostic;
use rollbook_text::names::same;

pub fn lint(system: &System, ledger: &mut Ledger<'_>) {
    let shared = system.company.iter().map(|company| &**company);
    for rules in std::iter::once(system).chain(shared) {
        ledger
            .diagnostics
            .extend(rules.tracks.iter().filter_map(wrong_ends));
        for trigger in &rules.triggers {
            let TriggerWhen::At { track, range } = &trigger.when else {
                continue;
            };
            let track = rules.tracks.iter().find(|known| same(&known.name, track));
            let Some(((track, (low, high)), (min, max))) = track
                .zip(range.whole_numbers(&Facts::default()))
                .and_then(|found| Some((found, ends(found.0)?)))
            else {
                continue;
            };
            let why = match (low > max || high < min, low <= min && high >= max) {
                (true, _) => "never comes there",
                (_, true) => "is always there",
                (false, false) => continue,
            };
            let message = format!("`{}` never happens: {} {why}", trigger.label, track.name);
            ledger.report(
                Diagnostic::warning(codes::NEVER_REACHED, message)
                    .at(trigger.span, "this never happens")
                    .and(
                        track.span,
                        format!("{} goes from {}", track.name, range_words(min, max)),
                    )
                    .help("name a number on its way"),
            );
        }
    }
}

/// The ends of a track, where they are the same for every character.
fn ends(track: &Track) -> Option<(i64, i64)> {
    constant(&track.min).zip(track.max.as_ref().map_or(Some(i64::MAX), constant))
}

/// "0 to 9", "0 up".
fn range_words(min: i64, max: i64) -> String {
    if max == i64::MAX {
        format!("{min} up")
    } else {
        format!("{min} to {max}")
    }
}

fn wrong_ends(track: &Track) -> Option<Diagnostic> {
    let start = match &track.start {
        Start::At(start) => constant(start),
        Start::Full | Start::Empty => None,
    };
    let (min, max) = ends(track)?;
    let wrong = match start {
        Some(start) if !(min..=max).contains(&start) => {
            format!("{} starts at {start}, which it can never be", track.name)
        }
        _ if max < min => format!("{} has no room: its end is below its beginning", track.name),
        _ => return None,
    };
    let diagnostic = Diagnostic::warning(codes::START_OUT_OF_RANGE, wrong)
        .at(track.span, format!("from {}", range_words(min, max)));
    Some(diagnostic.help("let it start inside its range"))
}
