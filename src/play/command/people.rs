//! `/sheet`, `/party`, `/new` and `/rest`.

use serde_json::{Map, Value};

use super::entry::{CommandEntry, FOES, PEOPLE, Parts, RESTS, Read, whom};
use crate::play::names::{Names, first, leading};
use rollbook_rules::System;
use rollbook_table::playtest;
use rollbook_text::names::{Found, find, printable, same};

const SCORE: i64 = 10; // The number that an example has where the rules do not forbid it

pub const SHEET: CommandEntry = CommandEntry {
    name: "sheet",
    also: &["s", "who"],
    takes: "[WHO]",
    about: "A character's sheet.",
    example: "/sheet Sabeth",
    completes: &[PEOPLE],
    read: Read::Fields("get_character", |parts, _| {
        parts.put("view", "sheet");
        parts.put_text("character");
        Ok(())
    }),
};

pub const PARTY: CommandEntry = CommandEntry {
    name: "party",
    also: &["all"],
    takes: "",
    about: "Everybody in a line each.",
    example: "/party",
    completes: &[],
    read: Read::Fields("get_character", |parts, _| {
        parts.put("list", true);
        Ok(())
    }),
};

pub const NEW: CommandEntry = CommandEntry {
    name: "new",
    also: &["create"],
    takes: "NAME: SCORE N, SKILL +N, … [npc] or [NAME from] FILE#NAME",
    about: "Makes a character; of a sheet that lacks something the reply says what.",
    example: "/new Aria: DEX 14, Lockpicking +2",
    completes: &[|names, _| names.sheets.clone(), FOES],
    read: Read::Text(|text, names| {
        if text.is_empty() {
            return Err("Whom?".to_owned());
        }
        // A stat block of the adventure, under a name of its own or under the one that it has
        // there.
        let block = text
            .split_once('#')
            .filter(|(file, _)| file.ends_with(".md") || file.contains('/'));
        let named = match (block, text.split_once(" from ")) {
            (Some((_, name)), None) => {
                let from = Parts::read(text)?.text();
                Some((
                    block_name(&from, names).map_or(Parts::read(name)?.text(), str::to_owned),
                    text,
                ))
            }
            (_, Some((name, from))) if !text.contains(':') => Some((name.trim().to_owned(), from)),
            _ => None,
        };
        let Some((name, from)) = named else {
            let (head, rest) = text.split_once(':').unwrap_or((text, ""));
            // The fields follow the last score.
            let mut parts = Parts::read(rest)?;
            let line = format!("{}: {}", playtest::quoted(head.trim()), parts.text());
            for (field, value) in playtest::sheet(&line, &names.system)? {
                parts.put(&field, value);
            }
            return Ok(parts.call("manage_character"));
        };
        let mut parts = Parts::read(from)?;
        parts.put("action", "create");
        parts.put("name", name);
        parts.put("from", parts.text());
        Ok(parts.call("manage_character"))
    }),
};

/// The name of the only block of the adventure that these words mean: `Characters.md#fenner` is Fenner Loy.
fn block_name<'n>(from: &str, names: &'n Names) -> Option<&'n str> {
    let (file, wanted) = from.split_once('#')?;
    let blocks = names
        .sheets
        .iter()
        .chain(&names.foes)
        .filter_map(|block| block.split_once('#'));
    match find(
        wanted,
        blocks
            .filter(|(page, _)| *page == file)
            .map(|(_, name)| (name, name)),
    ) {
        Found::One(name) => Some(name),
        Found::Several(_) | Found::Nothing => None,
    }
}

pub const REST: CommandEntry = CommandEntry {
    name: "rest",
    also: &["sleep"],
    takes: "[KIND] [WHO]",
    about: "A rest by the rules; of the party, if nobody is named.",
    example: "/rest Long rest",
    completes: &[RESTS, PEOPLE],
    read: Read::Fields("manage_character", |parts, names| {
        parts.put("action", "rest");
        let words = std::mem::take(&mut parts.words);
        let kind = leading(&words, &names.rests).unwrap_or(0);
        if kind > 0 {
            parts.put("kind", first(&words, kind));
        }
        if let Some(who) = whom(&words.get(kind..).unwrap_or_default().join(" ")) {
            parts.put(if who.is_array() { "on" } else { "character" }, who);
        }
        Ok(())
    }),
};

/// What a sheet still lacks, as its tool says it ("Dexterity (DEX), 3 to 18"), and the line that makes it anew with that. One that was
/// made after a block keeps what it has of that, and gets the rest.
pub fn incomplete(name: &str, missing: &[&str], is_of_block: bool, system: &System) -> String {
    let rule = |text: &&str| {
        let name = text.split([',', '(']).next().unwrap_or(text).trim();
        system.attributes.iter().find(|rule| same(&rule.name, name))
    };
    let scores = missing.iter().filter_map(rule).map(|rule| {
        let (low, high) = rule.range.unwrap_or((SCORE, SCORE));
        (rule.short(), SCORE.clamp(low, high.max(low)))
    });
    let (mut field, mut lacking) = ("attributes", scores.collect::<Vec<(&str, i64)>>());
    // Tracks mostly come of the scores.
    if lacking.is_empty() {
        field = "tracks";
        lacking = missing
            .iter()
            .map(|text| (text.split(" (").next().unwrap_or(text), SCORE))
            .collect();
    }
    let (name, missing) = (printable(name), missing.join("; "));
    if is_of_block {
        let lacking: Map<String, Value> = lacking
            .into_iter()
            .map(|(score, number)| (score.to_owned(), number.into()))
            .collect();
        let lacking = Value::Object(lacking);
        return format!(
            "{name} still lacks {missing}. Type, with numbers of your own: /call manage_character action=update character=\"{name}\" \
             {field}={lacking}"
        );
    }
    let lacking: Vec<String> = lacking
        .iter()
        .map(|(score, number)| format!("{score} {number}"))
        .collect();
    let lacking = lacking.join(", ");
    format!(
        "{name} still lacks {missing}. Type /undo, then with numbers of your own: /new {name}: {lacking}"
    )
}
