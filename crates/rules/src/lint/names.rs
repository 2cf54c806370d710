//! Names that an expression cannot tell from each other, or takes for something else.

use std::collections::{HashMap, HashSet};

use crate::codes::AMBIGUOUS_NAME;
use crate::language::health::Track;
use crate::language::ledger::Ledger;
use crate::language::system::System;
use rollbook_text::diagnostic::{Diagnostic, Span};
use rollbook_text::names::fold;

/// Names that every call gives a meaning before any sheet is looked at.
const OF_CALLS: [&str; 5] = ["difficulty", "modifier", "skill", "attribute", "level"];

/// What of a system stands in braces, in the order in which it is looked for.
fn named(system: &System) -> Vec<(&'static str, &str, Span)> {
    // What is left of an attribute that damage takes is what its name means.
    let tracks = system.tracks.iter().filter(|own| !system.takes_score(&own.name));
    let shared = system.company.iter().flat_map(|company| &company.tracks);
    let track = |own: &'_ Track| if own.clock { "clock" } else { "shared track" };
    let attributes = system.attributes.iter().map(|own| ("attribute", own.name.as_str(), own.span));
    let skills = system.skills.iter().map(|own| ("skill", own.name.as_str(), own.span));
    let all = attributes.chain(skills).chain(tracks.map(|own| ("track", own.name.as_str(), own.span)));
    all.chain(shared.map(|own| (track(own), own.name.as_str(), own.span))).collect()
}

pub fn lint(system: &System, ledger: &mut Ledger<'_>) {
    let variables = ledger.written.iter().flat_map(|own| own.formula.variables());
    let written: HashSet<String> = variables.map(|own| fold(&own.name)).collect();
    let mut first: HashMap<String, (&str, Span)> = HashMap::new();
    for (kind, name, span) in named(system) {
        let folded = fold(name);
        if OF_CALLS.contains(&folded.as_str()) {
            let message = format!("`{{{name}}}` means something else than this {kind}");
            let found = Diagnostic::warning(AMBIGUOUS_NAME, message).at(span, "in an expression this name is taken");
            let why = format!("every call gives {} a meaning of its own", OF_CALLS.join(", "));
            ledger.report(found.because(why).help("give it another name"));
        }
        let Some((other, at)) = first.get(&folded) else {
            first.insert(folded, (kind, span));
            continue;
        };
        // A track may hold what is left of the attribute of its name.
        if kind == "track" && *other == "attribute" && !written.contains(&folded) {
            continue;
        }
        let found = Diagnostic::warning(AMBIGUOUS_NAME, format!("`{{{name}}}` never means this {kind}"));
        let found = found.at(span, format!("an expression that names it means the {other}"));
        ledger.report(found.and(*at, format!("the {other} of this name")).help("give one of the two another name"));
    }
}
