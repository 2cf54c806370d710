//! What `/fight` takes.

use serde_json::{Map, Value, json};

use super::entry::{Parts, needs, number, whom};
use crate::play::names::Names;
use rollbook_text::names::same;

/// What may follow `/fight`, and the action that it is where that has another name.
const ACTIONS: &str = "start prepare=create add end next=next_turn back=previous_turn round=next_round remove delay return ready \
                       defeat revive hide reveal effect=add_effect initiative=set_initiative reroll=roll_initiative \
                       structure status";

pub(super) fn actions() -> impl Iterator<Item = (&'static str, &'static str)> {
    ACTIONS
        .split(' ')
        .map(|one| one.split_once('=').unwrap_or((one, one)))
}

pub(super) fn word_of(action: &str) -> Option<&'static str> {
    actions()
        .find(|(_, known)| *known == action)
        .map(|(word, _)| word)
}

/// `bless on Sabeth for 3 rounds`; with a minus it ends.
pub(super) fn put_effect(parts: &mut Parts<'_>) -> Result<(), String> {
    parts.take_duration();
    let on = parts.take_after(&["on"]).and_then(|on| whom(&on.join(" ")));
    parts.put("on", on);
    let name = parts.text();
    needs(!name.is_empty(), "Which effect?")?;
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
pub(super) fn newcomers(text: &str, names: &Names) -> Result<Vec<Value>, String> {
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

/// `Wrecker x2 hp 7 init 12 from Foes.md#Wrecker hidden`; `Foes.md#Wrecker x2` is the same block.
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
