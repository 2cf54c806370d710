use super::conditions::asking;
use super::entry::lint;
use crate::diagnostic::Diagnostic;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::system::System;
use crate::rules::when::Quantity;

lint!("checks/no-opposing-dice", System(lint));

fn lint(system: &System, ledger: &mut Ledger<'_>) {
    for check in system.checks.iter().filter(|check| check.opposing.is_none()) {
        let of_two = |quantity: Quantity| matches!(quantity, Quantity::Beaten | Quantity::Match);
        if let Some(place) = asking(check, ledger, |measure| of_two(measure.quantity)) {
            ledger.report(
                Diagnostic::error(LINT.code, format!("`{}` has no dice to beat or to match", check.name))
                    .at(place, "asks about opposing dice, and never holds")
                    .and(check.span, "this check has no Opposing dice")
                    .help("say what is rolled against it: - Opposing dice: `2d10`"),
            );
        }
    }
}
