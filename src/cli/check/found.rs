//! What is wrong with an adventure, in the order in which an author is told.

use crate::diagnostic::{Diagnostic, Sources};
use crate::rules::links;
use crate::session::adventure::Adventure;

/// What is wrong with the rules and the links, as far as it shows without carrying anything out.
pub(super) fn quick(adventure: &Adventure, sources: &Sources) -> Vec<Diagnostic> {
    let mut found = adventure.reading.diagnostics.clone();
    found.extend(links(sources, &|name| adventure.has(name)));
    found
}

/// What cannot be read at all, then everything else in the order of the files.
pub(super) fn ordered(adventure: &Adventure, quick: Vec<Diagnostic>, proven: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut found = quick;
    found.extend(proven);
    // What is about no place, such as that there is more, stays at the end.
    found.sort_by_key(|one| one.span().map_or((1, None), |span| (0, Some((span.file, span.start)))));
    adventure.problems.iter().cloned().chain(found).collect()
}
