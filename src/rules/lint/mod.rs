//! Checks over the whole of what was read: a file has one lint, or a few about one thing.
//!
//! [`all`] runs whenever rules are loaded. [`proofs()`] carries every check out in every way, which takes too long for that:
//! it is for the author who asks.

mod conditions;
mod counted_twice;
mod entry;
mod gap;
mod hidden_number;
mod impossible_natural;
mod names;
mod no_check;
mod no_such_dice;
mod number_gap;
mod parts;
mod proofs;
mod survey;
mod tables;
mod tracks;
mod undeclared_die;
mod unknown_group;
mod unused_difficulty;
mod unused_skills;
mod values;

use crate::diagnostic::{Diagnostic, Severity};
use crate::rules::language::checks::Check;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::system::System;
use crate::rules::resolve::Work;
use entry::Lint;
use survey::Survey;

pub use tables::tables;

/// Every lint, in the order in which they run.
pub const ALL: [Lint; 31] = [
    undeclared_die::LINT,
    names::RESERVED,
    names::SHADOWED,
    names::TAKEN,
    number_gap::LINT,
    number_gap::MODIFIER,
    unused_skills::LINT,
    parts::NO_TARGET,
    parts::UNUSED_TARGET,
    parts::NO_COUNT,
    parts::UNUSED_COUNT,
    parts::NO_OPPOSING,
    parts::UNUSED_OPPOSING,
    unknown_group::LINT,
    counted_twice::LINT,
    unused_difficulty::LINT,
    impossible_natural::LINT,
    gap::LINT,
    tracks::START,
    tracks::NEVER,
    hidden_number::LINT,
    no_such_dice::LINT,
    no_check::LINT,
    proofs::REFUSED,
    proofs::UNREACHABLE,
    proofs::FALLS_THROUGH,
    proofs::NEVER,
    proofs::ALWAYS,
    proofs::NOT_PROVEN,
    tables::GAP,
    tables::OVERLAP,
];

/// Runs every lint that is quick.
pub fn all(system: &System, ledger: &mut Ledger<'_>) {
    for run in ALL.iter().filter_map(|lint| lint.run) {
        run(system, ledger);
    }
}

/// What only shows when checks are carried out, beside what was reported of them already, until `stop` says so.
pub fn proofs(system: &System, reported: &[Diagnostic], stop: &dyn Fn() -> bool) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut work = Work::of(survey::WORK_ALL);
    let checks = system.checks.iter().filter(|check| !is_wrong(check, reported));
    for check in checks.take_while(|_| !stop()) {
        let survey = Survey::of(check, system, &mut work);
        found.extend(survey.into_iter().flat_map(|survey| proofs::shown(check, &survey)));
    }
    found.retain(|one| one.code != proofs::UNREACHABLE.code || !is_reported(one, reported));
    found
}

/// Whether an error was found in a check or one of its rows.
fn is_wrong(check: &Check, reported: &[Diagnostic]) -> bool {
    let spans = || std::iter::once(check.span).chain(check.rows.iter().map(|row| row.span));
    let errors = reported.iter().filter(|found| found.severity == Severity::Error);
    errors.flat_map(|found| &found.labels).any(|label| spans().any(|own| own.holds(label.span)))
}

/// Whether it was reported already why this row never wins.
fn is_reported(row: &Diagnostic, reported: &[Diagnostic]) -> bool {
    let Some(row) = row.span() else { return false };
    let about = reported.iter().filter(|found| found.code == impossible_natural::LINT.code);
    about.filter_map(Diagnostic::span).any(|span| row.holds(span))
}
