#![doc = include_str!("../explained/checks/none.md")]

use crate::diagnostic::{Diagnostic, Severity, Span};
use crate::rules::codes;
use crate::rules::read::{Ledger, dice_mentions};
use crate::rules::system::System;

/// Dice are named, and nothing says what is rolled for a check. Where something else was remarked on that is the reason.
pub(super) fn lint(system: &System, ledger: &mut Ledger<'_>) {
    if !system.checks.is_empty() || ledger.diagnostics.iter().any(|found| found.severity >= Severity::Warning) {
        return;
    }
    let first = ledger.limits.within(ledger.sources).find_map(|(id, source)| {
        let at = dice_mentions(&source.text).next()?;
        Some(Span::new(id, at))
    });
    let Some(first) = first else { return };
    ledger.report(
        Diagnostic::note(codes::NO_CHECK, "there is no check")
            .at(first, "dice are named, and not as what a check rolls")
            .because("`skill_check` has nothing to resolve; dice are rolled by hand")
            .help("say what is rolled: ## Dice, and below it: Roll 1d20 + modifiers against a difficulty."),
    );
}
