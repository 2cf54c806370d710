//! Random tables: totals without a row, and totals with two.

use crate::codes;
use crate::random_table::{RandomTable, read};
use rollbook_text::diagnostic::{Diagnostic, Sources};

/// The most totals that a finding names.
const NAMED_MAX: usize = 6;

/// Findings about the random tables of these files.
pub fn tables(sources: &Sources) -> Vec<Diagnostic> {
    let all = read(sources);
    all.iter()
        .flat_map(|table| gap(table).into_iter().chain(overlaps(table)))
        .collect()
}

fn gap(table: &RandomTable) -> Option<Diagnostic> {
    let missing: Vec<i64> = table
        .totals()
        .into_iter()
        .filter(|total| table.row(*total).is_none())
        .collect();
    let first = missing.first()?;
    let named: Vec<String> = missing.iter().take(NAMED_MAX).map(i64::to_string).collect();
    let more = if missing.len() > NAMED_MAX {
        " and more"
    } else {
        ""
    };
    let message = format!(
        "the table {} has no row for {}{more}",
        table.name,
        named.join(", ")
    );
    let diagnostic = Diagnostic::warning(codes::TABLE_GAP, message);
    Some(
        diagnostic
            .at(table.span, format!("{} can come to {first}", table.dice))
            .help("add a row, or widen the range of one"),
    )
}

fn overlaps(table: &RandomTable) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (at, row) in table.rows.iter().enumerate() {
        let Some(first) = table
            .rows
            .iter()
            .take(at)
            .find(|other| other.low <= row.high && row.low <= other.high)
        else {
            continue;
        };
        let message = format!(
            "two rows of the table {} are for {}",
            table.name,
            row.low.max(first.low)
        );
        found.push(
            Diagnostic::warning(codes::TABLE_OVERLAP, message)
                .at(row.span, "the row above it counts")
                .and(first.span, "this one")
                .help("let every number stand in one row"),
        );
    }
    found
}
