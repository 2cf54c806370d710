use std::collections::{HashMap, HashSet};

use super::conditions::{first, inside, line};
use crate::diagnostic::{Diagnostic, Span};
use crate::names::fold;
use crate::rules::codes;
use crate::rules::language::health::Track;
use crate::rules::language::ledger::{Ledger, Scope};
use crate::rules::language::system::System;
use crate::rules::when::When;

pub fn lint(system: &System, ledger: &mut Ledger<'_>) {
    let Some(company) = &system.company else { return };
    let of_sheet = |name: &str| {
        system.named_attribute(name).is_some() || system.named_skill(name).is_some() || system.track(name).is_ok()
    };
    let hidden = company.tracks.iter().filter(|own| own.hidden && !of_sheet(&own.name));
    let hidden: HashMap<String, &Track> = hidden.map(|own| (fold(&own.name), own)).collect();
    if hidden.is_empty() {
        return;
    }
    let mut found: Vec<(&Track, Span)> = Vec::new();
    for written in ledger.written.iter().filter(|written| written.scope != Scope::Score) {
        for variable in written.formula.variables() {
            let words = written.text.as_str();
            let at = words.find(&format!("{{{}", variable.name));
            let at = at.map_or(0..words.len(), |at| at + 1..at + 1 + variable.name.len());
            let own = hidden.get(&fold(&variable.name));
            found.extend(own.map(|track| (*track, written.text.span_of(at))));
        }
    }
    // The conditions of rows and flags, and values, name variables too.
    for check in &system.checks {
        for (name, default) in check.asked_variables() {
            let Some(track) = hidden.get(&fold(&name)) else { continue };
            let names_it = |when: &When| when.variables().contains(&(name.clone(), default));
            let value = check.values.iter().find(|own| own.variables().contains(&(name.clone(), default)));
            let in_value = || value.and_then(|own| line(ledger.sources, &own.place));
            let place = first(check, names_it).or_else(in_value).unwrap_or(check.span);
            found.push((*track, inside(ledger, place, &name)));
        }
    }
    let mut told = HashSet::new();
    for (track, at) in found.into_iter().filter(|(track, _)| told.insert(track.name.as_str())) {
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
