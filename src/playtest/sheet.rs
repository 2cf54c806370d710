//! A character as an author has one at hand: what `get_character` answered, saved as JSON, or a playtest's line.

use serde_json::{Map, Value};

use super::character::character;
use crate::diagnostic::Span;
use crate::rules::System;

/// The arguments of `manage_character` that make the character this text describes: a JSON object, or
/// `Aria: DEX 14, Lockpicking +2` with or without `character` before it.
///
/// # Errors
/// What cannot be read, in a sentence.
pub fn sheet(text: &str, system: &System) -> Result<Map<String, Value>, String> {
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.starts_with('{') {
        return from_json(text);
    }
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let line = lines.next().unwrap_or_default();
    if lines.next().is_some() {
        return Err("a character is one line: Aria: DEX 14, Lockpicking +2".to_owned());
    }
    let line = line.strip_prefix("character ").unwrap_or(line);
    let made = character(line, Span::default(), system).map_err(|found| {
        let help: String = found.help.iter().map(|help| format!("; {help}")).collect();
        format!("{}{help}", found.message)
    })?;
    Ok(made.arguments)
}

fn from_json(text: &str) -> Result<Map<String, Value>, String> {
    let read: Value = serde_json::from_str(text).map_err(|error| format!("this is not JSON: {error}"))?;
    let read = read.get("character").filter(|inner| inner.is_object()).unwrap_or(&read);
    let mut arguments = Map::from_iter([("action".to_owned(), Value::from("create"))]);
    for field in ["name", "kind", "level", "xp"] {
        if let Some(value) = read.get(field).filter(|value| !value.is_null()) {
            arguments.insert(field.to_owned(), value.clone());
        }
    }
    if !arguments.contains_key("name") {
        return Err("this JSON is no character: it has no name".to_owned());
    }
    for field in ["attributes", "skills", "tracks"] {
        let Some(value) = read.get(field) else { continue };
        let numbers: Map<String, Value> = match value {
            Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), number(value))).collect(),
            Value::Array(items) => {
                items.iter().filter_map(|item| Some((item.get("name")?.as_str()?.to_owned(), number(item)))).collect()
            }
            _ => Map::new(),
        };
        if !numbers.is_empty() {
            arguments.insert(field.to_owned(), Value::Object(numbers));
        }
    }
    Ok(arguments)
}

/// 14, or the number of `{"score": 14, "modifier": 2}`, or of `{"name": "Hit points", "value": 9}`.
fn number(value: &Value) -> Value {
    value.get("score").or_else(|| value.get("value")).unwrap_or(value).clone()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_get_character_answers_makes_the_same_character() {
        let answer = json!({"summary": "…", "character": {
            "name": "Aria", "kind": "player", "level": 2, "xp": 0, "conditions": [], "notes": "",
            "attributes": {"Dexterity": {"score": 14, "modifier": 2}}, "skills": {"Stealth": 3},
            "tracks": [{"name": "Hit points", "value": 9, "min": 0, "max": 12}],
        }});
        let made = sheet(&answer.to_string(), &System::default()).unwrap();
        assert_eq!(
            Value::Object(made),
            json!({
                "action": "create", "name": "Aria", "kind": "player", "level": 2, "xp": 0,
                "attributes": {"Dexterity": 14}, "skills": {"Stealth": 3}, "tracks": {"Hit points": 9},
            })
        );
    }

    #[test]
    fn a_line_will_do() {
        let made = sheet("# mine\ncharacter Aria: DEX 14, Stealth +2, npc\n", &System::default()).unwrap();
        assert_eq!(
            Value::Object(made),
            json!({"action": "create", "name": "Aria", "kind": "npc", "attributes": {"DEX": 14}, "skills": {"Stealth": 2}})
        );
        for (text, why) in
            [("{\"a\"", "not JSON"), ("{}", "no name"), ("A: x", "no number"), ("A: X 1\nB: X 2", "one line")]
        {
            assert!(sheet(text, &System::default()).unwrap_err().contains(why), "{text}");
        }
    }
}
