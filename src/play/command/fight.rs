//! `/fight` and `/next`.

use serde_json::{Map, Value, json};

use super::entry::{CONDITIONS, CommandEntry, FOES, PEOPLE, Parts, Read, number, whom, words};
use crate::play::names::Names;
use rollbook_text::names::same;

macro_rules! actions {
    ($($word:literal: $action:literal,)+) => {
        /// What may follow `/fight`, and the action that it is.
        pub(super) const ACTIONS: &[(&str, &str)] = &[$(($word, $action)),+];
        pub(super) const WORDS: &[&str] = &[$($word),+];
    };
}

actions! {
    "start": "start", "prepare": "create", "add": "add", "end": "end",
    "next": "next_turn", "back": "previous_turn", "round": "next_round",
    "remove": "remove", "delay": "delay", "return": "return", "ready": "ready", "defeat": "defeat", "revive": "revive",
    "hide": "hide", "reveal": "reveal", "effect": "add_effect",
    "initiative": "set_initiative", "reroll": "roll_initiative",
    "structure": "structure", "status": "status",
}

pub(super) fn word_of(action: &str) -> Option<&'static str> {
    ACTIONS
        .iter()
        .find(|(_, known)| *known == action)
        .map(|(word, _)| *word)
}

pub const FIGHT: CommandEntry = CommandEntry {
    name: "fight",
    also: &["f"],
    takes: "[start WHO, WHO x2 hp 7, FILE#NAME x2 | add … | end [HOW] | hide WHO | effect NAME on WHO for 3 rounds | …]",
    about: "Where the fight stands; or begins it, ends it, changes it.",
    example: "/fight start party, Wrecker x2 hp 7",
    completes: &[|_, typed| words(typed, WORDS), PEOPLE, CONDITIONS, FOES],
    read: Read::Text(|text, names| {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let action = match ACTIONS.iter().find(|(known, _)| same(known, word)) {
            Some((_, action)) => *action,
            None if word.is_empty() => "status",
            None => return Err(format!("A fight can {}.", WORDS.join(", "))),
        };
        let mut parts = Parts::read(rest)?;
        parts.put("action", action);
        match action {
            "status" if word.is_empty() => parts.put("detail", "full"),
            "start" | "create" | "add" => {
                let newcomers = newcomers(&parts.text(), names)?;
                if !newcomers.is_empty() {
                    parts.put("combatants", newcomers);
                }
                parts.put_why("title");
            }
            "end" => parts.put_text("outcome"),
            "add_effect" => put_effect(&mut parts)?,
            "set_initiative" => {
                let set = parts.pop(number).ok_or("Which number?")?;
                parts.put(
                    "combatants",
                    json!([{"name": parts.text(), "initiative": set}]),
                );
            }
            "ready" => {
                if let Some(trigger) = parts.take_after(&["until", "for", "when"]) {
                    parts.put("trigger", trigger.join(" "));
                }
                parts.put_text("combatant");
            }
            "structure" => parts.put("structure", parts.text()),
            _ => parts.put_text("combatant"),
        }
        Ok(parts.call("manage_combat"))
    }),
};

pub const NEXT: CommandEntry = CommandEntry {
    name: "next",
    also: &["n"],
    takes: "",
    about: "Ends the turn and begins the next; without turns, the next round.",
    example: "/next",
    completes: &[],
    read: Read::Fields("manage_combat", |parts, names| {
        parts.put(
            "action",
            if names.is_without_turns {
                "next_round"
            } else {
                "next_turn"
            },
        );
        Ok(())
    }),
};

/// `bless on Sabeth for 3 rounds`; with a minus it ends.
fn put_effect(parts: &mut Parts<'_>) -> Result<(), String> {
    parts.take_duration();
    if let Some(on) = parts.take_after(&["on"]).and_then(|on| whom(&on.join(" "))) {
        parts.put("on", on);
    }
    let name = parts.text();
    if name.is_empty() {
        return Err("Which effect?".to_owned());
    }
    if name.starts_with('-') {
        parts
            .fields
            .insert("action".to_owned(), json!("remove_effect"));
    }
    parts.put("name", name.strip_prefix('-').unwrap_or(&name));
    Ok(())
}

const AGAINST: [&str; 4] = ["vs", "vs.", "versus", "against"];

/// Who joins, between commas; "party" is everybody who plays.
fn newcomers(text: &str, names: &Names) -> Result<Vec<Value>, String> {
    let mut all = Vec::new();
    let words = text.split_whitespace();
    let words = words.map(|word| {
        if AGAINST.contains(&word.to_lowercase().as_str()) {
            ","
        } else {
            word
        }
    });
    let text = words.collect::<Vec<_>>().join(" ");
    for newcomer in text
        .split(',')
        .map(str::trim)
        .filter(|newcomer| !newcomer.is_empty())
    {
        if same(newcomer, "party") {
            all.extend(names.party.iter().map(|name| json!({"name": name})));
        } else {
            all.push(read_newcomer(newcomer)?);
        }
    }
    Ok(all)
}

/// `Wrecker x2 hp 7 init 12 from Foes.md#Wrecker hidden`; `Foes.md#Wrecker x2` is a block of the
/// adventure with `from` or without.
fn read_newcomer(text: &str) -> Result<Value, String> {
    let mut words = text.split_whitespace().peekable();
    let (mut name, mut block): (Vec<&str>, Option<Vec<&str>>) = (Vec::new(), None);
    let mut fields = Map::new();
    let count = |word: &str| {
        word.strip_prefix(['x', '×'])
            .or_else(|| word.strip_suffix(['x', '×']))
            .and_then(number)
    };
    while let Some(word) = words.next() {
        let lower = word.to_lowercase();
        let value = words.peek().and_then(|next| number(next));
        match (lower.as_str(), value) {
            ("hp" | "init" | "initiative", Some(value)) => {
                let field = if lower == "hp" { "hp" } else { "initiative" };
                fields.insert(field.to_owned(), value.into());
                words.next();
            }
            // A block's name may have the word.
            ("hp" | "init" | "initiative", None) if block.is_none() => {
                return Err(format!("A number stands behind {lower}."));
            }
            ("hidden", _) => drop(fields.insert("hidden".to_owned(), true.into())),
            ("from", _) if block.is_none() => block = Some(Vec::new()),
            (lower, _) => match count(lower) {
                Some(count) => drop(fields.insert("count".to_owned(), count.into())),
                None if lower.contains(".md#") => block.get_or_insert_default().push(word),
                None => block.as_mut().unwrap_or(&mut name).push(word),
            },
        }
    }
    for (field, words) in [("from", block.unwrap_or_default()), ("name", name)] {
        if !words.is_empty() {
            fields.insert(field.to_owned(), words.join(" ").into());
        }
    }
    Ok(Value::Object(fields))
}
