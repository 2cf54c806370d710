use crate::codes;
use crate::language::checks::{Check, Row};
use crate::language::ledger::Ledger;
use crate::language::system::System;
use crate::when::facts::Facts;
use crate::when::{Measure, When};
use rollbook_text::diagnostic::Diagnostic;

/// A gap of this many numbers or more is on purpose.
const WIDTH_MAX: i64 = 3;

/// Warns about numbers between two rows that `otherwise` makes worse than both rows, or better.
pub fn lint(system: &System, ledger: &mut Ledger<'_>) {
    for check in &system.checks {
        let Some(otherwise) = check.rows.iter().find(|row| row.when == When::Otherwise) else {
            continue;
        };
        for (below, above) in neighbours(check) {
            let (first, last) = (below.high + 1, above.low - 1);
            let outcomes = [below.row.canonical, above.row.canonical];
            let beyond = outcomes
                .iter()
                .all(|outcome| otherwise.canonical < *outcome)
                || outcomes
                    .iter()
                    .all(|outcome| otherwise.canonical > *outcome);
            if !beyond
                || !(0..WIDTH_MAX).contains(&(last - first))
                || (below.is_one && above.is_one)
            {
                continue;
            }
            let missing = if first == last {
                first.to_string()
            } else {
                format!("{first} to {last}")
            };
            let message = format!(
                "the table of `{}` leaves out {missing}, between `{}` and `{}`",
                check.name, below.row.label, above.row.label
            );
            let diagnostic = Diagnostic::warning(codes::GAP, message)
                .at(below.row.span, format!("ends at {}", below.high))
                .and(above.row.span, format!("begins at {}", above.low))
                .and(otherwise.span, format!("{missing} comes to this"));
            ledger.report(diagnostic.help(
                "make one of the two rows reach the other, or give the numbers between them a row",
            ));
        }
    }
}

/// A row that holds where one measure is in a range.
struct Stretch<'a> {
    row: &'a Row,
    measure: &'a Measure,
    low: i64,
    high: i64,
    /// Whether it is a single number, such as a special total.
    is_one: bool,
}

/// Pairs of rows about the same measure whose ranges are next to each other.
fn neighbours(check: &Check) -> Vec<(Stretch<'_>, Stretch<'_>)> {
    let mut pairs = Vec::new();
    for upper in check.rows.iter().filter_map(stretch) {
        let lower = check
            .rows
            .iter()
            .filter_map(stretch)
            .filter(|row| row.measure == upper.measure && row.high < upper.low);
        let Some(nearest) = lower.max_by_key(|row| row.high) else {
            continue;
        };
        // Any row that reaches into the gap closes it.
        let closes = |row: &Stretch<'_>| {
            row.measure == upper.measure && row.low <= nearest.high + 1 && row.high > nearest.high
        };
        if !check
            .rows
            .iter()
            .filter_map(stretch)
            .any(|row| closes(&row))
            && nearest.high + 1 < upper.low
        {
            pairs.push((nearest, upper));
        }
    }
    pairs
}

fn stretch(row: &Row) -> Option<Stretch<'_>> {
    if !row.when.variables().is_empty() {
        return None;
    }
    let (measure, low, high) = row.when.stretch(&Facts::default())?;
    (low <= high).then_some(Stretch {
        row,
        measure,
        low,
        high,
        is_one: low == high,
    })
}
