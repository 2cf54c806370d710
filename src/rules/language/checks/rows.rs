//! Tables that have an Outcome and a When column.

use super::check::{Row, Unread};
use super::dealt::{is_damage, is_dealt};
use super::outcome::Outcome;
use super::table_shape::{has_lost_cell, is_swapped, report_dropped, report_lost_cell};
use crate::diagnostic::{Diagnostic, Fix};
use crate::names::{fold, same, suggest};
use crate::rules::document::{Table, Text};
use crate::rules::language::declaration::bracketed;
use crate::rules::language::ledger::Ledger;
use crate::rules::when::{Instead, Named};
use crate::rules::{codes, when};

/// Whether a table is an outcome table.
pub fn is_outcome_table(table: &Table) -> bool {
    column(table, "outcome").is_some() && column(table, "when").is_some()
}

/// Reads the rows. One that cannot be read makes the outcome the GM's: the rows below it would win where it should have.
///
/// `bare` is what a number alone is of, where that is sure: `total` in a check without a Target.
pub fn read(
    table: &Table,
    values: &[Named],
    bare: Option<&str>,
    unread: &mut Vec<Unread>,
    ledger: &mut Ledger<'_>,
) -> Vec<Row> {
    let (Some(outcomes), Some(whens)) = (column(table, "outcome"), column(table, "when")) else {
        return Vec::new();
    };
    let mut rows = Vec::new();
    ledger.take(table.span);
    if is_swapped(table, outcomes, whens, ledger) {
        unread.push(Unread { label: "table".to_owned(), place: ledger.place(table.span) });
        return rows;
    }
    report_dropped(table, ledger);
    if let Some(second) = table.header.iter().filter(|cell| same(cell.as_str(), "when")).nth(1) {
        let help = "one cell holds all of it: `margin 0+ and total 5+`";
        ledger.overlooked(second.span(), "the first When decides, and this one is kept as text", help);
    }
    ledger.has_room(table.rows.len().saturating_sub(1), "rows of an outcome table", table.span);
    for (nth, cells) in table.rows.iter().enumerate().take(ledger.limits.items) {
        let (Some(outcome), Some(when)) = (cells.get(outcomes), cells.get(whens)) else {
            continue;
        };
        if has_lost_cell(table, nth, outcome, when, ledger) {
            report_lost_cell(table, nth, outcome, when, ledger);
            let label = format!("row `{}`", if outcome.is_empty() { when } else { outcome }.as_str());
            unread.push(Unread { label, place: ledger.place(outcome.span()) });
            continue;
        }
        let label = label(outcome, ledger);
        let meanwhile = "until then the outcome of this check is for the GM to say";
        let read_when = condition(when, (values, bare), meanwhile, ledger);
        let place = ledger.place(outcome.span());
        let (Some((label, canonical)), Some(when_read)) = (label, read_when) else {
            unread.push(Unread { label: format!("row `{}`", outcome.as_str()), place });
            continue;
        };
        rows.push(Row {
            label,
            canonical,
            when: when_read,
            when_text: when.as_str().to_owned(),
            text: text(table, cells, [outcomes, whens]),
            moves: Vec::new(),
            damage: None,
            effects: Vec::new(),
            columns: columns(table, cells, [outcomes, whens]),
            place,
            span: outcome.span().to(when.span()),
        });
    }
    rows
}

/// What every system calls this outcome: a canonical name alone, or one in brackets behind the author's label.
pub fn canonical(cell: &Text) -> Option<Outcome> {
    let in_bracket = || bracketed(cell).1.and_then(|bracket| Outcome::named(bracket.as_str()));
    Outcome::named(cell.as_str()).or_else(in_bracket)
}

/// The author's label and its canonical outcome.
fn label(cell: &Text, ledger: &mut Ledger<'_>) -> Option<(String, Outcome)> {
    let (name, bracket) = bracketed(cell);
    if let Some(outcome) = canonical(cell) {
        let name = if Outcome::named(cell.as_str()).is_some() { cell } else { &name };
        return Some((name.as_str().to_owned(), outcome));
    }
    let wrong = bracket.as_ref().unwrap_or(cell);
    let names = Outcome::ALL.map(Outcome::as_str);
    let near = suggest(wrong.as_str(), names);
    // `Success (special)`: the author's word in brackets, unless it is nearly one of the five.
    if let Some(outcome) = Outcome::named(name.as_str()).filter(|_| bracket.is_some() && near.is_empty()) {
        return Some((cell.as_str().to_owned(), outcome));
    }
    let mut diagnostic =
        Diagnostic::error(codes::NO_CANONICAL_OUTCOME, format!("`{}` does not say which outcome it is", cell.as_str()))
            .at(wrong.span(), "no canonical outcome")
            .because("until then the outcome of this check is for the GM to say");
    diagnostic = match near.first().filter(|_| bracket.is_some()) {
        Some(known) => diagnostic.help(format!("did you mean `{known}`?")),
        None => diagnostic.help(format!("add one of these in brackets: {}", names.join(", "))),
    };
    ledger.report(diagnostic);
    None
}

/// What people write otherwise and can mean one thing alone: `3+ successes`, `meets or beats the DC`; `10+` where it is sure of what.
fn said_otherwise(cell: &Text, values: &[Named], instead: &Instead, bare: Option<&str>) -> Option<when::When> {
    let words = if instead.sure { instead.words.clone() } else { instead.words.replacen("total", bare?, 1) };
    when::parse(&Text::invented(&words, cell.span()), values).ok()
}

/// Reads a condition, which may ask for these values, and of what a number alone is; what cannot be read is reported, with what happens meanwhile.
pub fn condition(
    cell: &Text,
    (values, bare): (&[Named], Option<&str>),
    meanwhile: &str,
    ledger: &mut Ledger<'_>,
) -> Option<when::When> {
    if cell.as_str().len() > ledger.limits.bullet_bytes {
        ledger.report(
            Diagnostic::error(codes::UNREADABLE_WHEN, "this condition is too long")
                .at(cell.span(), format!("longer than {} bytes", ledger.limits.bullet_bytes)),
        );
        return None;
    }
    match when::parse(cell, values) {
        Ok(when) => Some(when),
        Err(error) => {
            let otherwise = error.instead.as_ref().and_then(|instead| said_otherwise(cell, values, instead, bare));
            if otherwise.is_some() {
                return otherwise;
            }
            let mut diagnostic = Diagnostic::error(codes::UNREADABLE_WHEN, "this condition cannot be read")
                .at(cell.span_of(error.at), error.message)
                .because(meanwhile);
            if let Some(help) = error.help {
                diagnostic = diagnostic.help(help);
            }
            if let Some(Instead { words, sure }) = error.instead {
                let fix = Fix { span: cell.span(), message: format!("say `{words}`"), replacement: words };
                diagnostic = if sure { diagnostic.fix(fix) } else { diagnostic.perhaps(fix) };
            }
            ledger.report(diagnostic);
            None
        }
    }
}

/// What the other columns say, without what is dealt, which is carried out: the one cell, or each on a line of its own behind its header when several are filled.
fn text(table: &Table, cells: &[Text], used: [usize; 2]) -> Option<String> {
    let others = table.header.iter().zip(cells).enumerate();
    let words = |header: &Text, cell: &Text| !(cell.is_empty() || is_damage(header) && is_dealt(cell));
    let filled: Vec<(&Text, &Text)> =
        others.filter(|(at, (header, cell))| !used.contains(at) && words(header, cell)).map(|(_, pair)| pair).collect();
    match filled.as_slice() {
        [] => None,
        [(_, cell)] => Some(cell.as_str().to_owned()),
        several => {
            let parts = several.iter().map(|(header, cell)| format!("{}: {}", header.as_str(), cell.as_str()));
            Some(parts.collect::<Vec<_>>().join("\n"))
        }
    }
}

/// The filled cells beside Outcome and When, each behind its header.
fn columns(table: &Table, cells: &[Text], used: [usize; 2]) -> Vec<(Text, Text)> {
    let others = table.header.iter().zip(cells).enumerate().filter(|(at, _)| !used.contains(at));
    let filled = others.filter(|(_, (header, cell))| !header.is_empty() && !cell.is_empty());
    filled.map(|(_, (header, cell))| (header.clone(), cell.clone())).collect()
}

fn column(table: &Table, name: &str) -> Option<usize> {
    table.header.iter().position(|cell| fold(cell.as_str()) == name)
}
