use super::entry::lint;
use crate::diagnostic::Diagnostic;
use crate::names::{fold, same};
use crate::rules::language::ledger::Ledger;
use crate::rules::language::system::System;

lint!("clocks/taken-name", System(lint));

fn lint(system: &System, ledger: &mut Ledger<'_>) {
    let Some(company) = &system.company else { return };
    for track in &company.tracks {
        let name = fold(&track.name);
        let own = system.tracks.iter().find(|own| same(&own.name, &track.name)).map(|own| ("track", own.span));
        let attribute = || system.attributes.iter().find(|own| own.is_called(&name)).map(|own| ("attribute", own.span));
        let skill = || system.skills.iter().find(|own| fold(&own.name) == name).map(|own| ("skill", own.span));
        let Some((kind, first)) = own.or_else(attribute).or_else(skill) else { continue };
        let this = if track.clock { "clock" } else { "shared track" };
        let article = if kind == "attribute" { "an" } else { "a" };
        ledger.report(
            Diagnostic::warning(LINT.code, format!("`{}` is the name of a {this} and of {article} {kind}", track.name))
                .at(track.span, format!("rests, outcomes and expressions that name it mean the {kind}"))
                .and(first, format!("the {kind} of this name"))
                .help("give one of the two another name"),
        );
    }
}
