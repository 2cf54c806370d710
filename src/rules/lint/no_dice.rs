#![doc = include_str!("../explained/dice/none-named.md")]

use crate::diagnostic::{Diagnostic, Span};
use crate::rules::codes;
use crate::rules::read::{Ledger, dice_mentions};
use crate::rules::system::System;

pub(super) fn lint(system: &System, ledger: &mut Ledger<'_>) {
    let Some((first, _)) = ledger.limits.within(ledger.sources).next() else {
        return;
    };
    let named = ledger.limits.within(ledger.sources).any(|(_, source)| dice_mentions(&source.text).next().is_some());
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
