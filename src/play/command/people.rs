//! `/sheet`, `/party`, `/new` and `/rest`.

use serde_json::{Map, Value};

use super::entry::{CommandEntry, Completes, Deed};
use super::line::{Parts, whom};
use crate::play::names::{Names, first, leading};
use rollbook_rules::System;
use rollbook_table::playtest;
use rollbook_text::names::{Found, find, printable, same};

/// The number that an example has where the rules do not forbid it.
const SCORE: i64 = 10;

pub const SHEET: CommandEntry = CommandEntry {
    name: "sheet",
    also: &["s", "who"],
    takes: "[WHO]",
    about: "A character's sheet.",
    example: "/sheet Sabeth",
    completes: &[Completes::People],
    read: |text, _| {
        let mut parts = Parts::of(text)?;
        parts.put("view", "sheet");
        let who = parts.text();
        if !who.is_empty() {
            parts.put("character", who);
        }
        Ok(Deed::call("get_character", parts.fields))
    },
};

pub const PARTY: CommandEntry = CommandEntry {
    name: "party",
    also: &["all"],
    takes: "",
    about: "Everybody in a line each.",
    example: "/party",
    completes: &[],
    read: |text, _| {
        let mut parts = Parts::of(text)?;
        parts.put("list", true);
        Ok(Deed::call("get_character", parts.fields))
    },
};

pub const NEW: CommandEntry = CommandEntry {
    name: "new",
    also: &["create"],
    takes: "NAME: SCORE N, SKILL +N, … [npc] or [NAME from] FILE#NAME",
    about: "Makes a character; of a sheet that lacks something the reply says what.",
    example: "/new Aria: DEX 14, Lockpicking +2",
    completes: &[Completes::Sheets, Completes::Foes],
    read: |text, names| {
        if text.is_empty() {
            return Err("Whom?".to_owned());
        }
        // Somebody of the adventure under the name that they have there.
        let own = text.split_once('#').map(|(file, name)| (name, file));
        let own = own.filter(|(_, file)| file.ends_with(".md") || file.contains('/'));
        if let Some((name, _)) = own.filter(|_| !text.contains(" from ")) {
            let mut parts = Parts::of(text)?;
            let from = parts.text();
            let block = block(&from, names);
            parts.put("action", "create");
            parts.put("name", block.map_or(Parts::of(name)?.text(), str::to_owned));
            parts.put("from", from);
            return Ok(Deed::call("manage_character", parts.fields));
        }
        if let Some((name, from)) = text.split_once(" from ").filter(|_| !text.contains(':')) {
            let mut parts = Parts::of(from)?;
            parts.put("action", "create");
            parts.put("name", name.trim());
            let from = parts.text();
            parts.put("from", from);
            return Ok(Deed::call("manage_character", parts.fields));
        }
        let (head, rest) = text.split_once(':').unwrap_or((text, ""));
        // The fields stand behind the last score.
        let mut parts = Parts::of(rest)?;
        let scores = parts.text();
        let sheet = playtest::sheet(&format!("{}: {scores}", playtest::quoted(head.trim())), &names.system)?;
        for (field, value) in sheet {
            parts.put(&field, value);
        }
        Ok(Deed::call("manage_character", parts.fields))
    },
};

/// The name of the only block of the adventure that these words mean: `Characters.md#fenner` is Fenner Loy.
fn block<'n>(from: &str, names: &'n Names) -> Option<&'n str> {
    let (file, wanted) = from.split_once('#')?;
    let of_file = names.sheets.iter().chain(&names.foes).filter_map(|own| own.split_once('#'));
    match find(wanted, of_file.filter(|(own, _)| *own == file).map(|(_, name)| (name, name))) {
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
    completes: &[Completes::Rests, Completes::People],
    read: |text, names| {
        let mut parts = Parts::of(text)?;
        parts.put("action", "rest");
        let words = std::mem::take(&mut parts.words);
        let kind = leading(&words, &names.rests).unwrap_or(0);
        if kind > 0 {
            parts.put("kind", first(&words, kind));
        }
        if let Some(who) = whom(&words.get(kind..).unwrap_or_default().join(" ")) {
            let field = if who.is_array() { "on" } else { "character" };
            parts.put(field, who);
        }
        Ok(Deed::call("manage_character", parts.fields))
    },
};

/// What a sheet still lacks, as its tool says it ("Dexterity (DEX), 3 to 18"), and the line that makes it anew with that. One that was
/// made after a block keeps what it has of that, and gets the rest.
pub fn incomplete(name: &str, missing: &[&str], is_of_block: bool, system: &System) -> String {
    let rule = |own: &str| {
        let name = own.split([',', '(']).next().unwrap_or(own).trim();
        system.attributes.iter().find(|rule| same(&rule.name, name))
    };
    let scores = missing.iter().filter_map(|own| rule(own)).map(|rule| {
        let (low, high) = rule.range.unwrap_or((SCORE, SCORE));
        (rule.short(), SCORE.clamp(low, high.max(low)))
    });
    let (mut field, mut lacking) = ("attributes", scores.collect::<Vec<(&str, i64)>>());
    // Tracks mostly come of the scores.
    if lacking.is_empty() {
        field = "tracks";
        lacking = missing.iter().map(|own| (own.split(" (").next().unwrap_or(own), SCORE)).collect();
    }
    let (name, missing) = (printable(name), missing.join("; "));
    if is_of_block {
        let lacking: Map<String, Value> =
            lacking.into_iter().map(|(own, score)| (own.to_owned(), score.into())).collect();
        let line =
            format!("/call manage_character action=update character=\"{name}\" {field}={}", Value::Object(lacking));
        return format!("{name} still lacks {missing}. Type, with numbers of your own: {line}");
    }
    let lacking: Vec<String> = lacking.iter().map(|(own, score)| format!("{own} {score}")).collect();
    format!(
        "{name} still lacks {missing}. Type /undo, then with numbers of your own: /new {name}: {}",
        lacking.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::incomplete;
    use crate::play::command::read;
    use crate::play::command::tests::{call, names};

    #[test]
    fn people_are_made_and_shown() {
        assert_eq!(call("/sheet Sabeth Quoin").1, json!({"view": "sheet", "character": "Sabeth Quoin"}));
        assert_eq!(call("/party"), ("get_character".to_owned(), json!({"list": true})));
        assert_eq!(
            call("/new Aria of the Quay: DEX 14, Lockpicking +2, npc notes=\"a locksmith\"").1,
            json!({"action": "create", "name": "Aria of the Quay", "kind": "npc", "attributes": {"DEX": 14},
                   "skills": {"Lockpicking": 2}, "notes": "a locksmith"})
        );
        assert_eq!(
            call("/new Cobb from Foes.md#Wrecker").1,
            json!({"action": "create", "name": "Cobb", "from": "Foes.md#Wrecker"})
        );
        assert_eq!(
            call("/new Characters.md#Fenner Loy notes=\"late\"").1,
            json!({"action": "create", "name": "Fenner Loy", "from": "Characters.md#Fenner Loy", "notes": "late"})
        );
        for line in ["/new Aria: DEX 14 npc", "/new Aria: npc, DEX 14", "/new Aria: DEX 14, npc"] {
            let sent = call(line).1;
            assert_eq!((&sent["kind"], &sent["attributes"]), (&json!("npc"), &json!({"DEX": 14})), "{line}");
        }
        let lacks = incomplete("Nobody", &["Dexterity (DEX), 3 to 18", "Hit points"], false, &names().system);
        let (_, line) = lacks.rsplit_once("your own: ").unwrap();
        assert_eq!(line, "/new Nobody: DEX 10", "{lacks}");
        assert!(incomplete("Nobody", &["Hit points"], false, &names().system).ends_with("/new Nobody: Hit points 10"));
        let lacks = incomplete("Cobb", &["Dexterity (DEX), 3 to 18"], true, &names().system);
        let (_, line) = lacks.rsplit_once("your own: ").unwrap();
        assert_eq!(
            call(line),
            (
                "manage_character".to_owned(),
                json!({"action": "update", "character": "Cobb", "attributes": {"DEX": 10}})
            )
        );
        for typed in ["fenner", "Fenner Loy", "LOY"] {
            let sent = call(&format!("/new Characters.md#{typed}")).1;
            assert_eq!(sent["name"], "Fenner Loy", "{typed}: a block's name is whole");
        }
        assert_eq!(
            call("/new ../../etc/passwd#root").1,
            json!({"action": "create", "name": "root", "from": "../../etc/passwd#root"})
        );
        assert!(read("/new Aria: DEX", &names()).unwrap_err().contains("`DEX` has no number"));
    }

    #[test]
    fn a_rest_is_of_somebody_or_of_the_party() {
        assert_eq!(call("/rest long rest Jory").1, json!({"action": "rest", "kind": "long rest", "character": "Jory"}));
        assert_eq!(call("/rest").1, json!({"action": "rest"}));
        assert_eq!(call("/rest Jory Penrake").1, json!({"action": "rest", "character": "Jory Penrake"}));
    }
}
