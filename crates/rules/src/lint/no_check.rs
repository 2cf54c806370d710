use crate::codes;
use crate::language::ledger::Ledger;
use crate::language::system::System;
use rollbook_text::diagnostic::{Diagnostic, Severity, Span};

/// A check that is lost to a mistake, or may be one, is reported already.
pub fn lint(system: &System, ledger: &mut Ledger<'_>) {
    let is_said = |own: &Diagnostic| {
        own.severity >= Severity::Error
            || [codes::LOOKS_LIKE_A_RULE, codes::MISSPELT_HEADING, codes::HEADING_LEVEL].contains(&own.code)
    };
    let is_lost = !system.lost_checks.is_empty() || ledger.diagnostics.iter().any(is_said);
    let Some((first, _)) = ledger.limits.within(ledger.sources).next() else { return };
    if is_lost || !system.checks.is_empty() {
        return;
    }
    ledger.report(
        Diagnostic::note(codes::NO_CHECK, "there is no check")
            .at(Span::new(first, 0..0), "")
            .because("`skill_check` resolves what its call states: `roll` with `difficulty` or `rows`")
            .help("say what is rolled below a heading `## Dice`: Roll 1d20 + modifiers against a difficulty."),
    );
}
