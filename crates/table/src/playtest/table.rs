//! The short form: a table whose first header cell is a tool's name, one playtest a row.
//!
//! Before the `dice` column are arguments, first the tool's main one; after it expectations, by
//! path, and `!` for a refusal's code. A `character` cell may make its character: `Aria: DEX 14`.

use serde_json::{Map, Value};

use super::arguments::{self, faces, main_argument};
use super::character::character;
use super::codes;
use super::read::{Expected, Playtest, ReadPlaytest, Step, refusal_code};
use crate::tools::{ToolEntry, tool_named};
use rollbook_rules::System;
use rollbook_rules::document::{Table, Text};
use rollbook_text::diagnostic::{Diagnostic, Sources, Span};
use rollbook_text::names::same;

/// The playtests of a table; none when it is another kind of table.
pub(super) fn read(table: &Table, sources: &Sources, system: &System) -> Vec<ReadPlaytest> {
    let Some(first) = table.header.first() else {
        return Vec::new();
    };
    let Some(tool) = tool_named(first.as_str().trim()) else {
        return Vec::new();
    };
    let Some(dice) = table
        .header
        .iter()
        .position(|cell| same(cell.as_str(), "dice"))
    else {
        let found = Diagnostic::error(
            codes::UNREADABLE,
            format!("this table of `{}` has no `dice` column", tool.name),
        )
        .at(first.span(), "a playtest's table")
        .help("left of `dice` stand arguments, right of it what the reply must say");
        return vec![Err((
            sources.place(table.span).to_string(),
            table.span,
            vec![found],
        ))];
    };
    table
        .rows
        .iter()
        .filter_map(|row| self::row(tool, dice, table, row, sources, system))
        .collect()
}

fn row(
    tool: &'static ToolEntry,
    dice: usize,
    table: &Table,
    row: &[Text],
    sources: &Sources,
    system: &System,
) -> Option<ReadPlaytest> {
    let first = row.iter().find(|cell| !cell.is_empty())?;
    let whole = row
        .iter()
        .filter(|cell| !cell.is_empty())
        .fold(place(first), |whole, cell| whole.to(place(cell)));
    let line = sources.place(whole).line;
    let name = format!("{} {} (line {line})", tool.name, first.as_str().trim());
    Some(match steps(tool, dice, table, row, whole, system) {
        Ok(steps) => Ok(Playtest {
            name,
            span: whole,
            steps,
        }),
        Err(found) => Err((name, whole, vec![*found])),
    })
}

fn steps(
    tool: &'static ToolEntry,
    dice: usize,
    table: &Table,
    row: &[Text],
    whole: Span,
    system: &System,
) -> Result<Vec<Step>, Box<Diagnostic>> {
    let mut steps = Vec::new();
    let mut call = Step::new(whole, tool, Map::new());
    let cells = table
        .header
        .iter()
        .zip(row)
        .enumerate()
        .filter(|(_, (_, cell))| !cell.is_empty());
    for (column, (header, cell)) in cells {
        let (header, words, span) = (header.as_str().trim(), cell.as_str().trim(), place(cell));
        if column < dice {
            let key = if column == 0 {
                main_argument(tool)
            } else {
                header
            };
            let value = match key == "character" && words.contains(':') {
                true => {
                    let made = character(words, span, system)?;
                    let name = made.arguments.get("name").cloned().unwrap_or_default();
                    steps.push(made);
                    name
                }
                false => arguments::value(words),
            };
            call.arguments.insert(key.to_owned(), value);
        } else if column == dice {
            call.dice = faces(words).map_err(|word| {
                let found =
                    Diagnostic::error(codes::UNREADABLE, format!("`{word}` is no face of a die"));
                Box::new(found.at(span, "faces with blanks between them"))
            })?;
            call.dice_span = Some(span);
        } else if header == "!" || same(header, "refused") {
            call.refusal = Some((refusal_code(words, span)?, span));
        } else {
            let (path, value) = (header.to_owned(), value(words));
            call.expected.push(Expected {
                path,
                path_span: span,
                value,
                value_span: span,
                in_table: true,
            });
        }
    }
    steps.push(call);
    Ok(steps)
}

/// A dash is for "absent".
fn value(words: &str) -> Value {
    if words == "-" || words == "—" {
        Value::Null
    } else {
        arguments::value(words)
    }
}

fn place(cell: &Text) -> Span {
    let words = cell.as_str();
    let start = words.len() - words.trim_start().len();
    cell.span_of(start..start + words.trim().len())
}
