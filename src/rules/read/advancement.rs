//! The Advancement section.

use crate::rules::section::SectionKind;

use super::ledger::Ledger;
use super::outline::Outline;

/// Reports once that the section is kept as text.
pub fn read(outline: &Outline<'_>, ledger: &mut Ledger<'_>) {
    if let Some(bullet) = outline.bullets(SectionKind::Advancement).next() {
        let span = bullet.text.span();
        ledger.not_read("Advancement", span, "the GM says when characters advance");
    }
}
