//! The "understood as" summary: what the program made of the author's words, with lines.

use crate::language;
use crate::language::summary::Summary;
use crate::reading::Reading;

/// What was understood, item by item with its place, then what was assumed. Made for an author to read: one line an item,
/// lined up, nothing that the file does not hold.
pub fn understood(reading: &Reading) -> String {
    let system = &reading.system;
    if system.narrative {
        return "A narrative adventure: no System.md. Dice, log and combat work; there are no checks.\n".to_owned();
    }
    let mut summary = Summary::default();
    summary.section("Rules");
    summary.line("title", system.title.as_deref().unwrap_or("(none)"), None);
    if let Some(version) = &system.version {
        summary.line("version", version, None);
    }
    if !system.bases.is_empty() {
        summary.line("base", &system.bases.join(", which is built on "), None);
    }
    language::describe(system, &mut summary);
    summary.section("Assumed");
    for own in &system.assumptions {
        summary.line("", &own.text, own.place.as_ref());
    }
    summary.finish()
}
