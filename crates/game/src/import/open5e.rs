//! Foes of the open 5e data sets (both versions of Open5e, and 5e-bits) as lines of a block, one
//! for each field, so that each is read, kept as a note or asked about like a line of any block.

use super::stat_block::{Label, Labels, read_section};
use super::{attack::is_printed, foe::Foe, foreign::words};
use rollbook_rules::System;
use rollbook_text::names::fold;
use serde_json::{Map, Value};
use std::iter::once;

type Fields = Map<String, Value>;

/// Fields about the file and not about the creature, and the unit, which is feet in all of them; so
/// are those that begin with `document`.
const ABOUT_FILE: &str = "slug key index url image img_main illustration page_no created_at updated_at unit \
                          v2_converted_path creaturesets order_in_statblock distance_unit option_set_type";
/// Bytes of a feature's text that its other fields are compared with.
const TEXT_MAX: usize = 2000;

/// Whether it has what every monster of these data sets has.
pub fn is_foe(fields: &Fields) -> bool {
    fields.get("name").is_some_and(Value::is_string)
        && fields.get("hit_points").is_some_and(|hp| !hp.is_null())
}

/// Reads a foe.
pub fn read(fields: &Fields, system: &System) -> Foe {
    let labels = Labels::of(system);
    let mut lines = Vec::new();
    add_lines(&labels, fields, &mut lines);
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let name = fields.get("name").map(text).unwrap_or_default();
    read_section(&name, &lines, &labels).0
}

fn add_lines(labels: &Labels, fields: &Fields, lines: &mut Vec<String>) {
    let mut all: Vec<_> = fields.iter().filter(|(key, _)| *key != "name").collect();
    // Features are after the numbers.
    all.sort_by_key(|(_, value)| value.is_array());
    for (key, value) in all {
        let name = words(key.strip_suffix("_display").unwrap_or(key));
        let label = labels.get(&name);
        let is_open = matches!(label, None | Some(Label::Attacks));
        // The words of a defence have its exceptions; `skill_bonuses_all` has what follows from it.
        let display = fields.get(&format!("{key}_display")).map(text);
        let in_words = display.is_some_and(|words| !words.is_empty())
            && matches!(label, Some(Label::Defence(_) | Label::Words));
        let base = key.strip_suffix("_all");
        match value {
            _ if is_about_file(key) || in_words => {}
            _ if base.is_some_and(|base| fields.contains_key(base)) => {}
            Value::Array(all) if is_open && all.iter().any(is_feature) => {
                let features = all.iter().map(|one| feature(&name, one));
                lines.push(name.clone());
                lines.extend(features.filter(|line| !line.is_empty()));
            }
            Value::Array(all) if key == "proficiencies" => {
                lines.extend(all.iter().map(proficiency));
            }
            // Names of scores may be of anything there: `modifiers`.
            Value::Object(inner)
                if is_open && inner.keys().any(|key| says_itself(labels.get(&words(key)))) =>
            {
                add_lines(labels, inner, lines);
            }
            Value::Bool(true) => lines.push(name),
            _ => {
                let value = text(value);
                let line = match label {
                    Some(Label::Skill) => format!("**Skills** {name} {value}"),
                    _ => format!("**{name}** {value}"),
                };
                lines.extend((!value.is_empty()).then_some(line));
            }
        }
    }
}

/// Whether a label means the same wherever it is.
fn says_itself(label: Option<Label>) -> bool {
    !matches!(
        label,
        None | Some(Label::Name | Label::Attribute | Label::Skill | Label::Column)
    )
}

/// Whether it has more than a name.
fn is_feature(value: &Value) -> bool {
    let is_more = |key: &String| key == "desc" || !is_aside(key);
    let more = |fields: &Fields| fields.contains_key("name") && fields.keys().any(is_more);
    value.as_object().is_some_and(more)
}

fn is_aside(key: &str) -> bool {
    ["name", "desc"].contains(&key) || is_about_file(key)
}

fn is_about_file(key: &str) -> bool {
    key.starts_with("document") || ABOUT_FILE.split(' ').any(|known| known == key)
}

/// `{"value": 4, "proficiency": {"name": "Skill: Stealth"}}`
fn proficiency(value: &Value) -> String {
    let name = value.pointer("/proficiency/name").map(text);
    let number = value.get("value").map(text).unwrap_or_default();
    match name
        .as_deref()
        .map(|name| (name.strip_prefix("Skill: "), name))
    {
        Some((Some(skill), _)) => format!("**Skills** {skill} {number}"),
        Some((None, name)) => format!("{name} {number}"),
        None => text(value),
    }
}

/// A value in words, on one line. Nothing is said of what is empty, an address, or about the file.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) if text.starts_with("http") || text.starts_with("/api/") => {
            String::new()
        }
        Value::String(text) if text.contains('_') && !text.contains(' ') => {
            text.replace('_', " ").to_lowercase()
        }
        Value::String(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
        Value::Number(number) => {
            let text = number.to_string();
            text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
        }
        Value::Array(all) => {
            let all: Vec<String> = all.iter().map(text).filter(|one| !one.is_empty()).collect();
            let has_words = all.iter().any(|one| one.contains(' '));
            all.join(if has_words { "; " } else { ", " })
        }
        Value::Object(fields) => {
            let of = |key: &str| fields.get(key).map(text).filter(|text| !text.is_empty());
            if let Some(whole) = of("as_string") {
                return whole;
            }
            let is_main = |key: &&str| of(key).is_some();
            let main = ["name", "value", "average"].into_iter().find(is_main);
            let max = of("max").filter(|_| main == Some("value"));
            let is_other = |key: &str| {
                Some(key) != main && !(key == "max" && max.is_some()) && !is_about_file(key)
            };
            let others = fields.iter().filter(|(key, _)| is_other(key));
            let others = others.filter_map(|(key, value)| labelled(key, value));
            let others = others.collect::<Vec<_>>().join(", ");
            let of_max = max.as_ref().map_or(String::new(), |max| format!("/{max}"));
            match main.and_then(of) {
                Some(main) if others.is_empty() => main + &of_max,
                Some(main) => format!("{main}{of_max} ({others})"),
                None => others,
            }
        }
        Value::Null | Value::Bool(_) => String::new(),
    }
}

fn labelled(key: &str, value: &Value) -> Option<String> {
    let name = key.replace('_', " ");
    match value {
        Value::Bool(true) => Some(name),
        _ => Some(text(value))
            .filter(|text| !text.is_empty())
            .map(|text| format!("{name} {text}")),
    }
}

/// `**Bite.** +4 to hit. Hit: 1d6+2 piercing. It holds on. usage per day, times 3`: before its text
/// its roll and after it the other fields, as far as the text does not say them.
fn feature(list: &str, value: &Value) -> String {
    let Value::Object(fields) = value else {
        return text(value);
    };
    let of = |key: &str| fields.get(key).map(text).filter(|text| !text.is_empty());
    let (name, desc) = (
        of("name").unwrap_or_default(),
        of("desc").unwrap_or_default(),
    );
    let mut all: Vec<String> = Vec::new();
    all.extend(roll(fields).filter(|_| !is_printed(&desc)));
    all.extend(Some(desc).filter(|desc| !desc.is_empty()));
    let bare = |text: &str| fold(text).replace(' ', "");
    let known = format!("{list} {name} {}", all.join(" "));
    let known = bare(
        known
            .get(..known.floor_char_boundary(TEXT_MAX))
            .unwrap_or_default(),
    );
    let is_known = |key: &str, leaf: &str| {
        let mut numbers = known.split(|letter: char| !letter.is_ascii_digit());
        match leaf.bytes().all(|byte| byte.is_ascii_digit()) {
            true => is_of_attack(key) && numbers.any(|number| number == leaf),
            false => leaf == "none" || known.contains(&bare(leaf)),
        }
    };
    let mut more = Vec::new();
    add_leaves(fields, &mut |key, value| {
        more.extend(labelled(key, value).filter(|_| !is_known(key, &text(value))));
    });
    all.extend((!more.is_empty()).then(|| more.join(", ")));
    let end = |text: &String| {
        if text.ends_with(['.', '!', '?']) {
            text.clone()
        } else {
            format!("{text}.")
        }
    };
    match all.is_empty() {
        true => name,
        false => format!(
            "**{name}.** {}",
            all.iter().map(end).collect::<Vec<_>>().join(" ")
        ),
    }
}

/// Whether its number is in the text of an attack, too.
fn is_of_attack(key: &str) -> bool {
    let words = ["damage", "bonus", "hit", "reach", "range", "dc"];
    key.split('_').any(|word| words.contains(&word))
}

/// The values in a feature beside its name and text.
fn add_leaves(fields: &Fields, add: &mut dyn FnMut(&str, &Value)) {
    for (key, value) in fields.iter().filter(|(key, _)| !is_aside(key)) {
        let values = value
            .as_array()
            .map_or(std::slice::from_ref(value), Vec::as_slice);
        for value in values {
            match value
                .as_object()
                .filter(|inner| !inner.keys().all(|key| is_aside(key)))
            {
                Some(inner) => add_leaves(inner, add),
                None => add(key, value),
            }
        }
    }
}

/// `+4 to hit. Hit: 1d6+2 slashing plus 1d4 fire`, of the three formats' fields for it.
fn roll(feature: &Fields) -> Option<String> {
    let objects = |key: &str| {
        feature
            .get(key)?
            .as_array()
            .map(|all| all.iter().filter_map(Value::as_object))
    };
    let attacks: Vec<&Fields> = objects("attacks").into_iter().flatten().collect();
    let bonus = |fields: &Fields| {
        fields
            .get("attack_bonus")
            .or(fields.get("to_hit_mod"))?
            .as_i64()
    };
    let bonus = once(feature)
        .chain(attacks.first().copied())
        .find_map(bonus);
    let bonus = bonus.filter(|bonus| *bonus != 0)?;
    let all = once(feature)
        .chain(attacks)
        .chain(objects("damage").into_iter().flatten());
    let parts = all
        .flat_map(|fields| [damage(fields, ""), damage(fields, "extra_")])
        .flatten();
    let parts: Vec<String> = parts.collect();
    let hit = if parts.is_empty() { "" } else { ". Hit: " };
    Some(format!("{bonus:+} to hit{hit}{}", parts.join(" plus ")))
}

fn damage(fields: &Fields, which: &str) -> Option<String> {
    let of = |key: &str| {
        fields
            .get(&format!("{which}damage_{key}"))
            .map(text)
            .filter(|text| !text.is_empty())
    };
    let dice = of("dice").or_else(|| Some(of("die_count")? + &of("die_type")?.to_lowercase()))?;
    let bonus = of("bonus")
        .filter(|bonus| bonus != "0")
        .map_or(String::new(), |bonus| format!("+{bonus}"));
    let kind = of("type").unwrap_or_default().to_lowercase();
    Some(
        format!("{dice}{bonus} {kind}")
            .replace("+-", "-")
            .trim_end()
            .to_owned(),
    )
}
