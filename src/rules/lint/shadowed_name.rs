use super::entry::lint;
use crate::diagnostic::{Diagnostic, Span};
use crate::names::fold;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::system::System;

lint!("health/shadowed-track", System(lint));

fn lint(system: &System, ledger: &mut Ledger<'_>) {
    // What is left of an attribute that damage takes is what its name means.
    for track in system.tracks.iter().filter(|own| !system.takes_score(&own.name)) {
        let name = fold(&track.name);
        let attribute = system.attributes.iter().find(|own| own.is_called(&name)).map(|own| ("attribute", own.span));
        let skill = || system.skills.iter().find(|own| fold(&own.name) == name).map(|own| ("skill", own.span));
        let shadowed: Option<(&str, Span)> = attribute.or_else(skill);
        let named =
            ledger.written.iter().any(|written| written.formula.variables().iter().any(|own| fold(&own.name) == name));
        if let Some((kind, first)) = shadowed.filter(|_| named) {
            ledger.report(
                Diagnostic::warning(LINT.code, format!("`{{{}}}` never means the track", track.name))
                    .at(track.span, "in an expression this track has no name of its own")
                    .and(first, format!("the {kind} of this name comes first"))
                    .help("give one of the two another name"),
            );
        }
    }
}
