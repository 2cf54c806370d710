use std::ops::Range;

use super::entry::lint;
use super::no_dice;
use crate::diagnostic::{Diagnostic, Severity, Span};
use crate::rules::codes;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::plain::dice_mentions;
use crate::rules::language::system::System;

lint!("checks/none", System(lint));

/// Dice that are looked at for one that is rolled.
const DICE_MAX: usize = 200;

/// Dice are named, and nothing says what is rolled for a check. Where a check was lost, that is reported already.
fn lint(system: &System, ledger: &mut Ledger<'_>) {
    let reported = |found: &Diagnostic| {
        let known = [codes::LOOKS_LIKE_A_RULE, codes::MISSPELT_HEADING, no_dice::LINT.code];
        found.severity >= Severity::Error || known.contains(&found.code)
    };
    let is_lost = !system.lost_checks.is_empty() || ledger.diagnostics.iter().any(reported);
    if !system.checks.is_empty() || is_lost {
        return;
    }
    // Beside another remark only what is rolled is worth one.
    let explained = ledger.diagnostics.iter().any(|found| found.severity >= Severity::Warning);
    let first = ledger.limits.within(ledger.sources).find_map(|(id, source)| {
        // What is rolled, before what dice are good for otherwise.
        let rolled = |at: &Range<usize>| {
            let before = source.text.get(..at.start).unwrap_or_default().trim_end();
            let word = before.get(before.len().saturating_sub("roll".len())..).unwrap_or_default();
            word.eq_ignore_ascii_case("roll")
        };
        let first = || dice_mentions(&source.text).next().filter(|_| !explained);
        let at = dice_mentions(&source.text).take(DICE_MAX).find(rolled).or_else(first)?;
        Some(Span::new(id, at))
    });
    let Some(first) = first else { return };
    ledger.report(
        Diagnostic::note(LINT.code, "there is no check")
            .at(first, "dice are named, and not as what a check rolls")
            .because("`skill_check` has nothing to resolve; dice are rolled by hand")
            .help("say what is rolled below a heading `## Dice`: Roll 1d20 + modifiers against a difficulty."),
    );
}
