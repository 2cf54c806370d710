//! Checks over the whole of what was read, one a file.
//!
//! [`all`] runs whenever rules are loaded. [`proofs`] carries every check out in every way, which takes too long for that:
//! it is for the author who asks.

mod always_succeeds;
mod below_otherwise;
mod broken_anchor;
mod broken_link;
mod cannot_be_rolled;
mod conditions;
mod counted_twice;
mod duplicate_row;
mod empty_table;
mod entry;
mod falls_through;
mod first_check;
mod gap;
mod hidden_number;
mod impossible_natural;
mod link;
mod links;
mod modifier_gap;
mod never_succeeds;
mod no_check;
mod no_dice;
mod no_numbers;
mod no_opposing_dice;
mod no_such_dice;
mod no_target;
mod not_proven;
mod number_gap;
mod out_of_reach;
mod reserved_name;
mod shadowed_name;
mod start_out_of_range;
mod successes_without_count;
mod survey;
mod table_gap;
mod table_overlap;
mod taken_name;
mod turned_advantage;
mod undeclared_die;
mod unknown_group;
mod unreachable_row;
mod unused_count;
mod unused_difficulty;
mod unused_initiative;
mod unused_opposing_dice;
mod unused_skills;
mod unused_target;
mod values;

use crate::diagnostic::{Diagnostic, Severity};
use crate::rules::language::checks::Check;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::outline::Outline;
use crate::rules::language::system::System;
use crate::rules::resolve::Work;
use entry::{Lint, Run};
use survey::Survey;

pub use links::links;
pub use table_gap::tables;

/// Every lint, in the order in which they run: a new one is a file and its line here.
pub const ALL: [Lint; 41] = [
    empty_table::LINT,
    no_dice::LINT,
    undeclared_die::LINT,
    turned_advantage::LINT,
    reserved_name::LINT,
    modifier_gap::LINT,
    number_gap::LINT,
    unused_skills::LINT,
    first_check::LINT,
    no_target::LINT,
    unused_target::LINT,
    successes_without_count::LINT,
    no_numbers::LINT,
    unused_count::LINT,
    no_opposing_dice::LINT,
    unused_opposing_dice::LINT,
    unknown_group::LINT,
    counted_twice::LINT,
    unused_difficulty::LINT,
    unused_initiative::LINT,
    impossible_natural::LINT,
    duplicate_row::LINT,
    gap::LINT,
    below_otherwise::LINT,
    shadowed_name::LINT,
    start_out_of_range::LINT,
    out_of_reach::LINT,
    taken_name::LINT,
    hidden_number::LINT,
    no_such_dice::LINT,
    no_check::LINT,
    cannot_be_rolled::LINT,
    unreachable_row::LINT,
    falls_through::LINT,
    never_succeeds::LINT,
    always_succeeds::LINT,
    not_proven::LINT,
    broken_anchor::LINT,
    broken_link::LINT,
    table_gap::LINT,
    table_overlap::LINT,
];

/// Runs every lint that is quick.
pub fn all(outline: &Outline<'_>, system: &System, ledger: &mut Ledger<'_>) {
    for lint in &ALL {
        match lint.run {
            Run::Outline(run) => run(outline, ledger),
            Run::Sections(run) => run(outline, system, ledger),
            Run::System(run) => run(system, ledger),
            Run::Proof(_) | Run::Refused(_) | Run::Link => {}
        }
    }
}

/// What only shows when checks are carried out, beside what was reported of them already, until `stop` says so.
pub fn proofs(system: &System, reported: &[Diagnostic], stop: &dyn Fn() -> bool) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut work = Work::of(survey::WORK_ALL);
    let checks = system.checks.iter().filter(|check| !is_wrong(check, reported));
    for check in checks.take_while(|_| !stop()) {
        let Some(survey) = Survey::of(check, system, &mut work) else { continue };
        let refused = survey.refused.is_some() && !survey.rolled;
        for lint in &ALL {
            match lint.run {
                Run::Refused(run) if refused || survey.refused_at.is_some() => run(check, &survey, &mut found),
                Run::Proof(run) if !refused && Survey::decides(check) => run(check, &survey, &mut found),
                Run::Proof(_) | Run::Refused(_) => {}
                Run::Outline(_) | Run::Sections(_) | Run::System(_) | Run::Link => {}
            }
        }
    }
    found.retain(|one| one.code != unreachable_row::LINT.code || !is_reported(one, reported));
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
