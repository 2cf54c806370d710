//! The "understood as" summary: what the program understood of the author's words, with lines.

use crate::language;
use crate::language::summary::Summary;
use crate::reading::Reading;

/// A summary for authors: one aligned line for each item with its place, then the assumptions.
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
    for assumption in &system.assumptions {
        summary.line("", &assumption.text, assumption.place.as_ref());
    }
    summary.finish()
}
