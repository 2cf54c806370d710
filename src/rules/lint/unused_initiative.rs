use super::conditions::line;
use super::entry::lint;
use crate::diagnostic::Diagnostic;
use crate::rules::grammar::line::Fights;
use crate::rules::language::combat::InitiativeKind;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::system::System;

lint!("combat/unused-initiative", System(lint));

fn lint(system: &System, ledger: &mut Ledger<'_>) {
    let narrative = system.fights.as_ref().is_some_and(|own| own.what == Fights::Narrative);
    let own = &system.initiative;
    let Some(place) = own.place.as_ref().filter(|_| narrative && own.kind != InitiativeKind::None) else { return };
    let Some(span) = line(ledger.sources, place) else { return };
    ledger.report(
        Diagnostic::warning(LINT.code, "nobody rolls this initiative")
            .at(span, "fights are narrative, so they have no order")
            .help("write `- Combat: hybrid` where some fights have turns; or take the Initiative out"),
    );
}
