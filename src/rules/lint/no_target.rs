use super::entry::lint;
use crate::diagnostic::Diagnostic;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::system::System;
use crate::rules::when::Quantity;

lint!("checks/no-target", System(lint));

fn lint(system: &System, ledger: &mut Ledger<'_>) {
    for check in system.checks.iter().filter(|check| check.target.is_none()) {
        // With a Target bullet that cannot be read that is reported already.
        let needs = |quantity: Quantity| matches!(quantity, Quantity::Margin | Quantity::Target);
        let row = check.rows.iter().find(|row| row.when.measures().iter().any(|measure| needs(measure.quantity)));
        if let Some(row) = row {
            ledger.report(
                Diagnostic::error(LINT.code, format!("the check `{}` has no Target", check.name))
                    .at(row.span, "this row needs one and never wins")
                    .and(check.span, "this check")
                    .help("say what the roll is compared with: - Target: `{difficulty}`"),
            );
        }
    }
}
