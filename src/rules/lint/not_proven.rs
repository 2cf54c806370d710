use super::entry::lint;
use super::survey::{STATES_MAX, Survey};
use crate::diagnostic::Diagnostic;
use crate::rules::language::checks::Check;
use crate::rules::when::When;

lint!("checks/not-proven", Proof(lint));

/// Numbers that a call may choose from, and that are few.
const FEW: i64 = 10;

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
    if !check.rows.iter().any(|row| row.when == When::Otherwise) && survey.rows.iter().all(|seen| seen.won) {
        diagnostic = diagnostic.help("write `otherwise` in the last row's When: then nothing can fall through");
    } else if check.asks.iter().any(|own| own.range.is_some_and(|(low, high)| high.saturating_sub(low) > FEW)) {
        diagnostic = diagnostic.help("where calls give less, ask for less: `- Asks: pool 1 to 10`");
    }
    for (row, _) in check.rows.iter().zip(&survey.rows).filter(|(_, seen)| !seen.won) {
        diagnostic = diagnostic.and(row.span, "was not seen to win");
    }
    found.push(survey.looked_at(diagnostic));
}
