//! A character in one line, as the call that makes it.

use serde_json::{Map, Value};

use super::arguments::{self, cut};
use super::codes;
use super::script::Step;
use crate::diagnostic::{Diagnostic, Span};
use crate::names::{same, suggest};
use crate::rules::System;

/// `Aria: DEX 14, Lockpicking +2, level 3, npc`: the call of `manage_character` that makes her.
pub(super) fn character(text: &str, span: Span, system: &System) -> Result<Step, Box<Diagnostic>> {
    let (name, items) = text.split_once(':').unwrap_or((text, ""));
    let name = arguments::value(name);
    let name = name.as_str().map_or_else(|| name.to_string(), str::to_owned);
    let mut sheet: [Map<String, Value>; 3] = Default::default();
    let mut arguments = Map::from_iter([("action".to_owned(), "create".into()), ("name".to_owned(), name.into())]);
    let mut at = span.start + (text.len() - items.len());
    for item in items.split(',') {
        let indent = item.len() - item.trim_start().len();
        let place = Span::new(span.file, at + indent..at + indent + item.trim().len());
        at += item.len() + 1;
        let item = item.trim();
        if ["player", "npc", "companion"].contains(&item) {
            arguments.insert("kind".to_owned(), item.into());
            continue;
        }
        if item.is_empty() {
            continue;
        }
        let read = item.rsplit_once(char::is_whitespace).and_then(|(name, number)| {
            let number = number.replace(['−', '–'], "-");
            Some((name.trim().trim_end_matches(['=', ':']).trim(), number.parse::<i64>().ok()?))
        });
        let Some((name, number)) = read else {
            let found = Diagnostic::error(codes::UNREADABLE, format!("`{}` has no number", cut(item)));
            let help =
                "a character is made of scores, bonuses and tracks: DEX 14, Lockpicking +2, Hit points 9; npc, level 3";
            return Err(Box::new(found.at(place, "cannot be read").help(help)));
        };
        if same(name, "level") {
            arguments.insert("level".to_owned(), number.into());
        } else {
            let [attributes, skills, tracks] = &mut sheet;
            let kind = match sort(name, item, system) {
                Some(Sort::Attribute) => attributes,
                Some(Sort::Skill) => skills,
                Some(Sort::Track) => tracks,
                None => return Err(Box::new(unknown(name, place, system))),
            };
            kind.insert(name.to_owned(), number.into());
        }
    }
    for (key, map) in ["attributes", "skills", "tracks"].into_iter().zip(sheet) {
        if !map.is_empty() {
            arguments.insert(key.to_owned(), Value::Object(map));
        }
    }
    Ok(Step::new(span, arguments::named("manage_character", span)?, arguments))
}

enum Sort {
    Attribute,
    Skill,
    Track,
}

/// What a name is in these rules; where they declare none of a kind, a signed number is a skill's and another a score.
fn sort(name: &str, item: &str, system: &System) -> Option<Sort> {
    if system.attribute(name).is_ok() {
        return Some(Sort::Attribute);
    }
    if system.skill(name).is_ok() {
        return Some(Sort::Skill);
    }
    if system.track(name).is_ok() {
        return Some(Sort::Track);
    }
    let signed = item.contains(['+', '-', '−', '–']);
    match (system.attributes.is_empty(), system.skills.is_empty()) {
        (_, true) if signed => Some(Sort::Skill),
        (true, _) if !signed => Some(Sort::Attribute),
        _ => None,
    }
}

fn unknown(name: &str, place: Span, system: &System) -> Diagnostic {
    let attributes = system.attributes.iter().flat_map(|own| std::iter::once(&own.name).chain(&own.abbr));
    let names =
        attributes.chain(system.skills.iter().map(|own| &own.name)).chain(system.tracks.iter().map(|own| &own.name));
    let names: Vec<&str> = names.map(String::as_str).collect();
    let comma = name.split_whitespace().nth(1).is_some_and(|second| second.parse::<i64>().is_ok());
    let help = match suggest(name, names.iter().copied()).first() {
        _ if comma => "a comma stands between two of them: DEX 14, Lockpicking +2".to_owned(),
        Some(first) => format!("did you mean `{first}`?"),
        None => format!("the rules know {}", names.join(", ")),
    };
    let message = format!("no attribute, skill or track is called `{}`", cut(name));
    Diagnostic::error(codes::UNREADABLE, message).at(place, "not declared").help(help)
}
