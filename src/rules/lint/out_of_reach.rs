use super::entry::lint;
use super::never_reached::never;
use crate::dice::Formula;
use crate::names::same;
use crate::rules::language::health::TriggerWhen;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::system::System;

lint!("health/never-reached", System(lint));

/// Tells of what happens at a number that a track of the sheet cannot have.
fn lint(system: &System, ledger: &mut Ledger<'_>) {
    let constant = |formula: &Formula| formula.bind(&mut |_| None).ok()?.constant();
    for trigger in &system.triggers {
        let TriggerWhen::AtValue { track, value } = &trigger.when else { continue };
        let Some(track) = system.tracks.iter().find(|own| same(&own.name, track)) else { continue };
        let max = track.max.as_ref().and_then(constant).unwrap_or(i64::MAX);
        if (track.min..=max).contains(value) {
            continue;
        }
        let help = match *value < track.min {
            true => format!("let the track go there: `- {}: …, from {value}`, or name a number on its way", track.name),
            false => "name a number on its way".to_owned(),
        };
        ledger.report(never(LINT.code, (track, max), (trigger, *value), help));
    }
}
