use super::entry::lint;
use crate::diagnostic::Diagnostic;
use crate::names::fold;
use crate::rules::document::Block;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::outline::Outline;
use crate::rules::section::SectionKind;

lint!("checks/empty-table", Outline(lint));

fn lint(outline: &Outline<'_>, ledger: &mut Ledger<'_>) {
    for section in outline.sections(SectionKind::Checks) {
        for block in section.all_blocks() {
            let Block::Table(table) = block else { continue };
            let is_outcomes =
                ["outcome", "when"].iter().all(|name| table.header.iter().any(|cell| fold(cell.as_str()) == *name));
            if is_outcomes && table.rows.is_empty() {
                ledger.report(
                    Diagnostic::warning(LINT.code, "this outcome table has no rows")
                        .at(table.span, "as if it were not there: margin 0+ succeeds, anything else fails")
                        .help("write the rows, the last of them with `otherwise`; or take the table out"),
                );
            }
        }
    }
}
