//! `/fight` and `/next`.

use serde_json::{Map, Value, json};

use super::entry::{CommandEntry, Completes, Deed};
use super::line::{Parts, number, whom};
use crate::play::names::Names;
use rollbook_text::names::same;

/// What may follow `/fight`, and the action that it is.
const ACTIONS: [(&str, &str); 20] = [
    ("start", "start"),
    ("prepare", "create"),
    ("add", "add"),
    ("end", "end"),
    ("next", "next_turn"),
    ("back", "previous_turn"),
    ("round", "next_round"),
    ("remove", "remove"),
    ("delay", "delay"),
    ("return", "return"),
    ("ready", "ready"),
    ("defeat", "defeat"),
    ("revive", "revive"),
    ("hide", "hide"),
    ("reveal", "reveal"),
    ("effect", "add_effect"),
    ("initiative", "set_initiative"),
    ("reroll", "roll_initiative"),
    ("structure", "structure"),
    ("status", "status"),
];

/// The word for an action.
pub(super) fn word_of(action: &str) -> Option<&'static str> {
    ACTIONS.iter().find(|(_, own)| *own == action).map(|(word, _)| *word)
}

/// The words alone.
const WORDS: [&str; ACTIONS.len()] = {
    let mut words = [""; ACTIONS.len()];
    let mut at = 0;
    while at < words.len() {
        #[expect(clippy::indexing_slicing, reason = "both have the same length, and the compiler runs it")]
        {
            words[at] = ACTIONS[at].0;
        }
        at += 1;
    }
    words
};

pub const FIGHT: CommandEntry = CommandEntry {
    name: "fight",
    also: &["f"],
    takes: "[start WHO, WHO x2 hp 7, FILE#NAME x2 | add … | end [HOW] | hide WHO | effect NAME on WHO for 3 rounds | …]",
    about: "Where the fight stands; or begins it, ends it, changes it.",
    example: "/fight start party, Wrecker x2 hp 7",
    completes: &[Completes::Words(&WORDS), Completes::People, Completes::Conditions, Completes::Foes],
    read: |text, names| {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let Some((_, action)) = ACTIONS.iter().find(|(own, _)| same(own, word)) else {
            if !word.is_empty() {
                return Err(format!("A fight can {}.", WORDS.join(", ")));
            }
            let status = [("action".to_owned(), json!("status")), ("detail".to_owned(), json!("full"))];
            return Ok(Deed::call("manage_combat", Map::from_iter(status)));
        };
        let mut parts = Parts::of(rest)?;
        let action = *action;
        parts.put("action", action);
        match action {
            "start" | "create" | "add" => {
                let newcomers = newcomers(&parts.text(), names)?;
                if !newcomers.is_empty() {
                    parts.put("combatants", newcomers);
                }
                parts.put_why("title");
            }
            "end" => {
                let how = parts.text();
                if !how.is_empty() {
                    parts.put("outcome", how);
                }
            }
            "add_effect" => effect(&mut parts)?,
            "set_initiative" => {
                let set = parts.pop(number).ok_or("Which number?")?;
                let whom = parts.text();
                parts.put("combatants", json!([{"name": whom, "initiative": set}]));
            }
            "ready" => {
                if let Some(trigger) = parts.behind(&["until", "for", "when"]) {
                    parts.put("trigger", trigger.join(" "));
                }
                one(&mut parts);
            }
            "structure" => {
                let which = parts.text();
                parts.put("structure", which);
            }
            _ => one(&mut parts),
        }
        Ok(Deed::call("manage_combat", parts.fields))
    },
};

pub const NEXT: CommandEntry = CommandEntry {
    name: "next",
    also: &["n"],
    takes: "",
    about: "Ends the turn and begins the next; without turns, the next round.",
    example: "/next",
    completes: &[],
    read: |text, names| {
        let mut parts = Parts::of(text)?;
        parts.put("action", if names.is_without_turns { "next_round" } else { "next_turn" });
        Ok(Deed::call("manage_combat", parts.fields))
    },
};

/// Whom an action is about, where somebody is named.
fn one(parts: &mut Parts<'_>) {
    let whom = parts.text();
    if !whom.is_empty() {
        parts.put("combatant", whom);
    }
}

/// `bless on Sabeth for 3 rounds`; with a minus it ends.
fn effect(parts: &mut Parts<'_>) -> Result<(), String> {
    parts.take_duration();
    if let Some(on) = parts.behind(&["on"]).and_then(|on| whom(&on.join(" "))) {
        parts.put("on", on);
    }
    let name = parts.text();
    if let Some(ended) = name.strip_prefix('-') {
        parts.fields.insert("action".to_owned(), json!("remove_effect"));
        parts.put("name", ended);
    } else if name.is_empty() {
        return Err("Which effect?".to_owned());
    } else {
        parts.put("name", name);
    }
    Ok(())
}

/// Words that stand between two sides.
const AGAINST: [&str; 4] = ["vs", "vs.", "versus", "against"];

/// Who joins, between commas; "party" is everybody who plays.
fn newcomers(text: &str, names: &Names) -> Result<Vec<Value>, String> {
    let mut all = Vec::new();
    // Who stands against whom is said by what they are, so "vs" parts as a comma does.
    let words =
        text.split_whitespace().map(|word| if AGAINST.contains(&word.to_lowercase().as_str()) { "," } else { word });
    let text = words.collect::<Vec<_>>().join(" ");
    for own in text.split(',').map(str::trim).filter(|own| !own.is_empty()) {
        if same(own, "party") {
            all.extend(names.party.iter().map(|name| json!({"name": name})));
        } else {
            all.push(newcomer(own)?);
        }
    }
    Ok(all)
}

/// `Wrecker x2 hp 7 init 12 from Foes.md#Wrecker hidden`; `Foes.md#Wrecker x2` is a block of the adventure with `from` or without.
fn newcomer(text: &str) -> Result<Value, String> {
    let mut words = text.split_whitespace().peekable();
    let (mut name, mut block): (Vec<&str>, Option<Vec<&str>>) = (Vec::new(), None);
    let mut fields = Map::new();
    let count = |word: &str| word.strip_prefix(['x', '×']).or_else(|| word.strip_suffix(['x', '×'])).and_then(number);
    while let Some(word) = words.next() {
        let lower = word.to_lowercase();
        let field = match lower.as_str() {
            "hp" => Some("hp"),
            "init" | "initiative" => Some("initiative"),
            _ => None,
        };
        let value = words.peek().and_then(|next| number(next));
        match (lower.as_str(), field, value) {
            (_, Some(field), Some(value)) => {
                fields.insert(field.to_owned(), value.into());
                words.next();
            }
            // A block's name may have the word.
            (_, Some(_), None) if block.is_none() => return Err(format!("A number stands behind {lower}.")),
            ("hidden", ..) => drop(fields.insert("hidden".to_owned(), true.into())),
            ("from", ..) if block.is_none() => block = Some(Vec::new()),
            (lower, ..) => match count(lower) {
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
        for line in ["Foes.md#Old Ogre x2 hidden", "from Foes.md#Old Ogre x2 hidden", "x2 hidden Foes.md#Old Ogre"] {
            assert_eq!(
                call(&format!("/fight add {line}")).1["combatants"],
                json!([{"from": "Foes.md#Old Ogre", "count": 2, "hidden": true}]),
                "{line}"
            );
        }
        assert_eq!(
            call("/fight add Wrecker x2 from Foes.md#Wrecker").1["combatants"],
            json!([{"name": "Wrecker", "from": "Foes.md#Wrecker", "count": 2}])
        );
        assert_eq!(
            call("/fight start party vs Goblin hp 5").1["combatants"],
            json!([{"name": "Sabeth Quoin"}, {"name": "Jory Penrake"}, {"name": "Goblin", "hp": 5}])
        );
        assert!(read("/fight start Wrecker hp", &names()).unwrap_err().starts_with("A number stands behind hp."));
        assert!(read("/fight sing", &names()).unwrap_err().starts_with("A fight can start, prepare"));
    }

    #[test]
    fn the_rest_of_a_fight() {
        let sent = |line: &str| call(line).1;
        assert_eq!(sent("/fight"), json!({"action": "status", "detail": "full"}));
        assert_eq!(sent("/f end the wreckers run"), json!({"action": "end", "outcome": "the wreckers run"}));
        assert_eq!(sent("/fight hide Wrecker 2"), json!({"action": "hide", "combatant": "Wrecker 2"}));
        assert_eq!(
            sent("/fight effect bless on Sabeth, Jory for 3 rounds"),
            json!({"action": "add_effect", "name": "bless", "on": ["Sabeth", "Jory"], "duration": "for 3 rounds"})
        );
        assert_eq!(
            sent("/fight effect -bless on Sabeth"),
            json!({"action": "remove_effect", "name": "bless", "on": "Sabeth"})
        );
        assert_eq!(
            sent("/fight initiative Wrecker 1 12"),
            json!({"action": "set_initiative", "combatants": [{"name": "Wrecker 1", "initiative": 12}]})
        );
        assert_eq!(
            sent("/fight ready Jory until the door opens"),
            json!({"action": "ready", "combatant": "Jory", "trigger": "the door opens"})
        );
        assert_eq!(sent("/next"), json!({"action": "next_turn"}));
        let mut without = names();
        without.is_without_turns = true;
        let Ok(Deed::Call { arguments, .. }) = read("/n", &without) else { panic!("a call") };
        assert_eq!(Value::Object(arguments), json!({"action": "next_round"}));
    }
}
