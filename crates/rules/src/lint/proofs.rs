//! Findings of a survey: rows that never win, rolls without a row, checks that cannot be rolled.

use super::survey::{STATES_MAX, Survey};
use crate::codes;
use crate::language::checks::{Check, Row};
use crate::when::When;
use rollbook_text::diagnostic::Diagnostic;
use rollbook_text::names::for_shell;

/// A range of this many numbers is small.
const FEW: i64 = 10;

/// All findings of a survey.
pub fn findings(check: &Check, survey: &Survey) -> Vec<Diagnostic> {
    let is_refused = survey.refused.is_some() && !survey.rolled;
    let refused = (is_refused || survey.refused_at.is_some())
        .then(|| refused(check, survey))
        .flatten();
    let mut found: Vec<Diagnostic> = refused.into_iter().collect();
    if is_refused || !Survey::decides(check) {
        return found;
    }
    let outcomes = check.outcomes();
    let never = !survey.succeeded && outcomes.iter().any(|outcome| outcome.is_success());
    let always = !survey.failed && outcomes.iter().any(|outcome| !outcome.is_success());
    found.extend(falls_through(check, survey));
    match survey.proven {
        false => found.push(not_proven(check, survey)),
        true if never || always => {
            found.extend(never.then(|| one_sided(check, survey, true)));
            found.extend(always.then(|| one_sided(check, survey, false)));
        }
        true => found.extend(unreachable(check, survey)),
    }
    if survey.whole {
        found.extend(never_happens(check, survey));
    }
    found
}

/// Flags that are never raised, and natural faces that never occur.
fn never_happens(check: &Check, survey: &Survey) -> Vec<Diagnostic> {
    let flags = check
        .flags
        .iter()
        .zip(&survey.flags)
        .map(|(flag, seen)| (format!("Flag {}", flag.name), seen));
    let shifts = check
        .shifts
        .iter()
        .zip(&survey.shifts)
        .map(|(shift, seen)| (shift.text.clone(), seen));
    let finding = |what: String| {
        let message = format!("`{what}` of `{}` never happens", check.name);
        let found = Diagnostic::warning(codes::NEVER_HAPPENS, message)
            .at(check.span, "no roll of this check comes to it");
        survey.with_names(found.help("ask for what the dice can show, or take it out"))
    };
    flags
        .chain(shifts)
        .filter(|(_, seen)| !**seen)
        .map(|(what, _)| finding(what))
        .collect()
}

fn refused(check: &Check, survey: &Survey) -> Option<Diagnostic> {
    if let Some((at, why)) = &survey.refused_at {
        let message = format!("the check `{}` cannot be rolled with {at}", check.name);
        let diagnostic = Diagnostic::warning(codes::CANNOT_BE_ROLLED, message)
            .at(check.span, "every call of it with that number is refused")
            .because(why.clone())
            .help("let its range end, and its default be, where it can be rolled; or let the Roll ask for fewer dice");
        return Some(diagnostic);
    }
    let why = survey.refused.as_ref()?;
    let at = match survey.names.as_slice() {
        [] => "every call of it is refused",
        _ => "refused with every value that was looked at",
    };
    let message = format!("the check `{}` cannot be rolled", check.name);
    let found = Diagnostic::warning(codes::CANNOT_BE_ROLLED, message).at(check.span, at);
    Some(survey.with_names(found.because(why.clone())))
}

fn falls_through(check: &Check, survey: &Survey) -> Option<Diagnostic> {
    let (example, last) = (survey.without_row.as_ref()?, check.rows.last()?);
    let message = format!(
        "the table of `{}` does not say what {example} is",
        check.name
    );
    let diagnostic = Diagnostic::warning(codes::FALLS_THROUGH, message)
        .at(last.span, "no row holds, down to this one")
        .because("where no row holds the outcome is for the GM to say")
        .help("end the table with a row whose When is `otherwise`");
    Some(survey.with_names(diagnostic))
}

/// The finding about a check that never succeeds, or always does.
fn one_sided(check: &Check, survey: &Survey, never: bool) -> Diagnostic {
    let (code, what) = if never {
        (codes::NEVER_SUCCEEDS, "can never succeed")
    } else {
        (codes::ALWAYS_SUCCEEDS, "always succeeds")
    };
    let message = format!("the check `{}` {what}", check.name);
    let mut diagnostic = Diagnostic::warning(code, message).at(check.span, "whatever is rolled");
    for row in check
        .rows
        .iter()
        .filter(|row| row.canonical.is_success() == never)
    {
        diagnostic = diagnostic.and(row.span, "never wins");
    }
    if let Some(why) = survey.refused.as_ref().filter(|_| never) {
        diagnostic = diagnostic.because(format!(
            "with some values it cannot be rolled at all: {why}"
        ));
    }
    let help =
        "compare what is rolled with the target and the rows: which numbers can the dice come to?";
    survey.with_names(diagnostic.help(help))
}

fn unreachable(check: &Check, survey: &Survey) -> Vec<Diagnostic> {
    let unseen = check
        .rows
        .iter()
        .zip(&survey.rows)
        .filter(|(_, seen)| !seen.won);
    let finding = |row: &Row, above: Option<&Row>| {
        let diagnostic = Diagnostic::warning(
            codes::UNREACHABLE_ROW,
            format!("the row `{}` can never win", row.label),
        );
        survey.with_names(match above {
            Some(above) => diagnostic
                .at(row.span, "where this holds, a row above holds too")
                .and(
                    above.span,
                    "this one, for example, and the first that holds wins",
                )
                .help("put the narrower row above the wider one, and `otherwise` last"),
            None => diagnostic
                .at(row.span, "no roll of this check comes to this")
                .help("change the condition, or take the row out"),
        })
    };
    unseen
        .map(|(row, seen)| finding(row, seen.beaten_by.and_then(|at| check.rows.get(at))))
        .collect()
}

fn not_proven(check: &Check, survey: &Survey) -> Diagnostic {
    let message = format!(
        "whether `{}` has gaps, or rows that never win, is not proven",
        check.name
    );
    let explodes = check.roll.to_string().contains('!');
    let why = match explodes {
        true => {
            "its dice may explode without end, so that not every roll can be looked at".to_owned()
        }
        false => {
            format!("its dice and names have more than {STATES_MAX} states, or many dice a state")
        }
    };
    let mut diagnostic = Diagnostic::note(codes::NOT_PROVEN, message)
        .at(check.span, "not everything was looked at")
        .because(why);
    if !check.rows.is_empty() && !check.rows.iter().any(|row| row.when == When::Otherwise) {
        diagnostic = diagnostic
            .help("write `otherwise` in the last row's When: then nothing can fall through");
    }
    if survey.rows.iter().any(|seen| !seen.won) {
        let name = for_shell(&check.name);
        diagnostic = diagnostic.help(format!(
            "a row that is meant to be rare may stay as it is: `rollbook odds --check {name} --character \"Ana: …\"` says how likely it is"
        ));
    }
    let spread =
        |range: Option<(i64, i64)>| range.map_or(0, |(low, high)| high.saturating_sub(low));
    let widest = check
        .asks
        .iter()
        .filter(|ask| spread(ask.range()) > FEW)
        .max_by_key(|ask| spread(ask.range()));
    if let Some((name, (low, _))) = widest
        .and_then(|ask| Some((&ask.name, ask.range()?)))
        .filter(|_| !explodes)
    {
        let high = low.saturating_add(FEW);
        diagnostic = diagnostic.help(format!(
            "where no call gives as much, say so, and there is less to look at: `- Asks: {name} {low} to {high}`"
        ));
    }
    for (row, _) in check
        .rows
        .iter()
        .zip(&survey.rows)
        .filter(|(_, seen)| !seen.won)
    {
        diagnostic = diagnostic.and(row.span, "was not seen to win");
    }
    survey.with_names(diagnostic)
}
