//! What a half-typed line can go on with.
//!
//! Names have blanks in them, so the longest text before the cursor that begins a name counts: in `/check Sabeth Quoin Lo` only `Lo`
//! begins one.

use super::{ALL, named};
use crate::play::names::Names;
use rollbook_table::playtest::quoted;
use rollbook_text::names::{fold, shortened};

const HINT_MAX: usize = 60; // Characters of a hint, so that it stays on the line

/// Where the completed text begins, in bytes, and what may be there; what is talk and no command is completed with people's names.
/// A whole name is followed by a blank.
pub fn complete(line: &str, at: usize, names: &Names) -> (usize, Vec<String>) {
    let (start, mut found) = candidates_at(line, at, names);
    if !line.get(at..).is_some_and(|after| after.starts_with(' ')) {
        found.iter_mut().filter(|text| !text.ends_with(['=', ' '])).for_each(|text| text.push(' '));
    }
    (start, found)
}

fn candidates_at(line: &str, at: usize, names: &Names) -> (usize, Vec<String>) {
    let Some(before) = line.get(..at) else { return (at, Vec::new()) };
    let Some(command) = before.strip_prefix('/') else {
        return if before.trim().is_empty() { (at, Vec::new()) } else { begun(before, 0, &names.people) };
    };
    match command.split_once(char::is_whitespace) {
        None => {
            let found = ALL.iter().map(|entry| entry.name).filter(|name| name.starts_with(&command.to_lowercase()));
            (0, found.map(|name| format!("/{name} ")).collect())
        }
        Some((word, rest)) => match named(word) {
            Some(entry) => {
                let candidates: Vec<String> = entry.completes.iter().flat_map(|of| of(names, rest)).collect();
                begun(before, before.len() - rest.len(), &candidates)
            }
            None => (at, Vec::new()),
        },
    }
}

/// What a command takes, while nothing follows it.
pub fn hint(line: &str) -> Option<String> {
    let command = line.strip_prefix('/')?;
    let takes = shortened(named(command.trim_end())?.takes, HINT_MAX);
    (!takes.is_empty()).then(|| format!("{}{takes}", if command.ends_with(' ') { "" } else { " " }))
}

/// The candidates that go on with the longest end of the text; `from` is where words may begin.
fn begun(text: &str, from: usize, candidates: &[String]) -> (usize, Vec<String>) {
    let typed = text.get(from..).unwrap_or_default();
    let starts = typed.char_indices().filter(|(_, letter)| " ,=".contains(*letter)).map(|(at, _)| at + 1);
    for start in std::iter::once(0).chain(starts).map(|at| from + at) {
        let (before, typed) = text.split_at_checked(start).unwrap_or_default();
        if typed.starts_with(' ') {
            continue;
        }
        let wanted = typed.to_lowercase();
        let goes_on = |name: &&String| {
            let name = name.to_lowercase();
            name.starts_with(&wanted) || fold(&name).starts_with(&wanted)
        };
        let name = |name: &String| if before.ends_with('=') { quoted(name) } else { name.clone() };
        let mut seen = std::collections::BTreeSet::new();
        let found = candidates.iter().filter(goes_on).map(name).filter(|name| seen.insert(name.clone()));
        let found: Vec<String> = found.collect();
        if !found.is_empty() {
            return (start, found);
        }
    }
    (text.len(), Vec::new())
}
