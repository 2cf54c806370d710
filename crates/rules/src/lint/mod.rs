//! Lints over the whole system. Each file has one lint, or a few about one thing.
//!
//! [`all`] runs whenever rules are loaded. [`proofs()`] walks every way of every check, which takes
//! too long for that: it runs where an author asks for it.

mod conditions;
mod counted_twice;
mod dice;
mod gap;
mod names;
mod number_gap;
mod parts;
mod proofs;
mod survey;
mod tables;
mod tracks;
mod unused;
mod values;

use crate::language::checks::Check;
use crate::language::ledger::Ledger;
use crate::language::system::System;
use crate::resolve::Work;
use rollbook_text::diagnostic::{Diagnostic, Severity};
use survey::Survey;

pub use tables::tables;

/// The quick lints, in order.
const ALL: [fn(&System, &mut Ledger<'_>); 13] = [
    dice::undeclared_die,
    names::ambiguous_names,
    number_gap::lint,
    unused::skills,
    parts::parts,
    parts::unknown_groups,
    counted_twice::lint,
    unused::difficulties,
    gap::lint,
    tracks::lint,
    names::hidden_numbers,
    dice::no_such_dice,
    unused::no_check,
];

/// Runs all quick lints.
pub fn all(system: &System, ledger: &mut Ledger<'_>) {
    ALL.iter().for_each(|lint| lint(system, ledger));
}

/// Findings from rolling checks in every way, until `stop`. Skips those with errors in `reported`.
pub fn proofs(
    system: &System,
    reported: &[Diagnostic],
    stop: &dyn Fn() -> bool,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut work = Work::new(survey::WORK_ALL);
    let checks = system
        .checks
        .iter()
        .filter(|check| !is_wrong(check, reported));
    for check in checks.take_while(|_| !stop()) {
        let survey = Survey::run(check, system, &mut work);
        found.extend(
            survey
                .into_iter()
                .flat_map(|survey| proofs::findings(check, &survey)),
        );
    }
    found
}

/// Whether an error was found in a check or one of its rows.
fn is_wrong(check: &Check, reported: &[Diagnostic]) -> bool {
    let spans = || std::iter::once(check.span).chain(check.rows.iter().map(|row| row.span));
    let errors = reported
        .iter()
        .filter(|found| found.severity == Severity::Error);
    errors
        .flat_map(|found| &found.labels)
        .any(|label| spans().any(|span| span.holds(label.span)))
}
