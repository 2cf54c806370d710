use super::entry::lint;
use crate::diagnostic::Diagnostic;
use crate::dice::Formula;
use crate::rules::language::health::{Direction, Track, Trigger, TriggerWhen};
use crate::rules::language::ledger::Ledger;
use crate::rules::language::system::System;

lint!("clocks/never-reached", System(lint));

fn lint(system: &System, ledger: &mut Ledger<'_>) {
    let constant = |formula: &Formula| formula.bind(&mut |_| None).ok()?.constant();
    let Some(company) = &system.company else { return };
    for trigger in &company.triggers {
        let Ok(track) = company.track(trigger.when.track()) else { continue };
        let value = match &trigger.when {
            TriggerWhen::AtValue { value, .. } => *value,
            TriggerWhen::AtZero { .. } => 0,
            TriggerWhen::ManyAtZero { .. }
            | TriggerWhen::AboveZero { .. }
            | TriggerWhen::AtPart { .. }
            | TriggerWhen::OneHitOf { .. }
            | TriggerWhen::Unsoaked
            | TriggerWhen::Full { .. }
            | TriggerWhen::OneHitOfPart { .. }
            | TriggerWhen::OneHitOfMax { .. }
            | TriggerWhen::LeftOverOfMax { .. } => continue,
        };
        let max = track.max.as_ref().and_then(constant).unwrap_or(i64::MAX);
        // At 0 something may happen on the way back, too.
        let reached = match track.counts {
            Direction::Up => value > track.min && value <= max || value == 0 && track.min <= 0,
            Direction::Down => value >= track.min && value < max,
        };
        if !reached {
            let help = "name a number on its way".to_owned();
            ledger.report(never(LINT.code, (track, max), (trigger, value), help));
        }
    }
}

/// That a track, or a clock, which ends at this never comes to the number of a trigger.
pub(super) fn never(
    code: &'static str,
    (track, max): (&Track, i64),
    (trigger, value): (&Trigger, i64),
    help: String,
) -> Diagnostic {
    let range = match max {
        i64::MAX => format!("{} goes from {} up", track.name, track.min),
        max => format!("{} goes from {} to {max}", track.name, track.min),
    };
    Diagnostic::warning(code, format!("{} never comes to {value}", track.name))
        .at(trigger.span, "this never happens")
        .and(track.span, range)
        .help(help)
}
