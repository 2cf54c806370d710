use super::entry::lint;
use crate::diagnostic::Diagnostic;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::system::System;

lint!("attributes/modifier-gap", System(lint));

/// Scores of one range that are looked at.
const SCORES_MAX: usize = 1_000;

fn lint(system: &System, ledger: &mut Ledger<'_>) {
    // One table serves all attributes, so one that lacks a score is said once.
    for attribute in &system.attributes {
        let Some((low, high)) = attribute.range else { continue };
        // Damage takes it down to nothing.
        let low = if system.takes_score(&attribute.name) { low.min(0) } else { low };
        let gap = (low..=high).take(SCORES_MAX).find_map(|score| Some((score, attribute.modifier(score).err()?)));
        if let Some((score, why)) = gap {
            let message = format!("the score {score} of {} has no modifier", attribute.name);
            ledger.report(
                Diagnostic::warning(LINT.code, message)
                    .at(attribute.span, format!("may be anything from {low} to {high}"))
                    .because(why.to_string())
                    .help("let the modifiers cover the whole range"),
            );
            return;
        }
    }
}
