use super::entry::lint;
use crate::diagnostic::{Diagnostic, Span};
use crate::rules::language::ledger::Ledger;
use crate::rules::language::plain::{dice_mentions, foreign_die};
use crate::rules::language::system::System;

lint!("dice/none-named", System(lint));

fn lint(system: &System, ledger: &mut Ledger<'_>) {
    let Some((first, _)) = ledger.limits.within(ledger.sources).next() else {
        return;
    };
    let named = ledger.limits.within(ledger.sources).any(|(_, source)| dice_mentions(&source.text).next().is_some());
    // A check that is lost to a mistake says what it rolls.
    if named || !system.checks.is_empty() || !system.lost_checks.is_empty() {
        return;
    }
    let foreign = ledger.limits.within(ledger.sources).find_map(|(id, source)| {
        let (at, die) = foreign_die(&source.text)?;
        Some((Span::new(id, at), format!("dice are written in English: `{die}`")))
    });
    let found = Diagnostic::warning(LINT.code, "no die is named anywhere in the rules");
    let found = match foreign {
        Some((at, why)) => found.at(at, why),
        None => found.at(Span::new(first, 0..0), ""),
    };
    ledger.report(
        found
            .because("there is no check: the GM decides, and dice are rolled by hand")
            .help("say what is rolled: ## Dice, and below it: Roll 1d20 + modifiers against a difficulty."),
    );
}
