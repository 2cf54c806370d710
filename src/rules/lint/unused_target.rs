use super::conditions::asks;
use super::entry::lint;
use crate::diagnostic::Diagnostic;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::system::System;
use crate::rules::when::Quantity;

lint!("checks/unused-target", System(lint));

fn lint(system: &System, ledger: &mut Ledger<'_>) {
    for check in system.checks.iter().filter(|check| check.target.is_some() && !check.rows.is_empty()) {
        let compares = |quantity: Quantity| matches!(quantity, Quantity::Margin | Quantity::Target);
        let row = check.rows.first();
        if let Some(row) = row.filter(|_| !asks(check, |measure| compares(measure.quantity))) {
            ledger.report(
                Diagnostic::warning(LINT.code, format!("the Target of `{}` makes no difference", check.name))
                    .at(check.span, "this check has a Target")
                    .and(row.span, "no row looks at `margin` or `target`")
                    .help("compare in the rows: `margin 0+`; or take the Target bullet out"),
            );
        }
    }
}
