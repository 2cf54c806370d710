use super::below_otherwise::is_below;
use super::duplicate_row::same_above;
use super::entry::lint;
use super::survey::Survey;
use crate::diagnostic::Diagnostic;
use crate::rules::language::checks::Check;

lint!("checks/unreachable-row", Proof(lint));

fn lint(check: &Check, survey: &Survey, found: &mut Vec<Diagnostic>) {
    if !survey.proven || never_succeeds(check, survey) || never_fails(check, survey) {
        return;
    }
    // What shows without any roll is said by the lints that run at once.
    let plain = |at: usize| same_above(check, at).is_some() || is_below(check, at);
    for (at, (row, seen)) in check.rows.iter().zip(&survey.rows).enumerate() {
        if seen.won || plain(at) {
            continue;
        }
        let mut diagnostic = Diagnostic::warning(LINT.code, format!("the row `{}` can never win", row.label));
        diagnostic = match seen.beaten_by.and_then(|at| check.rows.get(at)) {
            Some(above) => diagnostic
                .at(row.span, "where this holds, a row above holds too")
                .and(above.span, "this one, for example, and the first that holds wins")
                .help("put the narrower row above the wider one"),
            None => diagnostic
                .at(row.span, "no roll of this check comes to this")
                .help("change the condition, or take the row out"),
        };
        found.push(survey.looked_at(diagnostic));
    }
}

/// Whether every row with which the check works is out of reach; that is said as one finding.
pub(super) fn never_succeeds(check: &Check, survey: &Survey) -> bool {
    !survey.succeeded && check.outcomes().iter().any(|outcome| outcome.is_success())
}

/// The same for the rows with which it fails.
pub(super) fn never_fails(check: &Check, survey: &Survey) -> bool {
    !survey.failed && check.outcomes().iter().any(|outcome| !outcome.is_success())
}
