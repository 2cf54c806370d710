#![doc = include_str!("../explained/conditions/duplicate.md")]

use std::collections::HashMap;

use crate::diagnostic::{Diagnostic, Span};
use crate::names::fold;
use crate::rules::codes;
use crate::rules::document::{Block, Document};
use crate::rules::read::Ledger;
use crate::rules::section::SectionKind;

pub(super) fn lint(document: &Document, ledger: &mut Ledger<'_>) {
    let mut seen: HashMap<String, Span> = HashMap::new();
    for section in &document.sections {
        let heading = section.heading.as_ref().and_then(|heading| SectionKind::named(heading.as_str()));
        if heading != Some(SectionKind::Conditions) {
            continue;
        }
        for block in section.all_blocks() {
            let Block::Bullet(bullet) = block else { continue };
            let Some((name, _)) = bullet.text.split_at_any(&[":"]).filter(|_| bullet.depth == 0) else { continue };
            let Some(first) = seen.insert(fold(name.as_str()), name.span()) else { continue };
            seen.insert(fold(name.as_str()), first);
            ledger.report(
                Diagnostic::warning(
                    codes::DUPLICATE_CONDITION,
                    format!("the condition `{}` is declared twice", name.as_str()),
                )
                .at(name.span(), "this one is not read")
                .and(first, "declared here first"),
            );
        }
    }
}
