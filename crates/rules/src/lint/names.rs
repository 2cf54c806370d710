//! Names that mean something else in an expression, or have no number there.

use std::collections::{HashMap, HashSet};

use crate::codes::{AMBIGUOUS_NAME, HIDDEN_NUMBER};
use crate::language::health::Track;
use crate::language::ledger::{Ledger, Scope};
use crate::language::system::System;
use rollbook_text::diagnostic::{Diagnostic, Span};
use rollbook_text::names::fold;

/// Names that have a meaning in every call before any sheet is looked up.
const OF_CALLS: [&str; 5] = ["difficulty", "modifier", "skill", "attribute", "level"];

/// The names of a system that may be in braces, in the order of lookup.
fn named(system: &System) -> Vec<(&'static str, &str, Span)> {
    // The name of an attribute that damage lowers means what is left of it.
    let tracks = system
        .tracks
        .iter()
        .filter(|track| !system.damage_lowers(&track.name));
    let shared = system.company.iter().flat_map(|company| &company.tracks);
    let kind = |track: &'_ Track| if track.clock { "clock" } else { "shared track" };
    let attributes = system
        .attributes
        .iter()
        .map(|attribute| ("attribute", attribute.name.as_str(), attribute.span));
    let skills = system
        .skills
        .iter()
        .map(|skill| ("skill", skill.name.as_str(), skill.span));
    let all = attributes
        .chain(skills)
        .chain(tracks.map(|track| ("track", track.name.as_str(), track.span)));
    all.chain(shared.map(|track| (kind(track), track.name.as_str(), track.span)))
        .collect()
}

pub fn ambiguous_names(system: &System, ledger: &mut Ledger<'_>) {
    let variables = ledger
        .written
        .iter()
        .flat_map(|written| written.formula.variables());
    let written: HashSet<String> = variables.map(|variable| fold(&variable.name)).collect();
    let mut first: HashMap<String, (&str, Span)> = HashMap::new();
    for (kind, name, span) in named(system) {
        let folded = fold(name);
        if OF_CALLS.contains(&folded.as_str()) {
            let message = format!("`{{{name}}}` means something else than this {kind}");
            let found = Diagnostic::warning(AMBIGUOUS_NAME, message)
                .at(span, "in an expression this name is taken");
            let why = format!(
                "every call gives {} a meaning of its own",
                OF_CALLS.join(", ")
            );
            ledger.report(found.because(why).help("give it another name"));
        }
        let Some((other, at)) = first.get(&folded) else {
            first.insert(folded, (kind, span));
            continue;
        };
        // A track may hold what is left of the attribute with its name.
        if kind == "track" && *other == "attribute" && !written.contains(&folded) {
            continue;
        }
        let found = Diagnostic::warning(
            AMBIGUOUS_NAME,
            format!("`{{{name}}}` never means this {kind}"),
        );
        let found = found.at(
            span,
            format!("an expression that names it means the {other}"),
        );
        ledger.report(
            found
                .and(*at, format!("the {other} of this name"))
                .help("give one of the two another name"),
        );
    }
}

/// Reports expressions that name a hidden track.
pub fn hidden_numbers(system: &System, ledger: &mut Ledger<'_>) {
    let Some(company) = &system.company else {
        return;
    };
    let hidden = company.tracks.iter().filter(|track| track.hidden);
    let hidden: HashMap<String, &Track> = hidden.map(|track| (fold(&track.name), track)).collect();
    if hidden.is_empty() {
        return;
    }
    let mut found: Vec<(&Track, Span)> = Vec::new();
    for written in ledger
        .written
        .iter()
        .filter(|written| written.scope != Scope::Score)
    {
        let names = written.formula.variables();
        let all = names
            .iter()
            .filter_map(|variable| hidden.get(&fold(&variable.name)));
        found.extend(all.map(|track| (*track, written.text.span())));
    }
    // The conditions of rows and flags, and values, name variables too.
    for check in &system.checks {
        let all = check
            .asked_variables()
            .filter_map(|(name, _)| hidden.get(&fold(&name)));
        found.extend(all.map(|track| (*track, check.span)));
    }
    let mut reported = HashSet::new();
    for (track, at) in found
        .into_iter()
        .filter(|(track, _)| reported.insert(track.name.as_str()))
    {
        let name = &track.name;
        ledger.report(
            Diagnostic::warning(
                HIDDEN_NUMBER,
                format!("`{{{name}}}` has no number in a roll: players do not see it"),
            )
            .at(at, "named here")
            .and(track.span, "hidden here")
            .because("the roll would show where it stands")
            .help("let players see it, or let the GM say a number of another name in `values`"),
        );
    }
}
