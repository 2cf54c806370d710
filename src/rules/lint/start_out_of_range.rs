use super::entry::lint;
use crate::diagnostic::Diagnostic;
use crate::rules::language::health::{Start, constant};
use crate::rules::language::ledger::Ledger;
use crate::rules::language::system::System;

lint!("health/start-out-of-range", System(lint));

fn lint(system: &System, ledger: &mut Ledger<'_>) {
    let shared = system.company.iter().flat_map(|company| &company.tracks);
    for track in system.tracks.iter().chain(shared) {
        let max = track.max.as_ref().and_then(constant);
        let start = match &track.start {
            Start::At(start) => constant(start),
            Start::Full | Start::Empty => None,
        };
        let Some(min) = constant(&track.min) else { continue };
        let range = match max {
            Some(max) => format!("{min} to {max}"),
            None => format!("{min} or more"),
        };
        let wrong = match (start, max) {
            (Some(start), max) if start < min || max.is_some_and(|max| start > max) => {
                format!("{} starts at {start}, which it can never be", track.name)
            }
            (_, Some(max)) if max < min => format!("{} has no room: its end is below its beginning", track.name),
            _ => continue,
        };
        ledger.report(
            Diagnostic::warning(LINT.code, wrong)
                .at(track.span, format!("from {range}"))
                .help("let it start inside its range"),
        );
    }
}
