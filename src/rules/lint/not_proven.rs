use super::entry::lint;
use super::survey::{STATES_MAX, Survey};
use crate::diagnostic::Diagnostic;
use crate::names::for_shell;
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
    let explodes = check.roll.to_string().contains('!');
    let why = match explodes {
        true => "its dice may explode without end, so that not every roll can be looked at".to_owned(),
        false => format!("its dice and names have more than {STATES_MAX} states, or many dice a state"),
    };
    let mut diagnostic =
        Diagnostic::note(LINT.code, message).at(check.span, "not everything was looked at").because(why);
    let unseen = survey.rows.iter().any(|seen| !seen.won);
    if !check.rows.is_empty() && !check.rows.iter().any(|row| row.when == When::Otherwise) {
        diagnostic = diagnostic.help("write `otherwise` in the last row's When: then nothing can fall through");
    }
    let spread = |range: Option<(i64, i64)>| range.map_or(0, |(low, high)| high.saturating_sub(low));
    let widest = check.asks.iter().filter(|own| spread(own.range()) > FEW).max_by_key(|own| spread(own.range()));
    if unseen {
        let name = for_shell(&check.name);
        diagnostic = diagnostic.help(format!(
            "a row that is meant to be rare may stay as it is: `rollbook odds --check {name} --character \"Ana: …\"` says how likely it is"
        ));
    }
    if let Some((name, (low, _))) = widest.and_then(|own| Some((&own.name, own.range()?))).filter(|_| !explodes) {
        let high = low.saturating_add(FEW);
        diagnostic = diagnostic.help(format!(
            "where no call gives as much, say so, and there is less to look at: `- Asks: {name} {low} to {high}`"
        ));
    }
    for (row, _) in check.rows.iter().zip(&survey.rows).filter(|(_, seen)| !seen.won) {
        diagnostic = diagnostic.and(row.span, "was not seen to win");
    }
    found.push(survey.looked_at(diagnostic));
}
