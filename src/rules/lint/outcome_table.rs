use super::entry::lint;
use crate::diagnostic::{Diagnostic, Fix};
use crate::names::{fold, misspelt};
use crate::rules::document::{Block, Section, Table};
use crate::rules::language::ledger::Ledger;
use crate::rules::language::outline::Outline;
use crate::rules::section::SectionKind;

lint!("checks/no-when", Outline(lint));

fn lint(outline: &Outline<'_>, ledger: &mut Ledger<'_>) {
    for section in outline.sections(SectionKind::Checks) {
        std::iter::once(section).chain(&section.subsections).for_each(|own| of_check(own, ledger));
    }
}

/// Where a check has an outcome table already, another table is prose.
fn of_check(section: &Section, ledger: &mut Ledger<'_>) {
    let tables =
        || section.blocks.iter().filter_map(|block| if let Block::Table(table) = block { Some(table) } else { None });
    let has = |table: &Table, name: &str| table.header.iter().any(|cell| fold(cell.as_str()) == name);
    if tables().any(|table| has(table, "outcome") && has(table, "when")) {
        return;
    }
    for table in tables() {
        let missing = match (has(table, "outcome"), has(table, "when")) {
            (true, false) => "When",
            (false, true) => "Outcome",
            _ => continue,
        };
        let mut diagnostic = Diagnostic::warning(LINT.code, format!("this table has no {missing} column"))
            .at(table.span, "not read as an outcome table")
            .because("an outcome table has both: what comes of it, and when");
        let suggestion = table.header.iter().find(|cell| misspelt(cell.as_str(), [missing]).is_some());
        diagnostic = match suggestion {
            None => diagnostic.help(format!("add a column with the header `{missing}`")),
            Some(cell) => diagnostic.help(format!("did you mean `{missing}`?")).fix(Fix {
                span: cell.span(),
                replacement: missing.to_owned(),
                message: format!("call it `{missing}`"),
            }),
        };
        ledger.report(diagnostic);
    }
}
