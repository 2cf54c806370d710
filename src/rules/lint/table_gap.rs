use super::entry::lint;
use super::table_overlap;
use crate::diagnostic::{Diagnostic, Sources};
use crate::rules::random_table::{RandomTable, read};

lint!("tables/gap", Link);

/// Totals that a finding names.
const NAMED_MAX: usize = 6;

/// Findings about the random tables of these files: those whose header says that they are rolled on.
pub fn tables(sources: &Sources) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for table in read(sources).iter().filter(|table| table.stated) {
        gap(table, &mut found);
        table_overlap::lint(table, &mut found);
    }
    found
}

fn gap(table: &RandomTable, found: &mut Vec<Diagnostic>) {
    let missing: Vec<i64> = table.totals().into_iter().filter(|total| table.row(*total).is_none()).collect();
    let Some(first) = missing.first() else { return };
    let named: Vec<String> = missing.iter().take(NAMED_MAX).map(i64::to_string).collect();
    let more = if missing.len() > NAMED_MAX { " and more" } else { "" };
    let message = format!("the table {} has no row for {}{more}", table.name, named.join(", "));
    found.push(
        Diagnostic::warning(LINT.code, message)
            .at(table.span, format!("{} can come to {first}", table.dice))
            .help("add a row, or widen the range of one"),
    );
}
