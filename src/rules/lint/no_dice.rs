//! `dice/none-named`
//!
//! What: no die is named anywhere in the rules.
//! Why: without one there is no check, and `skill_check` has nothing to roll.
//! Wrong: "Roll against a difficulty."
//! Right: "Roll 1d20 + modifiers against a difficulty."

use crate::diagnostic::{Diagnostic, Span};
use crate::rules::codes;
use crate::rules::read::{Ledger, dice_mentions};
use crate::rules::system::System;

pub(super) fn lint(system: &System, ledger: &mut Ledger<'_>) {
    let mut files = ledger.sources.iter().filter(|(_, source)| source.text.len() <= ledger.limits.file_bytes);
    let Some((first, _)) = files.next() else {
        return;
    };
    let named = ledger.sources.iter().any(|(_, source)| dice_mentions(&source.text).next().is_some());
    if named || !system.checks.is_empty() {
        return;
    }
    ledger.report(
        Diagnostic::warning(codes::NO_DICE, "no die is named anywhere in the rules")
            .at(Span::new(first, 0..0), "")
            .because("there is no check: the GM decides, and dice are rolled by hand")
            .help("say what is rolled: ## Dice, and below it: Roll 1d20 + modifiers against a difficulty."),
    );
}
