//! Names of the sheet and of what all share that an expression takes for something else.

use std::collections::HashSet;

use super::entry::lint;
use crate::diagnostic::{Diagnostic, Span};
use crate::names::{fold, same};
use crate::rules::language::ledger::Ledger;
use crate::rules::language::system::System;

lint!(RESERVED = "attributes/reserved-name", lint);
lint!(SHADOWED = "health/shadowed-track");
lint!(TAKEN = "clocks/taken-name");

/// Names that every call gives a meaning before any sheet is looked at.
const OF_CALLS: [&str; 5] = ["difficulty", "modifier", "skill", "attribute", "level"];

fn lint(system: &System, ledger: &mut Ledger<'_>) {
    let attribute_or_skill = |name: &str| -> Option<(&str, Span)> {
        let attribute = system.attributes.iter().find(|own| own.is_called(&fold(name)));
        let skill = || system.skills.iter().find(|own| same(&own.name, name)).map(|own| ("skill", own.span));
        attribute.map(|own| ("attribute", own.span)).or_else(skill)
    };
    // What is left of an attribute that damage takes is what its name means.
    let tracks = || system.tracks.iter().filter(|own| !system.takes_score(&own.name));
    let attributes = system.attributes.iter().map(|own| ("attribute", &own.name, own.span));
    let skills = system.skills.iter().map(|own| ("skill", &own.name, own.span));
    let all = attributes.chain(skills).chain(tracks().map(|own| ("track", &own.name, own.span)));
    for (kind, name, span) in all.filter(|(_, name, _)| OF_CALLS.contains(&fold(name).as_str())) {
        ledger.report(
            Diagnostic::warning(RESERVED.code, format!("`{{{name}}}` means something else than this {kind}"))
                .at(span, "in an expression this name is taken")
                .because(format!("every call gives {} a meaning of its own", OF_CALLS.join(", ")))
                .help("give it another name"),
        );
    }
    let variables = ledger.written.iter().flat_map(|own| own.formula.variables());
    let written: HashSet<String> = variables.map(|own| fold(&own.name)).collect();
    for track in tracks().filter(|own| written.contains(&fold(&own.name))) {
        let Some((kind, first)) = attribute_or_skill(&track.name) else { continue };
        ledger.report(
            Diagnostic::warning(SHADOWED.code, format!("`{{{}}}` never means the track", track.name))
                .at(track.span, "in an expression this track has no name of its own")
                .and(first, format!("the {kind} of this name comes first"))
                .help("give one of the two another name"),
        );
    }
    for track in system.company.iter().flat_map(|company| &company.tracks) {
        let own = system.tracks.iter().find(|own| same(&own.name, &track.name)).map(|own| ("track", own.span));
        let Some((kind, first)) = own.or_else(|| attribute_or_skill(&track.name)) else { continue };
        let this = if track.clock { "clock" } else { "shared track" };
        let article = if kind == "attribute" { "an" } else { "a" };
        ledger.report(
            Diagnostic::warning(
                TAKEN.code,
                format!("`{}` is the name of a {this} and of {article} {kind}", track.name),
            )
            .at(track.span, format!("rests, outcomes and expressions that name it mean the {kind}"))
            .and(first, format!("the {kind} of this name"))
            .help("give one of the two another name"),
        );
    }
}
