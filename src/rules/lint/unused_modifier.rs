use super::conditions::line;
use super::entry::lint;
use crate::diagnostic::Diagnostic;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::system::System;

lint!("checks/unused-modifier", System(lint));

fn lint(system: &System, ledger: &mut Ledger<'_>) {
    for check in &system.checks {
        let Some(modifier) = check.modifier.as_ref().filter(|_| !check.names("modifier")) else { continue };
        let place = line(ledger.sources, &modifier.place).unwrap_or(check.span);
        ledger.report(
            Diagnostic::warning(LINT.code, format!("the Modifier of `{}` is added to nothing", check.name))
                .at(place, "what `{modifier}` means")
                .and(check.span, "this check never names it")
                .help("name it where it is added: - Roll: `1d20 + {modifier}`"),
        );
    }
}
