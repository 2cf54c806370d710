use crate::diagnostic::Diagnostic;
use crate::rules::codes;
use crate::rules::language::checks::Check;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::system::System;

/// A word for a number, and no check that takes one. A row is looked for where it is declared.
pub fn lint(system: &System, ledger: &mut Ledger<'_>) {
    let takes = |check: &Check| check.names("difficulty") || !check.target_names().is_empty();
    if system.checks.is_empty() || !system.lost_checks.is_empty() || system.checks.iter().any(takes) {
        return;
    }
    let Some(word) = system.difficulties.iter().find(|own| own.number().is_some()) else { return };
    ledger.report(
        Diagnostic::warning(codes::UNUSED_DIFFICULTY, format!("no check takes a difficulty such as `{}`", word.name))
            .at(word.span, "a call that sends it is refused")
            .help(
                "let a check take it: `- Target: {difficulty}`; or name the row of an outcome table that it asks for",
            ),
    );
}
