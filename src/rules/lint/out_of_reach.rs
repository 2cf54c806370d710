use super::entry::lint;
use crate::diagnostic::Diagnostic;
use crate::names::same;
use crate::rules::language::health::{Track, Trigger, TriggerWhen, constant};
use crate::rules::language::ledger::Ledger;
use crate::rules::language::system::System;

lint!("health/never-reached", System(lint));

/// Tells of what happens where a track never comes, or where it is from the beginning to the end.
fn lint(system: &System, ledger: &mut Ledger<'_>) {
    let company = system.company.iter();
    let all = std::iter::once(system).chain(company.map(|own| &**own));
    for (own, trigger) in all.flat_map(|own| own.triggers.iter().map(move |trigger| (own, trigger))) {
        let TriggerWhen::At { track, range } = &trigger.when else { continue };
        let (Some(track), Some((low, high))) =
            (own.tracks.iter().find(|own| same(&own.name, track)), range.whole_numbers())
        else {
            continue;
        };
        let min = constant(&track.min);
        let max = track.max.as_ref().map_or(Some(i64::MAX), constant);
        let Some((min, max)) = min.zip(max) else { continue };
        if low > max || high < min {
            ledger.report(never(trigger, track, (min, max), "never comes there"));
        } else if low <= min && high >= max {
            ledger.report(never(trigger, track, (min, max), "is always there"));
        }
    }
}

fn never(trigger: &Trigger, track: &Track, (min, max): (i64, i64), why: &str) -> Diagnostic {
    let range = match max {
        i64::MAX => format!("{} goes from {min} up", track.name),
        max => format!("{} goes from {min} to {max}", track.name),
    };
    Diagnostic::warning(LINT.code, format!("`{}` never happens: {} {why}", trigger.label, track.name))
        .at(trigger.span, "this never happens")
        .and(track.span, range)
        .help("name a number on its way")
}
