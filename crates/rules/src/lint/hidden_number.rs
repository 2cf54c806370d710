use std::collections::{HashMap, HashSet};

use crate::codes;
use crate::language::health::Track;
use crate::language::ledger::{Ledger, Scope};
use crate::language::system::System;
use rollbook_text::diagnostic::{Diagnostic, Span};
use rollbook_text::names::fold;

pub fn lint(system: &System, ledger: &mut Ledger<'_>) {
    let Some(company) = &system.company else { return };
    let hidden = company.tracks.iter().filter(|track| track.hidden);
    let hidden: HashMap<String, &Track> = hidden.map(|track| (fold(&track.name), track)).collect();
    if hidden.is_empty() {
        return;
    }
    let mut found: Vec<(&Track, Span)> = Vec::new();
    for written in ledger.written.iter().filter(|written| written.scope != Scope::Score) {
        let names = written.formula.variables();
        let all = names.iter().filter_map(|variable| hidden.get(&fold(&variable.name)));
        found.extend(all.map(|track| (*track, written.text.span())));
    }
    // The conditions of rows and flags, and values, name variables too.
    for check in &system.checks {
        let all = check.asked_variables().filter_map(|(name, _)| hidden.get(&fold(&name)));
        found.extend(all.map(|track| (*track, check.span)));
    }
    let mut reported = HashSet::new();
    for (track, at) in found.into_iter().filter(|(track, _)| reported.insert(track.name.as_str())) {
        let name = &track.name;
        ledger.report(
            Diagnostic::warning(
                codes::HIDDEN_NUMBER,
                format!("`{{{name}}}` has no number in a roll: players do not see it"),
            )
            .at(at, "named here")
            .and(track.span, "hidden here")
            .because("the roll would show where it stands")
            .help("let players see it, or let the GM say a number of another name in `values`"),
        );
    }
}
