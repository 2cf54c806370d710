#![doc = include_str!("../explained/checks/none.md")]

use crate::diagnostic::{Diagnostic, Severity, Span};
use crate::rules::codes;
use crate::rules::read::{Ledger, dice_mentions};
use crate::rules::system::System;

/// Dice are named, and nothing says what is rolled for a check. Where a check was lost, that is told already.
/// Dice that are looked at for one that is rolled.
const DICE_MAX: usize = 200;

pub(super) fn lint(system: &System, ledger: &mut Ledger<'_>) {
    let told = |found: &Diagnostic| {
        found.severity >= Severity::Error
            || [codes::MOVES_IN_PROSE, codes::MISSPELT_LABEL, codes::NO_DICE].contains(&found.code)
    };
    let is_lost = !ledger.lost.is_empty() || !system.lost_checks.is_empty() || ledger.diagnostics.iter().any(told);
    if !system.checks.is_empty() || is_lost {
        return;
    }
    let first = ledger.limits.within(ledger.sources).find_map(|(id, source)| {
        // What is rolled, before what dice are good for otherwise.
        let rolled = |at: &std::ops::Range<usize>| {
            let before = source.text.get(..at.start).unwrap_or_default().trim_end().to_ascii_lowercase();
            before.ends_with("roll") || before.ends_with("roll a")
        };
        let at =
            dice_mentions(&source.text).take(DICE_MAX).find(rolled).or_else(|| dice_mentions(&source.text).next())?;
        Some(Span::new(id, at))
    });
    let Some(first) = first else { return };
    ledger.report(
        Diagnostic::note(codes::NO_CHECK, "there is no check")
            .at(first, "dice are named, and not as what a check rolls")
            .because("`skill_check` has nothing to resolve; dice are rolled by hand")
            .help("say what is rolled below a heading `## Dice`: Roll 1d20 + modifiers against a difficulty."),
    );
}
