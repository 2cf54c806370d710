use super::entry::lint;
use crate::diagnostic::Diagnostic;
use crate::rules::language::checks::Check;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::system::System;

lint!("checks/duplicate-row", System(lint));

fn lint(system: &System, ledger: &mut Ledger<'_>) {
    for check in &system.checks {
        for (at, row) in check.rows.iter().enumerate() {
            if let Some(first) = same_above(check, at).and_then(|first| check.rows.get(first)) {
                ledger.report(
                    Diagnostic::warning(LINT.code, format!("the row `{}` has the When of a row above", row.label))
                        .at(row.span, "never wins")
                        .and(first.span, "this one comes first")
                        .help("say in one of the two when it is the other that holds, or make them one row"),
                );
            }
        }
    }
}

/// The row above this one that holds just when it does.
pub(super) fn same_above(check: &Check, at: usize) -> Option<usize> {
    let row = check.rows.get(at)?;
    check.rows.iter().take(at).position(|above| above.when == row.when)
}
