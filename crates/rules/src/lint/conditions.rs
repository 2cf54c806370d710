//! Which measures the rows and flags of a check use.

use crate::language::checks::Check;
use crate::language::ledger::Ledger;
use crate::when::{Measure, When};
use rollbook_text::diagnostic::Span;

/// The first row or flag that uses a wanted measure.
pub(super) fn asking(check: &Check, wanted: impl Fn(&Measure) -> bool) -> Option<Span> {
    let asks = |when: &When| when.measures().into_iter().any(&wanted);
    let row = check
        .rows
        .iter()
        .find(|row| asks(&row.when))
        .map(|row| row.span);
    let flag = || {
        check
            .flags
            .iter()
            .find(|flag| asks(&flag.when))
            .map(|flag| flag.span)
    };
    row.or_else(flag)
}

/// Whether a row or a flag uses a wanted measure.
pub(super) fn asks(check: &Check, wanted: impl Fn(&Measure) -> bool) -> bool {
    check.conditions().flat_map(When::measures).any(wanted)
}

/// Where these words are in a span, in any case; the whole span where they are not in it.
pub(super) fn inside(ledger: &Ledger<'_>, span: Span, words: &str) -> Span {
    let text = ledger.sources.text(span).to_ascii_lowercase();
    match text.find(&words.to_ascii_lowercase()) {
        Some(at) => Span::new(span.file, span.start + at..span.start + at + words.len()),
        None => span,
    }
}
