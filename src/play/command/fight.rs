//! `/fight` and `/next`.

use serde_json::{Map, Value, json};

use super::entry::{CONDITIONS, CommandEntry, FOES, PEOPLE, Parts, Read, number, whom, words};
use crate::play::names::Names;
use rollbook_text::names::same;

macro_rules! actions {
    ($($word:literal: $action:literal,)+) => {
        /// What may follow `/fight`, and the action that it is.
        const ACTIONS: &[(&str, &str)] = &[$(($word, $action)),+];
        const WORDS: &[&str] = &[$($word),+];
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
    ACTIONS.iter().find(|(_, known)| *known == action).map(|(word, _)| *word)
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
                parts.put("combatants", json!([{"name": parts.text(), "initiative": set}]));
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
        parts.put("action", if names.is_without_turns { "next_round" } else { "next_turn" });
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
        parts.fields.insert("action".to_owned(), json!("remove_effect"));
    }
    parts.put("name", name.strip_prefix('-').unwrap_or(&name));
    Ok(())
}

const AGAINST: [&str; 4] = ["vs", "vs.", "versus", "against"];

/// Who joins, between commas; "party" is everybody who plays.
fn newcomers(text: &str, names: &Names) -> Result<Vec<Value>, String> {
    let mut all = Vec::new();
    let words = text.split_whitespace();
    let words = words.map(|word| if AGAINST.contains(&word.to_lowercase().as_str()) { "," } else { word });
    let text = words.collect::<Vec<_>>().join(" ");
    for newcomer in text.split(',').map(str::trim).filter(|newcomer| !newcomer.is_empty()) {
        if same(newcomer, "party") {
            all.extend(names.party.iter().map(|name| json!({"name": name})));
        } else {
            all.push(read_newcomer(newcomer)?);
        }
    }
    Ok(all)
}

/// `Wrecker x2 hp 7 init 12 from Foes.md#Wrecker hidden`; `Foes.md#Wrecker x2` is a block of the adventure with `from` or without.
fn read_newcomer(text: &str) -> Result<Value, String> {
    let mut words = text.split_whitespace().peekable();
    let (mut name, mut block): (Vec<&str>, Option<Vec<&str>>) = (Vec::new(), None);
    let mut fields = Map::new();
    let count = |word: &str| word.strip_prefix(['x', '×']).or_else(|| word.strip_suffix(['x', '×'])).and_then(number);
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{ACTIONS, WORDS};
    use crate::play::command::tests::{call, names};
    use crate::play::command::{Deed, read};
    use crate::play::names::Names;
    use rollbook_table::tools::tool_named;

    #[test]
    fn every_action_is_one_of_the_tools() {
        let known = &tool_named("manage_combat").unwrap().input["properties"]["action"]["enum"];
        assert!(ACTIONS.iter().all(|(_, action)| known.as_array().unwrap().contains(&json!(action))));
        assert_eq!(WORDS[0], "start");
    }

    #[test]
    fn who_joins_is_said_in_a_few_words() {
        assert_eq!(
            call("/fight start party, Wrecker x2 hp 7, Ogre from Foes.md#Old Ogre, Bat 3x init 12 hidden # The Mess").1,
            json!({"action": "start", "title": "The Mess", "combatants": [
                {"name": "Sabeth Quoin"}, {"name": "Jory Penrake"}, {"name": "Wrecker", "count": 2, "hp": 7},
                {"name": "Ogre", "from": "Foes.md#Old Ogre"}, {"name": "Bat", "count": 3, "initiative": 12, "hidden": true}]})
        );
        let ogres = json!([{"from": "Foes.md#Old Ogre", "count": 2, "hidden": true}]);
        for (line, combatants) in [
            ("add Foes.md#Old Ogre x2 hidden", ogres.clone()),
            ("add from Foes.md#Old Ogre x2 hidden", ogres.clone()),
            ("add x2 hidden Foes.md#Old Ogre", ogres),
            (
                "add Wrecker x2 from Foes.md#Wrecker",
                json!([{"name": "Wrecker", "from": "Foes.md#Wrecker", "count": 2}]),
            ),
            (
                "start party vs Goblin hp 5",
                json!([{"name": "Sabeth Quoin"}, {"name": "Jory Penrake"}, {"name": "Goblin", "hp": 5}]),
            ),
        ] {
            assert_eq!(call(&format!("/fight {line}")).1["combatants"], combatants, "{line}");
        }
        assert!(read("/fight start Wrecker hp", &names()).unwrap_err().starts_with("A number stands behind hp."));
        assert!(read("/fight sing", &names()).unwrap_err().starts_with("A fight can start, prepare"));
    }

    #[test]
    fn the_rest_of_a_fight() {
        for (line, sent) in [
            ("/fight", json!({"action": "status", "detail": "full"})),
            ("/f end the wreckers run", json!({"action": "end", "outcome": "the wreckers run"})),
            ("/fight hide Wrecker 2", json!({"action": "hide", "combatant": "Wrecker 2"})),
            (
                "/fight effect bless on Sabeth, Jory for 3 rounds",
                json!({"action": "add_effect", "name": "bless", "on": ["Sabeth", "Jory"], "duration": "for 3 rounds"}),
            ),
            ("/fight effect -bless on Sabeth", json!({"action": "remove_effect", "name": "bless", "on": "Sabeth"})),
            (
                "/fight initiative Wrecker 1 12",
                json!({"action": "set_initiative", "combatants": [{"name": "Wrecker 1", "initiative": 12}]}),
            ),
            (
                "/fight ready Jory until the door opens",
                json!({"action": "ready", "combatant": "Jory", "trigger": "the door opens"}),
            ),
            ("/next", json!({"action": "next_turn"})),
        ] {
            assert_eq!(call(line).1, sent, "{line}");
        }
        let without = Names { is_without_turns: true, ..names() };
        let Ok(Deed::Call { arguments, .. }) = read("/n", &without) else { panic!("a call") };
        assert_eq!(Value::Object(arguments), json!({"action": "next_round"}));
    }
}
