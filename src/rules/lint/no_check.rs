use std::ops::Range;

use super::entry::lint;
use crate::diagnostic::{Diagnostic, FileId, Severity, Span};
use crate::rules::codes;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::plain::{dice_mentions, foreign_die};
use crate::rules::language::system::System;

lint!(NO_DICE = "dice/none-named", lint);
lint!(LINT = "checks/none");

/// Dice that are looked at for one that is rolled.
const DICE_MAX: usize = 200;

/// A check that is lost to a mistake says what it rolls.
fn lint(system: &System, ledger: &mut Ledger<'_>) {
    if !system.checks.is_empty() || !system.lost_checks.is_empty() {
        return;
    }
    let Some((first, _)) = ledger.limits.within(ledger.sources).next() else { return };
    let is_named = ledger.limits.within(ledger.sources).any(|(_, file)| dice_mentions(&file.text).next().is_some());
    if let Some(found) = if is_named { no_check(ledger) } else { Some(no_dice(ledger, first)) } {
        ledger.report(found);
    }
}

fn no_dice(ledger: &Ledger<'_>, first: FileId) -> Diagnostic {
    let foreign = ledger.limits.within(ledger.sources).find_map(|(id, source)| {
        let (at, die) = foreign_die(&source.text)?;
        Some((Span::new(id, at), format!("dice are written in English: `{die}`")))
    });
    let (at, why) = foreign.unwrap_or_else(|| (Span::new(first, 0..0), String::new()));
    Diagnostic::warning(NO_DICE.code, "no die is named anywhere in the rules")
        .at(at, why)
        .because("there is no check: the GM decides, and dice are rolled by hand")
        .help("say what is rolled: ## Dice, and below it: Roll 1d20 + modifiers against a difficulty.")
}

/// Dice are named, and nothing says what is rolled for a check.
fn no_check(ledger: &Ledger<'_>) -> Option<Diagnostic> {
    let is_said = |own: &Diagnostic| own.severity >= Severity::Error || own.code == codes::LOOKS_LIKE_A_RULE;
    if !ledger.lost.is_empty() || ledger.diagnostics.iter().any(is_said) {
        return None;
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
    let found = Diagnostic::note(LINT.code, "there is no check");
    Some(
        found
            .at(first?, "dice are named, and not as what a check rolls")
            .because("`skill_check` has nothing to resolve; dice are rolled by hand")
            .help("say what is rolled below a heading `## Dice`: Roll 1d20 + modifiers against a difficulty."),
    )
}
