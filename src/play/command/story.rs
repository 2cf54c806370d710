//! What the story must remember, and how it went: `/note`, `/clock`, `/time`, `/session`, `/recap`, `/resume`, `/undo`, `/rules`.

use serde_json::{Map, json};

use super::entry::{CommandEntry, Completes, Deed};
use super::line::{Parts, number, signed};
use crate::play::names::is_one_of;
use rollbook_text::names::same;

pub const NOTE: CommandEntry = CommandEntry {
    name: "note",
    also: &[],
    takes: "[scene|thread|discovery] [secret] TEXT",
    about: "Notes what the story must remember; a secret is for the GM alone.",
    example: "/note thread Who rings the drowned bell?",
    completes: &[Completes::Words(&["scene", "thread", "discovery", "secret"])],
    read: |text, _| {
        let mut fields = Map::from_iter([("action".to_owned(), json!("note"))]);
        let mut rest = text;
        loop {
            let (word, behind) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            let word = word.trim_end_matches(':');
            match word {
                "scene" | "thread" | "discovery" => fields.insert("kind".to_owned(), json!(word)),
                "secret" | "gm" => fields.insert("visibility".to_owned(), json!("gm")),
                _ => break,
            };
            rest = behind.trim_start();
        }
        if rest.is_empty() {
            return Err("What?".to_owned());
        }
        fields.insert("text".to_owned(), json!(rest));
        Ok(Deed::call("manage_session", fields))
    },
};

pub const CLOCK: CommandEntry = CommandEntry {
    name: "clock",
    also: &["clocks"],
    takes: "[NAME] [SEGMENTS | +N | -N | done] [# WHY]",
    about: "Shows the clocks; makes one of so many segments, or moves it.",
    example: "/clock Flooding +1 # the tide",
    completes: &[Completes::Clocks],
    read: |text, names| {
        let mut parts = Parts::of(text)?;
        if parts.words.is_empty() && parts.fields.is_empty() {
            let company = Map::from_iter([("character".to_owned(), json!("company"))]);
            return Ok(Deed::call("get_character", company));
        }
        parts.put("action", "clock");
        parts.put_why("text");
        if let Some(tick) = parts.pop(signed) {
            parts.put("tick", tick);
        } else if let Some(count) = parts.pop(number) {
            // Of one that there is, a number is where it stands.
            let field = if is_one_of(&parts.text(), &names.clocks) { "value" } else { "segments" };
            parts.put(field, count);
        } else if parts.pop(|word| same(word, "done").then_some(())).is_some() {
            parts.put("done", true);
        }
        let name = parts.text();
        if name.is_empty() {
            return Err("Which clock?".to_owned());
        }
        parts.put("name", name);
        Ok(Deed::call("manage_session", parts.fields))
    },
};

pub const TIME: CommandEntry = CommandEntry {
    name: "time",
    also: &["advance", "wait"],
    takes: "[2 hours | until 18:00] [# WHY]",
    about: "Lets the game's time pass; alone, it says what time it is.",
    example: "/time 2 hours # the march",
    completes: &[],
    read: |text, _| {
        let mut parts = Parts::of(text)?;
        if parts.words.is_empty() && parts.fields.is_empty() {
            let status = Map::from_iter([("action".to_owned(), json!("status"))]);
            return Ok(Deed::call("manage_session", status));
        }
        parts.put("action", "advance");
        parts.put("time", parts.text());
        parts.put_why("text");
        Ok(Deed::call("manage_session", parts.fields))
    },
};

pub const SESSION: CommandEntry = CommandEntry {
    name: "session",
    also: &[],
    takes: "[start [TITLE] | end | list]",
    about: "Opens and closes a sitting; alone, it says how the table stands.",
    example: "/session start The dark lamp",
    completes: &[Completes::Words(&["start", "end", "list"])],
    read: |text, _| {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let action = match word {
            "" => "status",
            "start" | "end" | "list" => word,
            _ => return Err("A session can start and end, and be listed.".to_owned()),
        };
        let mut fields = Map::from_iter([("action".to_owned(), json!(action))]);
        if action == "status" {
            fields.insert("detail".to_owned(), json!("full"));
        }
        if action == "start" && !rest.trim().is_empty() {
            fields.insert("title".to_owned(), json!(rest.trim()));
        }
        Ok(Deed::call("manage_session", fields))
    },
};

pub const RECAP: CommandEntry = CommandEntry {
    name: "recap",
    also: &["story"],
    takes: "[SESSION]",
    about: "The story of a sitting, as the players saw it; audience=gm for all of it.",
    example: "/recap",
    completes: &[],
    read: |text, _| {
        let mut parts = Parts::of(text)?;
        parts.put("action", "recap");
        if let Some(session) = parts.pop(number) {
            parts.put("session", session);
        }
        nothing_more(&parts)?;
        Ok(Deed::call("manage_session", parts.fields))
    },
};

pub const RESUME: CommandEntry = CommandEntry {
    name: "resume",
    also: &["where"],
    takes: "",
    about: "Where the game stands, for the GM.",
    example: "/resume",
    completes: &[],
    read: |text, _| {
        let mut parts = Parts::of(text)?;
        nothing_more(&parts)?;
        parts.put("action", "resume");
        Ok(Deed::call("manage_session", parts.fields))
    },
};

pub const UNDO: CommandEntry = CommandEntry {
    name: "undo",
    also: &["u"],
    takes: "[ENTRY]",
    about: "Takes back what the newest call changed, or the call of that entry.",
    example: "/undo",
    completes: &[],
    read: |text, _| {
        let mut parts = Parts::of(text)?;
        parts.put("action", "undo");
        if let Some(entry) = parts.pop(|word| number(word.trim_start_matches('#'))) {
            parts.put("entry", entry);
        } else if let [word] = parts.words.as_slice() {
            return Err(format!(
                "\"{}\" is no number of an entry; /undo 17 takes entry 17 back.",
                rollbook_text::names::quoted(word)
            ));
        }
        nothing_more(&parts)?;
        Ok(Deed::call("manage_session", parts.fields))
    },
};

pub const RULES: CommandEntry = CommandEntry {
    name: "rules",
    also: &["rule"],
    takes: "[SECTION or NAME]",
    about: "The rules' own words.",
    example: "/rules Health",
    completes: &[Completes::Sections, Completes::Checks, Completes::Conditions, Completes::Rests],
    read: |text, names| {
        let mut parts = Parts::of(text)?;
        let name = parts.text();
        if !name.is_empty() {
            let field = if is_one_of(&name, &names.sections) { "section" } else { "name" };
            parts.put(field, name);
        }
        Ok(Deed::call("get_rules", parts.fields))
    },
};

fn nothing_more(parts: &Parts<'_>) -> Result<(), String> {
    match parts.words.first() {
        Some(word) => Err(format!("\"{}\" is too much.", rollbook_text::names::quoted(word))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::play::command::read;
    use crate::play::command::tests::{call, names};

    #[test]
    fn notes_are_plain_text() {
        let sent = |line: &str| call(line).1;
        assert_eq!(sent("/note It's \"odd\": a=b {"), json!({"action": "note", "text": "It's \"odd\": a=b {"}));
        assert_eq!(
            sent("/note secret thread: Who pays?"),
            json!({"action": "note", "kind": "thread", "visibility": "gm", "text": "Who pays?"})
        );
        assert!(read("/note scene", &names()).unwrap_err().starts_with("What?"));
    }

    #[test]
    fn clocks_are_made_moved_and_ended() {
        let sent = |line: &str| call(line).1;
        assert_eq!(sent("/clock Alarm 6"), json!({"action": "clock", "name": "Alarm", "segments": 6}));
        assert_eq!(
            sent("/clock Flooding +2 # the tide"),
            json!({"action": "clock", "name": "Flooding", "tick": 2, "text": "the tide"})
        );
        assert_eq!(sent("/clock Flooding 3"), json!({"action": "clock", "name": "Flooding", "value": 3}));
        assert_eq!(sent("/clock Flooding done"), json!({"action": "clock", "name": "Flooding", "done": true}));
        assert_eq!(call("/clock"), ("get_character".to_owned(), json!({"character": "company"})));
    }

    #[test]
    fn sittings_and_what_was() {
        let sent = |line: &str| call(line).1;
        assert_eq!(sent("/session start The dark lamp"), json!({"action": "start", "title": "The dark lamp"}));
        assert_eq!(sent("/session"), json!({"action": "status", "detail": "full"}));
        assert_eq!(sent("/recap 2 audience=gm"), json!({"action": "recap", "session": 2, "audience": "gm"}));
        assert_eq!(sent("/undo #17"), json!({"action": "undo", "entry": 17}));
        assert_eq!(sent("/rules health"), json!({"section": "health"}));
        assert_eq!(sent("/rules prone"), json!({"name": "prone"}));
        assert!(read("/undo it all", &names()).unwrap_err().starts_with("\"it\" is too much."));
        assert!(read("/undo abc", &names()).unwrap_err().starts_with("\"abc\" is no number of an entry"));
    }
}
