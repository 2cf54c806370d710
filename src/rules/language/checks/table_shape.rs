//! Outcome tables whose cells are not where the header says: columns with each other's header, rows that lost a cell.

use super::outcome::Outcome;
use super::rows::canonical;
use crate::diagnostic::{Diagnostic, Fix, Span};
use crate::rules::document::{Table, Text};
use crate::rules::language::ledger::Ledger;
use crate::rules::language::range;
use crate::rules::when::When;
use crate::rules::{codes, when};

/// Reports a table in which every row would be read if the two headers changed places, and not all are as they stand.
pub fn is_swapped(table: &Table, outcomes: usize, whens: usize, ledger: &mut Ledger<'_>) -> bool {
    let fits = |row: &Vec<Text>, outcome: usize, when: usize| {
        let known = row.get(outcome).is_some_and(|cell| canonical(cell).is_some());
        known && row.get(when).is_some_and(says_when)
    };
    let swapped = !table.rows.is_empty()
        && table.rows.iter().all(|row| fits(row, whens, outcomes))
        && !table.rows.iter().all(|row| fits(row, outcomes, whens));
    let (Some(first), Some(last)) = (table.header.get(outcomes.min(whens)), table.header.get(outcomes.max(whens)))
    else {
        return false;
    };
    if swapped {
        let between = ledger.sources.text(Span::new(first.file(), first.span().end..last.span().start)).to_owned();
        let span = first.span().to(last.span());
        let replacement = format!("{}{between}{}", last.as_str(), first.as_str());
        let message = "the columns of this table have each other's header";
        let found = Diagnostic::error(codes::SWAPPED_COLUMNS, message)
            .at(span, "below `When` stand outcomes, and below `Outcome` when they come")
            .because("until then the outcome of this check is for the GM to say")
            .fix(Fix { span, replacement, message: "swap the headers".to_owned() });
        let first = table.rows.iter().filter_map(|row| row.get(outcomes)).find(|cell| is_bare(cell));
        ledger.report(match first {
            Some(cell) => found.help(format!("a condition says what it looks at: `total {}`", cell.as_str())),
            None => found,
        });
    }
    swapped
}

/// Whether a row has fewer cells than its header, and those that are there stand in each other's places.
pub fn has_lost_cell(table: &Table, row: usize, outcome: &Text, when: &Text, ledger: &Ledger<'_>) -> bool {
    if outcome.is_empty() || when.is_empty() {
        return true;
    }
    // A condition with a number in it is misspelt, not missing.
    let tries = says_when(when) || when.as_str().contains(|letter: char| letter.is_ascii_digit());
    let moved = !tries && (canonical(outcome).is_some() || says_when(outcome));
    moved && cells(ledger.sources.text(line(table, row, ledger))).len() < table.header.len()
}

/// Reports a row without its Outcome or its When; the cells are those of the row.
pub fn report_lost_cell(table: &Table, row: usize, outcome: &Text, when: &Text, ledger: &mut Ledger<'_>) {
    let whole = line(table, row, ledger);
    let is_last = row + 1 == table.rows.len();
    let says_otherwise = |cells: &Vec<Text>| cells.iter().any(is_otherwise);
    let named = |wanted: Outcome| table.rows.iter().flatten().any(|cell| canonical(cell) == Some(wanted));
    let diagnostic = Diagnostic::error(codes::LOST_CELL, "a row of this table has lost a cell");
    let because = "until then the outcome of this check is for the GM to say";
    let edit = |replacement: &str| Fix {
        span: whole,
        replacement: replacement.to_owned(),
        message: format!("write `{replacement}`"),
    };
    let two = table.header.len() == 2;
    if !says_when(when) && canonical(outcome).is_some() {
        let diagnostic = diagnostic
            .at(whole, format!("`{}` does not say when", outcome.as_str()))
            .because(because)
            .help("write when it comes to this: `margin 0+`; the last row says `otherwise`");
        let ends = two && is_last && !table.rows.iter().any(says_otherwise);
        let words = format!("| {} | otherwise |", outcome.as_str());
        return ledger.report(if ends { diagnostic.perhaps(edit(&words)) } else { diagnostic });
    }
    // Which of the two is there shows in what it says.
    let condition = [outcome, when].into_iter().find(|cell| says_when(cell));
    let Some(condition) = condition else {
        return ledger.report(
            diagnostic
                .at(whole, "it needs an outcome, and when it comes to this")
                .because(because)
                .help("write both: `| Success | margin 0+ |`"),
        );
    };
    let diagnostic = diagnostic
        .at(whole, format!("what comes of `{}` is missing", condition.as_str()))
        .because(because)
        .help("write the outcome before it: `| Success | margin 0+ |`");
    let fails = two && is_otherwise(condition) && named(Outcome::Success) && !named(Outcome::Failure);
    ledger.report(if fails { diagnostic.perhaps(edit("| Failure | otherwise |")) } else { diagnostic });
}

/// Reports rows with more cells than the header has, the last of which Markdown drops.
pub fn report_dropped(table: &Table, ledger: &mut Ledger<'_>) {
    for row in 0..table.rows.len().min(ledger.limits.items) {
        let span = line(table, row, ledger);
        let cells = cells(ledger.sources.text(span));
        let dropped: Vec<&str> =
            cells.iter().skip(table.header.len()).map(|cell| cell.trim()).filter(|cell| !cell.is_empty()).collect();
        if !dropped.is_empty() {
            let message = format!("a row has {} cells, and the header {}", cells.len(), table.header.len());
            ledger.report(
                Diagnostic::warning(codes::LOST_CELL, message)
                    .at(span, format!("`{}` is dropped", crate::names::shortened(&dropped.join(" | "), 60)))
                    .help("give the header another column, or write `\\|` where no cell ends"),
            );
        }
    }
}

/// Whether a cell is a condition, or would be with `total` before it.
fn says_when(cell: &Text) -> bool {
    when::parse(cell, &[]).is_ok() || is_bare(cell)
}

/// `10+` says what is meant, though it has to be written otherwise.
fn is_bare(cell: &Text) -> bool {
    range::score(cell.as_str()).is_some()
}

fn is_otherwise(cell: &Text) -> bool {
    when::parse(cell, &[]) == Ok(When::Otherwise)
}

/// The line of the file on which this row stands, counted from the first below the header.
fn line(table: &Table, row: usize, ledger: &Ledger<'_>) -> Span {
    let mut start = table.span.start;
    // The header and the line below it come first.
    for line in ledger.sources.text(table.span).split_inclusive('\n').take(row + 2) {
        start += line.len();
    }
    let rest = ledger.sources.text(Span::new(table.span.file, start..table.span.end));
    let words = rest.lines().next().unwrap_or_default();
    let lead = words.len() - words.trim_start().len();
    Span::new(table.span.file, start + lead..start + words.trim_end().len().max(lead))
}

/// The cells of a line as Markdown takes it apart.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut escaped = false;
    let inner = line.trim();
    for letter in inner.strip_prefix('|').unwrap_or(inner).chars() {
        match letter {
            '|' if !escaped => cells.push(String::new()),
            letter => cells.last_mut().map(|cell| cell.push(letter)).unwrap_or_default(),
        }
        escaped = letter == '\\' && !escaped;
    }
    if inner.ends_with('|') && cells.len() > 1 {
        cells.pop();
    }
    cells
}
