use super::entry::lint;
use crate::diagnostic::Diagnostic;
use crate::rules::random_table::RandomTable;

lint!("tables/overlap", Link);

pub(super) fn lint(table: &RandomTable, found: &mut Vec<Diagnostic>) {
    for (at, row) in table.rows.iter().enumerate() {
        let Some(first) = table.rows.iter().take(at).find(|own| own.low <= row.high && row.low <= own.high) else {
            continue;
        };
        let both = row.low.max(first.low);
        found.push(
            Diagnostic::warning(LINT.code, format!("two rows of the table {} are for {both}", table.name))
                .at(row.span, "the row above it counts")
                .and(first.span, "this one")
                .help("let every number stand in one row"),
        );
    }
}
