//! Notes for the GM: everything that is no number of the rules.

use serde_json::Value;

use super::value::{challenge, number, text};
use super::{ABILITIES, Fields};
use crate::names::shortened;

/// Fields with a line each; the first of these keys that is there counts.
const LABELS: [(&[&str], &str); 8] = [
    (&["armor_desc", "armor_detail"], "Armour"),
    (&["hit_dice"], "Hit dice"),
    (&["speed"], "Speed"),
    (&["condition_immunities"], "Immune to the conditions"),
    (&["senses"], "Senses"),
    (&["languages"], "Languages"),
    (&["xp", "experience_points"], "Worth in XP"),
    (&["legendary_desc"], "Legendary actions"),
];
/// Senses that have a field of their own.
const SENSES: [(&str, &str); 5] = [
    ("blindsight_range", "blindsight"),
    ("darkvision_range", "darkvision"),
    ("tremorsense_range", "tremorsense"),
    ("truesight_range", "truesight"),
    ("passive_perception", "passive perception"),
];
/// Lists of `{name, desc}`, and the label of their entries.
const FEATURES: [(&str, &str); 6] = [
    ("special_abilities", ""),
    ("traits", ""),
    ("actions", "Action"),
    ("bonus_actions", "Bonus action"),
    ("reactions", "Reaction"),
    ("legendary_actions", "Legendary action"),
];
/// Other labels by an action's `action_type`.
const ACTION_TYPES: [(&str, &str); 4] = [
    ("BONUS_ACTION", "Bonus action"),
    ("REACTION", "Reaction"),
    ("LEGENDARY_ACTION", "Legendary action"),
    ("LAIR_ACTION", "Lair action"),
];
/// Features of one list.
const FEATURES_MAX: usize = 40;
/// Characters of one line.
const LINE_MAX: usize = 600;

/// The lines, each on one line and of bounded length.
pub fn note_lines(fields: &Fields) -> Vec<String> {
    let immunities = fields.get("resistances_and_immunities").and_then(Value::as_object);
    let value = |key: &str| fields.get(key).or_else(|| immunities.and_then(|nested| nested.get(key)));
    let value_text = |key: &str| value(key).map(text).filter(|text| !text.is_empty());
    let mut lines = Vec::new();
    let head: Vec<String> = ["size", "type", "subtype", "alignment"].into_iter().filter_map(value_text).collect();
    lines.extend((!head.is_empty()).then(|| head.join(", ")));
    let rating = fields.get("challenge_rating_text").or_else(|| fields.get("challenge_rating")).map(challenge);
    lines.extend(rating.filter(|rating| !rating.is_empty()).map(|rating| format!("Challenge: {rating}")));
    let label =
        |(keys, label): (&[&str], &str)| Some(format!("{label}: {}", keys.iter().find_map(|key| value_text(key))?));
    lines.extend(LABELS.into_iter().filter_map(label));
    let senses = SENSES.into_iter().filter_map(|(key, name)| Some(format!("{name} {}", value_text(key)?)));
    let saves = saves(fields).into_iter().map(|(own, bonus)| format!("{own} {bonus:+}"));
    for (label, all) in [("Senses", senses.collect::<Vec<_>>()), ("Saves", saves.collect())] {
        lines.extend((!all.is_empty()).then(|| format!("{label}: {}", all.join(", "))));
    }
    for (list, before) in FEATURES {
        let all = fields.get(list).and_then(Value::as_array).into_iter().flatten().take(FEATURES_MAX);
        lines.extend(all.map(|own| feature(own, before)));
    }
    lines.iter().map(|line| shortened(&line.replace('\n', " "), LINE_MAX)).collect()
}

/// `strength_save`, `saving_throws`, or a proficiency called `Saving Throw: STR`.
fn saves(fields: &Fields) -> Vec<(String, i64)> {
    let flat =
        ABILITIES.into_iter().filter_map(|own| Some((own.to_owned(), number(fields.get(&format!("{own}_save"))?)?)));
    let map = fields.get("saving_throws").and_then(Value::as_object).into_iter().flatten();
    let map = map.filter_map(|(own, bonus)| Some((own.clone(), number(bonus)?)));
    flat.chain(map).chain(proficiencies(fields, "Saving Throw: ")).take(ABILITIES.len()).collect()
}

/// The proficiencies whose names begin with `prefix`, without it.
pub fn proficiencies(fields: &Fields, prefix: &str) -> Vec<(String, i64)> {
    let all = fields.get("proficiencies").and_then(Value::as_array).into_iter().flatten();
    let named = all.filter_map(|own| {
        let name = own.pointer("/proficiency/name")?.as_str()?.strip_prefix(prefix)?;
        Some((name.to_owned(), number(own.get("value")?)?))
    });
    named.collect()
}

fn feature(own: &Value, list: &str) -> String {
    let of = |key: &str| own.get(key).and_then(Value::as_str).unwrap_or_default();
    let label = ACTION_TYPES.into_iter().find(|(kind, _)| *kind == of("action_type")).map_or(list, |(_, label)| label);
    let before = if label.is_empty() { String::new() } else { format!("{label}: ") };
    format!("{before}{}{}. {}", of("name"), usage(own), of("desc"))
}

/// The limit on its use: ` (recharge 5)`, ` (3 a day)`, ` (costs 2)`.
fn usage(own: &Value) -> String {
    let limit = own.get("usage_limits").or_else(|| own.get("usage"));
    let kind = limit.and_then(|limit| limit.get("type")).and_then(Value::as_str).unwrap_or_default().to_lowercase();
    let count = |keys: [&str; 2]| keys.into_iter().find_map(|key| limit?.get(key)?.as_i64());
    let often = match kind.replace('_', " ").as_str() {
        "recharge on roll" => count(["param", "min_value"]).map(|from| format!("recharge {from}")),
        "per day" => count(["param", "times"]).map(|times| format!("{times} a day")),
        _ => None,
    };
    let cost = own.get("legendary_action_cost").and_then(Value::as_i64).filter(|cost| *cost > 1);
    let all: Vec<String> = often.into_iter().chain(cost.map(|cost| format!("costs {cost}"))).collect();
    if all.is_empty() { String::new() } else { format!(" ({})", all.join(", ")) }
}
