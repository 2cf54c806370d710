//! The `| Score | Modifier |` table.

use crate::diagnostic::Diagnostic;
use crate::names::fold;
use crate::rules::codes;
use crate::rules::document::{Table, Text};
use crate::rules::modifier::{Modifier, ModifierKind, ModifierRow};

use super::ledger::Ledger;
use super::range;

/// Reads a table that has a Score and a Modifier column; none when it is another table.
pub fn read(table: &Table, ledger: &mut Ledger<'_>) -> Option<Modifier> {
    let column = |name: &str| table.header.iter().position(|cell| fold(cell.as_str()) == name);
    let (scores, modifiers) = (column("score")?, column("modifier")?);
    let mut rows = Vec::new();
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
        rows.push(ModifierRow { low, high, modifier });
    }
    ledger.has_room(table.rows.len().saturating_sub(1), "rows of the modifier table", table.span);
    let place = Some(ledger.place(table.span));
    Some(Modifier { kind: ModifierKind::Table(rows), place, assumed: false })
}

fn whole_number(cell: &Text) -> Option<i64> {
    let (number, rest) = range::number(cell.as_str())?;
    rest.trim().is_empty().then_some(number)
}
