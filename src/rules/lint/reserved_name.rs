use super::entry::lint;
use crate::diagnostic::Diagnostic;
use crate::names::fold;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::system::System;

lint!("attributes/reserved-name", System(lint));

/// Names that every call gives a meaning of its own before any sheet is looked at.
const RESERVED: [&str; 5] = ["difficulty", "modifier", "skill", "attribute", "level"];

fn lint(system: &System, ledger: &mut Ledger<'_>) {
    let attributes = system.attributes.iter().map(|own| ("attribute", &own.name, own.span));
    let skills = system.skills.iter().map(|own| ("skill", &own.name, own.span));
    let own = system.tracks.iter().filter(|own| !system.takes_score(&own.name));
    let tracks = own.map(|own| ("track", &own.name, own.span));
    for (kind, name, span) in attributes.chain(skills).chain(tracks) {
        if RESERVED.contains(&fold(name).as_str()) {
            ledger.report(
                Diagnostic::warning(LINT.code, format!("`{{{name}}}` means something else than this {kind}"))
                    .at(span, "in an expression this name is taken")
                    .because(format!("every call gives {} a meaning of its own", RESERVED.join(", ")))
                    .help("give it another name"),
            );
        }
    }
}
