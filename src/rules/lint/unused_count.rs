use super::conditions::{asks, line};
use super::entry::lint;
use crate::diagnostic::Diagnostic;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::system::System;
use crate::rules::when::Quantity;

lint!("checks/unused-count", System(lint));

fn lint(system: &System, ledger: &mut Ledger<'_>) {
    for check in system.checks.iter().filter(|check| check.count.is_some() && !check.rows.is_empty()) {
        let counted = |quantity: Quantity| matches!(quantity, Quantity::Successes | Quantity::Margin);
        let row = check.rows.first();
        if let Some(row) = row.filter(|_| !asks(check, |measure| counted(measure.quantity))) {
            let place = check.count.as_ref().and_then(|count| line(ledger.sources, &count.place)).unwrap_or(check.span);
            ledger.report(
                Diagnostic::warning(LINT.code, format!("the Count of `{}` makes no difference", check.name))
                    .at(place, "counts successes")
                    .and(row.span, "no row looks at `successes` or `margin`")
                    .help("ask for them in the rows: `successes 1+`; or take the Count bullet out"),
            );
        }
    }
}
