//! The `| Score | Modifier |` table.

use crate::diagnostic::{Diagnostic, Span};
use crate::names::fold;
use crate::rules::codes;
use crate::rules::document::{Table, Text};
use crate::rules::modifier::{Modifier, ModifierKind, ModifierRow};

use super::ledger::Ledger;
use super::range;

/// What the second column may be called.
const MODIFIERS: [&str; 4] = ["modifier", "mod", "bonus", "modifiers"];

/// Reads a table that has a Score and a Modifier column; none when it is another table.
pub fn read(table: &Table, ledger: &mut Ledger<'_>) -> Option<Modifier> {
    let column = |name: &str| table.header.iter().position(|cell| fold(cell.as_str()) == name);
    let scores = column("score").or_else(|| column("scores"))?;
    let modifiers = MODIFIERS.iter().find_map(|name| column(name))?;
    let mut rows = Vec::new();
    let mut places: Vec<(ModifierRow, Span)> = Vec::new();
    for row in table.rows.iter().take(ledger.limits.items) {
        let (Some(score), Some(modifier)) = (row.get(scores), row.get(modifiers)) else {
            continue;
        };
        let read = range::score(score.as_str()).zip(whole_number(modifier));
        let Some(((low, high), modifier)) = read else {
            ledger.report(
                Diagnostic::warning(codes::UNREADABLE_MODIFIER, "a row of the modifier table cannot be read")
                    .at(score.span().to(modifier.span()), "expected a score and a number")
                    .because("these scores have no modifier")
                    .help("write `8-9` or `10` or `20+` in the first cell, `-1` or `+3` in the second"),
            );
            continue;
        };
        let holds = |(above, _): &&(ModifierRow, Span)| above.low <= low && high <= above.high;
        if let Some((_, first)) = places.iter().find(holds) {
            let message = format!("the row `{}` of the modifier table never counts", score.as_str());
            ledger.report(
                Diagnostic::warning(codes::UNREACHABLE_MODIFIER, message)
                    .at(score.span(), "these scores have a modifier already")
                    .and(*first, "by this row, since the first that holds a score counts")
                    .help("put the highest scores first, or write where each row ends: `13-15`"),
            );
        }
        let row = ModifierRow { low, high, modifier };
        places.push((row, score.span()));
        rows.push(row);
    }
    ledger.has_room(table.rows.len().saturating_sub(1), "rows of the modifier table", table.span);
    let place = Some(ledger.place(table.span));
    Some(Modifier { kind: ModifierKind::Table(rows), place, assumed: false })
}

fn whole_number(cell: &Text) -> Option<i64> {
    let (number, rest) = range::number(cell.as_str())?;
    rest.trim().is_empty().then_some(number)
}
