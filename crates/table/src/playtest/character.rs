//! A character as the call that makes it: from a line, or from `get_character`'s answer as JSON.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::arguments::{self, cut};
use super::codes;
use super::read::Step;
use rollbook_rules::System;
use rollbook_text::diagnostic::{Diagnostic, Span};
use rollbook_text::names::{same, suggest};

/// `manage_character`'s arguments for JSON or `[character] Aria: DEX 14, npc`. Errors: unreadable.
pub fn sheet(text: &str, system: &System) -> Result<Map<String, Value>, String> {
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.starts_with('{') {
        return from_json(text);
    }
    let mut lines = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
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
    let read: Value =
        serde_json::from_str(text).map_err(|error| format!("this is not JSON: {error}"))?;
    let read = read
        .get("character")
        .filter(|inner| inner.is_object())
        .unwrap_or(&read);
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
        let Some(value) = read.get(field) else {
            continue;
        };
        let numbers: Map<String, Value> = match value {
            Value::Object(fields) => fields
                .iter()
                .map(|(name, value)| (name.clone(), number(value)))
                .collect(),
            Value::Array(items) => items
                .iter()
                .filter_map(|item| Some((item.get("name")?.as_str()?.to_owned(), number(item))))
                .collect(),
            _ => Map::new(),
        };
        if !numbers.is_empty() {
            arguments.insert(field.to_owned(), Value::Object(numbers));
        }
    }
    let attacks = read
        .get("attacks")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    let attacks: Vec<Value> = attacks.filter_map(attack).collect();
    if !attacks.is_empty() {
        arguments.insert("attacks".to_owned(), attacks.into());
    }
    Ok(arguments)
}

/// An attack as it is sent: `1d6 slashing` of `{"amount": "1d6", "damage_type": "slashing"}`.
fn attack(attack: &Value) -> Option<Value> {
    let mut sent = Map::new();
    for field in ["name", "skill", "bonus", "range", "effect"] {
        sent.extend(
            attack
                .get(field)
                .filter(|value| !value.is_null())
                .map(|value| (field.to_owned(), value.clone())),
        );
    }
    let word =
        |value: &Value, field: &str| value.get(field).and_then(Value::as_str).map(str::to_owned);
    let part = |part: &Value| {
        Some(
            [
                word(part, "amount")?,
                word(part, "damage_type").unwrap_or_default(),
            ]
            .join(" ")
            .trim_end()
            .to_owned(),
        )
    };
    let parts: Vec<String> = match attack.get("damage") {
        Some(Value::Array(parts)) => parts.iter().filter_map(part).collect(),
        Some(Value::String(text)) => vec![text.clone()],
        _ => Vec::new(),
    };
    if !parts.is_empty() {
        sent.insert("damage".to_owned(), parts.join(" and ").into());
    }
    let brings = attack
        .get("conditions")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str);
    let brings: Vec<String> = brings.map(|name| format!("gain {name}")).collect();
    if !brings.is_empty() && !sent.contains_key("effect") {
        sent.insert("effect".to_owned(), brings.join(", ").into());
    }
    let named = sent.contains_key("name");
    named.then_some(Value::Object(sent))
}

/// 14, or the number of `{"score": 14, "modifier": 2}`, or of `{"name": "Hit points", "value": 9}`.
fn number(value: &Value) -> Value {
    value
        .get("score")
        .or_else(|| value.get("value"))
        .unwrap_or(value)
        .clone()
}

/// `Aria: DEX 14, Lockpicking +2, level 3, npc`: the call of `manage_character` that makes her.
pub(super) fn character(text: &str, span: Span, system: &System) -> Result<Step, Box<Diagnostic>> {
    let (name, items) = text.split_once(':').unwrap_or((text, ""));
    let name = arguments::value(name);
    let name = name
        .as_str()
        .map_or_else(|| name.to_string(), str::to_owned);
    let mut sheet: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
    let mut arguments = Map::from_iter([
        ("action".to_owned(), "create".into()),
        ("name".to_owned(), name.into()),
    ]);
    let mut at = span.start + (text.len() - items.len());
    for item in parts(items) {
        let indent = item.len() - item.trim_start().len();
        let place = Span::new(span.file, at + indent..at + indent + item.trim().len());
        at += item.len() + 1;
        let mut item = item.trim();
        // The kind is an item, or comes after one: `DEX 14 npc`.
        let (before, last) = item.rsplit_once(char::is_whitespace).unwrap_or(("", item));
        if ["player", "npc", "companion"].contains(&last) {
            arguments.insert("kind".to_owned(), last.into());
            item = before.trim_end();
        }
        if item.is_empty() {
            continue;
        }
        let read = item
            .rsplit_once(char::is_whitespace)
            .and_then(|(name, number)| {
                let number = number.replace(rollbook_dice::is_minus, "-");
                Some((
                    name.trim().trim_end_matches(['=', ':']).trim(),
                    number.parse::<i64>().ok()?,
                ))
            });
        let Some((name, number)) = read else {
            let found =
                Diagnostic::error(codes::UNREADABLE, format!("`{}` has no number", cut(item)));
            let help = "a character is made of scores, bonuses and tracks: DEX 14, Lockpicking +2, Hit points 9; npc, level 3";
            return Err(Box::new(found.at(place, "cannot be read").help(help)));
        };
        if same(name, "level") {
            arguments.insert("level".to_owned(), number.into());
        } else {
            let Some(kind) = sort(name, item, system) else {
                return Err(Box::new(unknown(name, place, system)));
            };
            let numbers = sheet.entry(kind).or_default();
            numbers.insert(name.to_owned(), number.into());
        }
    }
    let sheet = sheet
        .into_iter()
        .map(|(kind, numbers)| (kind.to_owned(), numbers.into()));
    arguments.extend(sheet);
    Ok(Step::new(
        span,
        arguments::named("manage_character", span)?,
        arguments,
    ))
}

/// What is between commas; those in brackets part nothing: `Resistance (fire, cold) 1`.
fn parts(items: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    items.split(move |letter: char| {
        depth = match letter {
            '(' => depth + 1,
            ')' => depth.saturating_sub(1),
            _ => depth,
        };
        letter == ',' && depth == 0
    })
}

/// What a name is in the rules; where none is declared, a signed number is a skill's, else a score.
fn sort(name: &str, item: &str, system: &System) -> Option<&'static str> {
    if system.attribute(name).is_ok() {
        return Some("attributes");
    }
    if system.skill(name).is_ok() {
        return Some("skills");
    }
    // What damage meets is a track too: Armour 2, Resistance (fire) 1.
    let mut defences = system.defences.iter();
    if system.track(name).is_ok() || defences.any(|defence| defence.on_sheet(name).is_some()) {
        return Some("tracks");
    }
    let signed = item.contains(|sign| sign == '+' || rollbook_dice::is_minus(sign));
    match (system.attributes.is_empty(), system.skills.is_empty()) {
        (_, true) if signed => Some("skills"),
        (true, _) if !signed => Some("attributes"),
        _ => None,
    }
}

fn unknown(name: &str, place: Span, system: &System) -> Diagnostic {
    let attributes = system
        .attributes
        .iter()
        .flat_map(|attribute| std::iter::once(&attribute.name).chain(&attribute.abbr));
    let names = attributes
        .chain(system.skills.iter().map(|skill| &skill.name))
        .chain(system.tracks.iter().map(|track| &track.name));
    let names = names.chain(system.defences.iter().map(|defence| &defence.rule.name));
    let names: Vec<&str> = names.map(String::as_str).collect();
    let comma = name
        .split_whitespace()
        .nth(1)
        .is_some_and(|second| second.parse::<i64>().is_ok());
    let help = match suggest(name, names.iter().copied()).first() {
        _ if comma => "a comma stands between two of them: DEX 14, Lockpicking +2".to_owned(),
        Some(first) => format!("did you mean `{first}`?"),
        None => format!("the rules know {}", names.join(", ")),
    };
    let message = format!("no attribute, skill or track is called `{}`", cut(name));
    Diagnostic::error(codes::UNREADABLE, message)
        .at(place, "not declared")
        .help(help)
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
    fn attacks_and_armour_come_with_whoever_has_them() {
        let answer = json!({"name": "Aria", "attacks": [{"name": "Ember", "skill": "Melee", "conditions": ["prone"], "damage":
            [{"amount": "1d6 + {STR}", "damage_type": "slashing"}, {"amount": "1d4"}]}, {"name": "Fist"}]});
        let made = sheet(&answer.to_string(), &System::default()).unwrap();
        assert_eq!(
            made["attacks"],
            json!([
                {"name": "Ember", "skill": "Melee", "damage": "1d6 + {STR} slashing and 1d4", "effect": "gain prone"},
                {"name": "Fist"}
            ])
        );
        let rules = "## Attributes\n- Body\n\n## Health\n- Hit points: max 6\n- Damage: Hit points\n- Damage types: acid, cold, fire\n\
             - Armour: subtract {Armour}\n- Resistance: half\n";
        let read = rollbook_rules::read(vec![rollbook_text::diagnostic::SourceFile::new(
            "System.md",
            rules,
        )]);
        let made = sheet(
            "Guard: Body 1, Armour 2, Resistance (fire, acid) 1, Resistance (cold) 1",
            &read.system,
        )
        .unwrap();
        assert_eq!(
            made["tracks"],
            json!({"Armour": 2, "Resistance (fire, acid)": 1, "Resistance (cold)": 1})
        );
        let refused = sheet("Guard: Body 1, Fire immunity 1", &read.system).unwrap_err();
        assert!(
            refused.contains("`Fire immunity`") && refused.contains("Armour, Resistance"),
            "{refused}"
        );
    }

    #[test]
    fn a_line_will_do() {
        let made = sheet(
            "# mine\ncharacter Aria: DEX 14, Stealth +2, npc\n",
            &System::default(),
        )
        .unwrap();
        assert_eq!(
            Value::Object(made),
            json!({"action": "create", "name": "Aria", "kind": "npc", "attributes": {"DEX": 14}, "skills": {"Stealth": 2}})
        );
        for (text, why) in [
            ("{\"a\"", "not JSON"),
            ("{}", "no name"),
            ("A: x", "no number"),
            ("A: X 1\nB: X 2", "one line"),
        ] {
            assert!(
                sheet(text, &System::default()).unwrap_err().contains(why),
                "{text}"
            );
        }
    }
}
