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
mod story;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use super::names::Names;
pub use advice::as_commands;
pub use entry::{CommandEntry, Deed};
use entry::{Parts, Read};
pub use people::incomplete;
use rollbook_table::playtest::{self, fields};
use rollbook_table::tools::{all_tools, tool_named};
use rollbook_text::names::{fold, quoted, shortened, suggest};

/// Every command, in the order of the help: the most usual first.
pub static ALL: &[CommandEntry] = &[
    checks::ROLL,
    checks::CHECK,
    checks::ATTACK,
    harm::DAMAGE,
    harm::HEAL,
    harm::CONDITION,
    fight::FIGHT,
    fight::NEXT,
    people::SHEET,
    people::PARTY,
    people::NEW,
    people::REST,
    story::NOTE,
    story::CLOCK,
    story::TIME,
    story::SESSION,
    story::RECAP,
    story::RESUME,
    story::UNDO,
    checks::ODDS,
    story::RULES,
    CALL,
    HELP,
    QUIT,
];

pub fn named(name: &str) -> Option<&'static CommandEntry> {
    let name = name.to_lowercase();
    ALL.iter()
        .find(|entry| entry.name == name || entry.also.contains(&name.as_str()))
}

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
        let hint = match suggest(word, words()).first() {
            Some(suggested) => format!("Did you mean /{suggested}?"),
            None => "/help lists them.".to_owned(),
        };
        return Err(format!("There is no command /{}. {hint}", quoted(word)));
    };
    let rest = rest.trim();
    let deed = match entry.read {
        Read::Text(read) => read(rest, names),
        Read::Fields(tool, read) => Parts::read(rest)
            .and_then(|mut parts| read(&mut parts, names).map(|()| parts.call(tool))),
    };
    deed.map_err(|why| {
        format!(
            "{why} Type: /{} {}, such as: {}",
            entry.name, entry.takes, entry.example
        )
    })
}

fn words() -> impl Iterator<Item = &'static str> {
    ALL.iter()
        .flat_map(|entry| std::iter::once(entry.name).chain(entry.also.iter().copied()))
}

const HINT_MAX: usize = 60; // Characters of a hint, so that it stays on the line

/// What a half-typed line can go on with: where the completed text begins, in bytes, and what may
/// be there; what is talk and no command is completed with people's names. A whole name is followed
/// by a blank.
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
    let Some(before) = line.get(..at) else {
        return (at, Vec::new());
    };
    let Some(command) = before.strip_prefix('/') else {
        return if before.trim().is_empty() {
            (at, Vec::new())
        } else {
            begun(before, 0, &names.people)
        };
    };
    match command.split_once(char::is_whitespace) {
        None => {
            let found = ALL
                .iter()
                .map(|entry| entry.name)
                .filter(|name| name.starts_with(&command.to_lowercase()));
            (0, found.map(|name| format!("/{name} ")).collect())
        }
        Some((word, rest)) => match named(word) {
            Some(entry) => {
                let candidates: Vec<String> = entry
                    .completes
                    .iter()
                    .flat_map(|of| of(names, rest))
                    .collect();
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

const CALL: CommandEntry = CommandEntry {
    name: "call",
    also: &["tool"],
    takes: "TOOL key=value …",
    about: "Any call of any tool; `rollbook try` and playtests have the same form.",
    example: "/call manage_character action=award xp=100",
    completes: &[tools_and_fields],
    read: Read::Text(|text, _| {
        let (tool, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        if tool.is_empty() {
            return Err("Which tool?".to_owned());
        }
        let (words, arguments) = fields(rest)?;
        match words.first() {
            Some(word) => Err(format!("\"{}\" has no key= before it.", quoted(word))),
            None => Ok(Deed::Call {
                tool: tool.to_owned(),
                arguments,
            }),
        }
    }),
};

/// The tools, and once one is typed its fields.
fn tools_and_fields(names: &Names, typed: &str) -> Vec<String> {
    let Some(tool) = typed
        .split_once(char::is_whitespace)
        .and_then(|(tool, _)| tool_named(tool))
    else {
        return all_tools()
            .iter()
            .map(|tool| tool.name.clone().into_owned())
            .collect();
    };
    let fields = tool
        .input
        .get("properties")
        .and_then(serde_json::Value::as_object);
    let fields = fields
        .into_iter()
        .flat_map(|fields| fields.keys())
        .map(|key| format!("{key}="));
    fields.chain(names.people.iter().cloned()).collect()
}

const HELP: CommandEntry = CommandEntry {
    name: "help",
    also: &["h", "?"],
    takes: "[COMMAND]",
    about: "The commands, or what one takes.",
    example: "/help check",
    completes: &[|_, _| ALL.iter().map(|entry| entry.name.to_owned()).collect()],
    read: Read::Text(|text, _| match text.trim_start_matches('/') {
        "" => Ok(Deed::Help(None)),
        name => match named(name) {
            Some(entry) => Ok(Deed::Help(Some(entry))),
            None => Err(format!("There is no command /{}.", quoted(name))),
        },
    }),
};

const QUIT: CommandEntry = CommandEntry {
    name: "quit",
    also: &["q", "exit", "bye"],
    takes: "",
    about: "Leaves the table; everything is kept.",
    example: "/quit",
    completes: &[],
    read: Read::Text(|_, _| Ok(Deed::Quit)),
};
