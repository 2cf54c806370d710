//! `--fix`: the edits that can be meant in one way only.

use super::found::{ordered, quick};
use crate::cli::{Failed, say};
use crate::diagnostic::{Diagnostic, Fix, Sources};
use crate::rules::proofs;
use crate::session::adventure::Adventure;
use crate::session::author;

/// Makes the sure edits and says which; whether there were any.
pub(super) fn mended(adventure: &Adventure) -> Result<bool, Failed> {
    let sources = &adventure.pages();
    let found = ordered(adventure, quick(adventure, sources), proofs(&adventure.reading));
    let fixes: Vec<Fix> = found.iter().filter_map(Diagnostic::sure_fix).cloned().collect();
    let changed = author::edit(&adventure.folder, sources, &fixes)?;
    for fix in fixes.iter().filter(|fix| changed.iter().any(|(file, _)| *file == sources.place(fix.span).file)) {
        say(&fixed(fix, sources));
    }
    Ok(!changed.is_empty())
}

/// "System.md:3:4: Skils -> Skills (call it `Skills`)".
fn fixed(fix: &Fix, sources: &Sources) -> String {
    let before = sources.text(fix.span);
    format!("fixed {}: {before} -> {} ({})", sources.place(fix.span).full(), fix.replacement, fix.message)
}
