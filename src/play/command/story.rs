//! What the story must remember, and how it went: `/note`, `/clock`, `/time`, `/session`, `/recap`,
//! `/resume`, `/undo`, `/rules`.

use super::entry::{CHECKS, CONDITIONS, CommandEntry, Parts, RESTS, Read, number, signed, words};
use crate::play::names::is_one_of;
use rollbook_text::names::{quoted, same};

pub const NOTE: CommandEntry = CommandEntry {
    name: "note",
    also: &[],
    takes: "[scene|thread|discovery] [secret] TEXT",
    about: "Notes what the story must remember; a secret is for the GM alone.",
    example: "/note thread Who rings the drowned bell?",
    completes: &[|_, typed| words(typed, &["scene", "thread", "discovery", "secret"])],
    read: Read::Text(|text, _| {
        // A note is plain text, whatever is in it.
        let (mut parts, mut rest) = (Parts::read("")?, text);
        loop {
            let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            let (field, value) = match word.trim_end_matches(':') {
                kind @ ("scene" | "thread" | "discovery") => ("kind", kind),
                "secret" | "gm" => ("visibility", "gm"),
                _ => break,
            };
            parts.fields.insert(field.to_owned(), value.into());
            rest = after.trim_start();
        }
        if rest.is_empty() {
            return Err("What?".to_owned());
        }
        parts.put("action", "note");
        parts.put("text", rest);
        Ok(parts.call("manage_session"))
    }),
};

pub const CLOCK: CommandEntry = CommandEntry {
    name: "clock",
    also: &["clocks"],
    takes: "[NAME] [SEGMENTS | +N | -N | done] [# WHY]",
    about: "Shows the clocks; makes one of so many segments, or moves it.",
    example: "/clock Flooding +1 # the tide",
    completes: &[|names, _| names.clocks.clone()],
    read: Read::Text(|text, names| {
        let mut parts = Parts::read(text)?;
        if parts.is_empty() {
            parts.put("character", "company");
            return Ok(parts.call("get_character"));
        }
        parts.put("action", "clock");
        parts.put_why("text");
        if let Some(tick) = parts.pop(signed) {
            parts.put("tick", tick);
        } else if let Some(count) = parts.pop(number) {
            // Of one that there is, a number is where it is.
            let field = if is_one_of(&parts.text(), &names.clocks) {
                "value"
            } else {
                "segments"
            };
            parts.put(field, count);
        } else if parts.pop(|word| same(word, "done").then_some(())).is_some() {
            parts.put("done", true);
        }
        if parts.words.is_empty() {
            return Err("Which clock?".to_owned());
        }
        parts.put_text("name");
        Ok(parts.call("manage_session"))
    }),
};

pub const TIME: CommandEntry = CommandEntry {
    name: "time",
    also: &["advance", "wait"],
    takes: "[2 hours | until 18:00] [# WHY]",
    about: "Lets the game's time pass; alone, it says what time it is.",
    example: "/time 2 hours # the march",
    completes: &[],
    read: Read::Fields("manage_session", |parts, _| {
        if parts.is_empty() {
            parts.put("action", "status");
            return Ok(());
        }
        parts.put("action", "advance");
        parts.put("time", parts.text());
        parts.put_why("text");
        Ok(())
    }),
};

pub const SESSION: CommandEntry = CommandEntry {
    name: "session",
    also: &[],
    takes: "[start [TITLE] | end | list]",
    about: "Opens and closes a sitting; alone, it says how the table stands.",
    example: "/session start The dark lamp",
    completes: &[|_, typed| words(typed, &["start", "end", "list"])],
    read: Read::Text(|text, _| {
        let mut parts = Parts::read("")?;
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        match word {
            "" => parts.put("detail", "full"),
            "start" if !rest.trim().is_empty() => parts.put("title", rest.trim()),
            "start" | "end" | "list" => {}
            _ => return Err("A session can start and end, and be listed.".to_owned()),
        }
        parts.put("action", if word.is_empty() { "status" } else { word });
        Ok(parts.call("manage_session"))
    }),
};

pub const RECAP: CommandEntry = CommandEntry {
    name: "recap",
    also: &["story"],
    takes: "[SESSION]",
    about: "The story of a sitting, as the players saw it; audience=gm for all of it.",
    example: "/recap",
    completes: &[],
    read: Read::Fields("manage_session", |parts, _| {
        parts.put("action", "recap");
        if let Some(session) = parts.pop(number) {
            parts.put("session", session);
        }
        check_end(parts)
    }),
};

pub const RESUME: CommandEntry = CommandEntry {
    name: "resume",
    also: &["where"],
    takes: "",
    about: "Where the game stands, for the GM.",
    example: "/resume",
    completes: &[],
    read: Read::Fields("manage_session", |parts, _| {
        parts.put("action", "resume");
        check_end(parts)
    }),
};

pub const UNDO: CommandEntry = CommandEntry {
    name: "undo",
    also: &["u"],
    takes: "[ENTRY]",
    about: "Takes back what the newest call changed, or the call of that entry.",
    example: "/undo",
    completes: &[],
    read: Read::Fields("manage_session", |parts, _| {
        parts.put("action", "undo");
        if let Some(entry) = parts.pop(|word| number(word.trim_start_matches('#'))) {
            parts.put("entry", entry);
        } else if let [word] = parts.words.as_slice() {
            return Err(format!(
                "\"{}\" is no number of an entry; /undo 17 takes entry 17 back.",
                quoted(word)
            ));
        }
        check_end(parts)
    }),
};

pub const RULES: CommandEntry = CommandEntry {
    name: "rules",
    also: &["rule"],
    takes: "[SECTION or NAME]",
    about: "The rules' own words.",
    example: "/rules Health",
    completes: &[|names, _| names.sections.clone(), CHECKS, CONDITIONS, RESTS],
    read: Read::Fields("get_rules", |parts, names| {
        let field = if is_one_of(&parts.text(), &names.sections) {
            "section"
        } else {
            "name"
        };
        parts.put_text(field);
        Ok(())
    }),
};

fn check_end(parts: &Parts<'_>) -> Result<(), String> {
    match parts.words.first() {
        Some(word) => Err(format!("\"{}\" is too much.", quoted(word))),
        None => Ok(()),
    }
}
