use super::duplicate_row::same_above;
use super::entry::lint;
use crate::diagnostic::Diagnostic;
use crate::rules::language::checks::Check;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::system::System;
use crate::rules::when::When;

lint!("checks/below-otherwise", System(lint));

fn lint(system: &System, ledger: &mut Ledger<'_>) {
    for check in &system.checks {
        let below = (0..check.rows.len()).find(|at| is_below(check, *at) && same_above(check, *at).is_none());
        let otherwise = check.rows.iter().find(|row| row.when == When::Otherwise);
        if let (Some(row), Some(otherwise)) = (below.and_then(|at| check.rows.get(at)), otherwise) {
            ledger.report(
                Diagnostic::warning(LINT.code, format!("the row `{}` stands below `otherwise`", row.label))
                    .at(row.span, "never wins")
                    .and(otherwise.span, "this row always holds")
                    .help("move the row with `otherwise` to the end of the table"),
            );
        }
    }
}

/// Whether a row stands below one that always holds.
pub(super) fn is_below(check: &Check, at: usize) -> bool {
    check.rows.iter().take(at).any(|row| row.when == When::Otherwise)
}
