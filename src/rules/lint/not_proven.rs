use super::entry::lint;
use super::survey::{STATES_MAX, Survey};
use crate::diagnostic::Diagnostic;
use crate::rules::language::checks::Check;

lint!("checks/not-proven", Proof(lint));

fn lint(check: &Check, survey: &Survey, found: &mut Vec<Diagnostic>) {
    if survey.proven {
        return;
    }
    let message = format!("whether `{}` has gaps, or rows that never win, is not proven", check.name);
    let mut diagnostic = Diagnostic::note(LINT.code, message)
        .at(check.span, "not everything was looked at")
        .because(format!(
            "its dice and names have more than {STATES_MAX} states, or many dice a state, or dice that explode without end"
        ));
    for (row, _) in check.rows.iter().zip(&survey.rows).filter(|(_, seen)| !seen.won) {
        diagnostic = diagnostic.and(row.span, "was not seen to win");
    }
    found.push(survey.looked_at(diagnostic));
}
