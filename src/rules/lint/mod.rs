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
mod falls_through;
mod gap;
mod impossible_natural;
mod instead;
mod links;
mod looks_like_a_rule;
mod meant_section;
mod modifier_gap;
mod moves_in_prose;
mod never_succeeds;
mod no_check;
mod no_dice;
mod no_opposing_dice;
mod no_target;
mod not_proven;
mod outcome_table;
mod overlooked_table;
mod range_upside_down;
mod reserved_name;
mod shadowed_name;
mod start_out_of_range;
mod successes_without_count;
mod survey;
mod turned_advantage;
mod undeclared_condition;
mod undeclared_die;
mod undeclared_name;
mod unknown_group;
mod unknown_name;
mod unknown_section;
mod unreachable_row;
mod unreadable_effect;
mod unused_count;
mod unused_modifier;
mod unused_opposing_dice;
mod unused_skills;
mod unused_target;
mod values;
mod written_otherwise;

use super::attempt::Work;
use super::check::Check;
use super::codes;
use super::document::Document;
use super::read::{Ledger, Outline};
use super::reading::Reading;
use super::system::System;
use crate::diagnostic::{Diagnostic, Severity, Span};
use survey::Survey;

pub use links::links;

/// Runs every lint that is quick.
pub fn all(document: &Document, outline: &Outline<'_>, system: &System, ledger: &mut Ledger<'_>) {
    outcome_table::lint(outline, ledger);
    empty_table::lint(outline, ledger);
    moves_in_prose::lint(outline, system, ledger);
    looks_like_a_rule::lint(outline, system, ledger);
    unknown_section::lint(document, outline, system, ledger);
    for lint in OF_SYSTEM {
        lint(system, ledger);
    }
}

/// The lints that need what was understood and no more.
const OF_SYSTEM: [fn(&System, &mut Ledger<'_>); 27] = [
    no_dice::lint,
    undeclared_die::lint,
    turned_advantage::lint,
    undeclared_name::lint,
    reserved_name::lint,
    modifier_gap::lint,
    unused_skills::lint,
    no_target::lint,
    unused_target::lint,
    successes_without_count::lint,
    unused_count::lint,
    no_opposing_dice::lint,
    unused_opposing_dice::lint,
    unknown_group::lint,
    unused_modifier::lint,
    counted_twice::lint,
    impossible_natural::lint,
    duplicate_row::lint,
    gap::lint,
    below_otherwise::lint,
    range_upside_down::lint,
    shadowed_name::lint,
    start_out_of_range::lint,
    undeclared_condition::lint,
    unknown_name::lint,
    unreadable_effect::lint,
    no_check::lint,
];

/// What only shows when checks are carried out: gaps in tables, rows that never win, checks whose end is known beforehand.
///
/// A check in which something is wrong already is left out: what follows from that is no news.
pub fn proofs(reading: &Reading) -> Vec<Diagnostic> {
    proofs_until(reading, &|| false)
}

/// The same as far as it comes until `stop` says so, which is asked before each check.
pub fn proofs_until(reading: &Reading, stop: &dyn Fn() -> bool) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut work = Work::of(survey::WORK_ALL);
    let checks = reading.system.checks.iter().filter(|check| !is_wrong(check, reading));
    for check in checks.take_while(|_| !stop()) {
        let Some(survey) = Survey::of(check, &reading.system, &mut work) else { continue };
        if survey.refused.is_some() && !survey.rolled {
            cannot_be_rolled::lint(check, &survey, &mut found);
            continue;
        }
        if !Survey::decides(check) {
            continue;
        }
        unreachable_row::lint(check, &survey, &mut found);
        falls_through::lint(check, &survey, &mut found);
        never_succeeds::lint(check, &survey, &mut found);
        always_succeeds::lint(check, &survey, &mut found);
        not_proven::lint(check, &survey, &mut found);
    }
    found.retain(|one| one.code != codes::UNREACHABLE_ROW || !is_told(one, reading));
    found
}

/// Whether an error was found in a check or one of its rows.
fn is_wrong(check: &Check, reading: &Reading) -> bool {
    let spans = || std::iter::once(check.span).chain(check.rows.iter().map(|row| row.span));
    let within = |outer: Span, inner: Span| outer.file == inner.file && outer.bytes().contains(&inner.start);
    let errors = reading.diagnostics.iter().filter(|found| found.severity == Severity::Error);
    errors.flat_map(|found| &found.labels).any(|label| spans().any(|own| within(own, label.span)))
}

/// Whether it was told already why this row never wins.
fn is_told(row: &Diagnostic, reading: &Reading) -> bool {
    let Some(row) = row.span() else { return false };
    let about = reading.diagnostics.iter().filter(|found| found.code == codes::IMPOSSIBLE_NATURAL);
    about.filter_map(Diagnostic::span).any(|span| row.file == span.file && row.bytes().contains(&span.start))
}

/// The same with what the names were taken to stand for.
fn looked_at(diagnostic: Diagnostic, survey: &Survey) -> Diagnostic {
    match survey.names.as_slice() {
        [] => diagnostic,
        names => diagnostic.because(format!("looked at: {}", names.join(", "))),
    }
}
