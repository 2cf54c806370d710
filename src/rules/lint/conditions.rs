//! Where the rows and flags of a check ask for something.

use crate::diagnostic::{Place, Sources, Span};
use crate::rules::language::checks::Check;
use crate::rules::language::ledger::Ledger;
use crate::rules::when::{Measure, When};

/// The first row or flag that looks at such a measure.
pub(super) fn asking(check: &Check, wanted: impl Fn(&Measure) -> bool) -> Option<Span> {
    first(check, |when| when.measures().into_iter().any(&wanted))
}

/// The first row or flag whose condition is such a one.
pub(super) fn first(check: &Check, wanted: impl Fn(&When) -> bool) -> Option<Span> {
    let row = check.rows.iter().find(|row| wanted(&row.when)).map(|row| row.span);
    let flag = || check.flags.iter().find(|flag| wanted(&flag.when)).map(|flag| flag.span);
    row.or_else(flag)
}

/// Whether a row or a flag looks at such a measure.
pub(super) fn asks(check: &Check, wanted: impl Fn(&Measure) -> bool) -> bool {
    let conditions = check.conditions();
    conditions.flat_map(When::measures).any(wanted)
}

/// Where these words stand in a stretch, whatever their case; the whole stretch when they do not.
pub(super) fn inside(ledger: &Ledger<'_>, span: Span, words: &str) -> Span {
    let text = ledger.sources.text(span).to_ascii_lowercase();
    match text.find(&words.to_ascii_lowercase()) {
        Some(at) => Span::new(span.file, span.start + at..span.start + at + words.len()),
        None => span,
    }
}

/// The line that a place is in, from the place on.
pub(super) fn line(sources: &Sources, place: &Place) -> Option<Span> {
    let (id, file) = sources.iter().find(|(_, file)| file.name == place.file)?;
    let before = usize::try_from(place.line).ok()?.checked_sub(1)?;
    let start: usize = file.text.split_inclusive('\n').take(before).map(str::len).sum();
    let line = file.text.get(start..)?.lines().next()?;
    let column = usize::try_from(place.column).ok()?.checked_sub(1)?;
    let from = line.char_indices().nth(column).map_or(0, |(at, _)| at);
    Some(Span::new(id, start + from..start + line.trim_end().len()))
}
