use super::conditions::{asks, line};
use super::entry::lint;
use crate::diagnostic::Diagnostic;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::system::System;
use crate::rules::when::Quantity;

lint!("checks/unused-opposing-dice", System(lint));

fn lint(system: &System, ledger: &mut Ledger<'_>) {
    for check in system.checks.iter().filter(|check| check.opposing.is_some()) {
        let of_two = |quantity: Quantity| matches!(quantity, Quantity::Beaten | Quantity::Match);
        if !asks(check, |measure| of_two(measure.quantity)) {
            let place = check.opposing.as_ref().and_then(|own| line(ledger.sources, &own.place)).unwrap_or(check.span);
            let message = format!("the Opposing dice of `{}` make no difference", check.name);
            ledger.report(
                Diagnostic::warning(LINT.code, message)
                    .at(place, "no row and no flag looks at `beaten` or `match`")
                    .help("compare in the rows: `beaten 1+`; or take the Opposing dice out"),
            );
        }
    }
}
