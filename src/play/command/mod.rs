//! What a person can type at the table: `/` and a word. Each command is one call of a tool, or of
//! the table itself; what it takes is short, and every field of its tool can follow it as
//! `key=value`.
//!
//! Reading a line decides nothing of the game: who is meant, what may be done and what comes of it
//! says the tool.

mod advice;
mod checks;
mod entry;
mod fight;
mod harm;
mod people;
mod table;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use super::names::Names;
pub use advice::as_commands;
pub use entry::{CommandEntry, Deed};
use entry::{Parts, Read};
pub use people::incomplete;
use rollbook_table::playtest;
use rollbook_text::names::{fold, quoted, suggest};
pub use table::{GROUPS, all, named};

/// Whether a line leaves the table, whatever else there is.
pub fn is_quit(line: &str) -> bool {
    matches!(read(line, &Names::default()), Ok(Deed::Quit))
}

/// Reads a command, with its slash or without.
/// Errors: there is no such command, or what follows it cannot be read; what to type instead.
pub fn read(line: &str, names: &Names) -> Result<Deed, String> {
    let line = line.trim().trim_start_matches('/');
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let Some(entry) = named(word) else {
        let hint = match suggest(word, all().flat_map(CommandEntry::words)).first() {
            Some(suggested) => format!("Did you mean /{suggested}?"),
            None => "/help lists them.".to_owned(),
        };
        return Err(format!("There is no command /{}. {hint}", quoted(word)));
    };
    let rest = rest.trim();
    let deed = match entry.read {
        Read::Text(read) => read(rest, names),
        Read::Fields(call, read) => Parts::read(rest).and_then(|mut parts| {
            read(&mut parts, names)?;
            let (tool, rest) = call.split_once(' ').unwrap_or((call, ""));
            playtest::fields(rest)?
                .1
                .into_iter()
                .for_each(|(field, value)| parts.put(&field, value));
            Ok(parts.call(tool))
        }),
    };
    deed.map_err(|why| {
        format!(
            "{why} Type: /{} {}, such as: {}",
            entry.name(),
            entry.takes(),
            entry.example
        )
    })
}

/// What a half-typed line can go on with, and where that begins, in bytes. In talk it is people's
/// names; a whole name is followed by a blank.
pub fn complete(line: &str, at: usize, names: &Names) -> (usize, Vec<String>) {
    let (start, mut found) = candidates_at(line, at, names);
    if !line.get(at..).is_some_and(|after| after.starts_with(' ')) {
        found
            .iter_mut()
            .filter(|text| !text.ends_with(['=', ' ']))
            .for_each(|text| text.push(' '));
    }
    (start, found)
}

fn candidates_at(line: &str, at: usize, names: &Names) -> (usize, Vec<String>) {
    let before = line.get(..at).unwrap_or_default();
    if before.trim().is_empty() {
        return (at, Vec::new());
    }
    let Some(command) = before.strip_prefix('/') else {
        return begun(before, 0, &names.people);
    };
    let Some((word, rest)) = command.split_once(char::is_whitespace) else {
        let typed = command.to_lowercase();
        let found = all()
            .map(CommandEntry::name)
            .filter(|name| name.starts_with(&typed));
        return (0, found.map(|name| format!("/{name} ")).collect());
    };
    let candidates = named(word).into_iter().flat_map(|entry| entry.completes);
    let candidates: Vec<String> = candidates.flat_map(|of| of(names, rest)).collect();
    begun(before, before.len() - rest.len(), &candidates)
}

/// The candidates that go on with the longest end of the text; `from` is where words may begin.
/// Names have blanks in them: in `/check Sabeth Quoin Lo` only `Lo` begins one.
fn begun(text: &str, from: usize, candidates: &[String]) -> (usize, Vec<String>) {
    let typed = text.get(from..).unwrap_or_default();
    let starts = typed
        .char_indices()
        .filter(|(_, letter)| " ,=".contains(*letter))
        .map(|(at, _)| at + 1);
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
        let name = |name: &String| {
            if before.ends_with('=') {
                playtest::quoted(name)
            } else {
                name.clone()
            }
        };
        let mut seen = BTreeSet::new();
        let found = candidates
            .iter()
            .filter(goes_on)
            .map(name)
            .filter(|name| seen.insert(name.clone()));
        let found: Vec<String> = found.collect();
        if !found.is_empty() {
            return (start, found);
        }
    }
    (text.len(), Vec::new())
}
