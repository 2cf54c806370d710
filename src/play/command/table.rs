//! `/call`, `/help` and `/quit`.

use super::entry::{CommandEntry, Completes, Deed};
use super::named;
use rollbook_table::playtest::fields;
use rollbook_text::names::quoted;

pub const CALL: CommandEntry = CommandEntry {
    name: "call",
    also: &["tool"],
    takes: "TOOL key=value …",
    about: "Any call of any tool; `rollbook try` and playtests have the same form.",
    example: "/call manage_character action=award xp=100",
    completes: &[Completes::Tools],
    read: |text, _| {
        let (tool, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        if tool.is_empty() {
            return Err("Which tool?".to_owned());
        }
        let (words, arguments) = fields(rest)?;
        match words.first() {
            Some(word) => Err(format!("\"{}\" has no key= before it.", quoted(word))),
            None => Ok(Deed::call(tool, arguments)),
        }
    },
};

pub const HELP: CommandEntry = CommandEntry {
    name: "help",
    also: &["h", "?"],
    takes: "[COMMAND]",
    about: "The commands, or what one takes.",
    example: "/help check",
    completes: &[Completes::Commands],
    read: |text, _| match text.trim_start_matches('/') {
        "" => Ok(Deed::Help(None)),
        name => match named(name) {
            Some(own) => Ok(Deed::Help(Some(own))),
            None => Err(format!("There is no command /{}.", quoted(name))),
        },
    },
};

pub const QUIT: CommandEntry = CommandEntry {
    name: "quit",
    also: &["q", "exit", "bye"],
    takes: "",
    about: "Leaves the table; everything is kept.",
    example: "/quit",
    completes: &[],
    read: |_, _| Ok(Deed::Quit),
};
