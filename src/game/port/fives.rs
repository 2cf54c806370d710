//! Foes as the open 5e data sets write them. Three shapes are read: the flat one of Open5e's first version (`"armor_class": 15`,
//! `"stealth": 6`), that of its second (`ability_scores`, `skill_bonuses`, objects with a `name`), and that of the 5e-bits
//! database (`"armor_class": [{"value": 15}]`, `proficiencies`).

use serde_json::{Map, Value};

use super::foe::{Defence, Foe};
use crate::game::refusal::Refusal;
use crate::names::{fold, shortened};

type Fields = Map<String, Value>;

const ABILITIES: [&str; 6] = ["strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"];
/// The skills of that game, as the flat shape names its fields.
const SKILLS: [&str; 18] = [
    "acrobatics",
    "animal_handling",
    "arcana",
    "athletics",
    "deception",
    "history",
    "insight",
    "intimidation",
    "investigation",
    "medicine",
    "nature",
    "perception",
    "performance",
    "persuasion",
    "religion",
    "sleight_of_hand",
    "stealth",
    "survival",
];
/// Where bonuses of skills may stand together.
const SKILL_MAPS: [&str; 2] = ["skills", "skill_bonuses"];
/// Lists of `{name, desc}`, and what stands before each.
const FEATURES: [(&str, &str); 6] = [
    ("special_abilities", ""),
    ("traits", ""),
    ("actions", "Action: "),
    ("bonus_actions", "Bonus action: "),
    ("reactions", "Reaction: "),
    ("legendary_actions", "Legendary action: "),
];
/// Features of one list that are kept.
const FEATURES_MAX: usize = 40;
/// Characters of one line.
const LINE_MAX: usize = 600;

/// Reads a foe.
///
/// # Errors
/// `invalid_document` without a name or hit points: then it is something else.
pub fn read(fields: &Fields) -> Result<Foe, Refusal> {
    let name = fields.get("name").and_then(Value::as_str);
    let hp = fields.get("hit_points").and_then(number);
    let (Some(name), Some(hp)) = (name, hp) else {
        let summary = "This JSON is neither a character of Rollbook (rollbook_character) nor a monster of an open 5e data set (name and \
                       hit_points). action=\"export\" shows the first.";
        return Err(Refusal::new("invalid_document", summary));
    };
    let mut foe = Foe {
        name: name.to_owned(),
        hp: Some(hp),
        armour: fields.get("armor_class").and_then(number),
        ..Foe::default()
    };
    let nested = fields.get("ability_scores").and_then(Value::as_object);
    for ability in ABILITIES {
        let score = nested.and_then(|scores| scores.get(ability)).or_else(|| fields.get(ability)).and_then(number);
        foe.scores.extend(score.map(|score| (ability.to_owned(), score)));
    }
    foe.totals = skills(fields);
    foe.defences = defences(fields);
    foe.words = words(fields);
    Ok(foe)
}

fn skills(fields: &Fields) -> Vec<(String, i64)> {
    let listed = SKILL_MAPS.into_iter().filter_map(|map| fields.get(map)?.as_object()).flatten();
    let flat = SKILLS.into_iter().filter_map(|skill| Some((skill, fields.get(skill)?)));
    let named = listed.map(|(skill, bonus)| (skill.as_str(), bonus)).chain(flat);
    let mut all: Vec<(String, i64)> =
        named.filter_map(|(skill, bonus)| Some((skill.replace('_', " "), number(bonus)?))).collect();
    for own in fields.get("proficiencies").and_then(Value::as_array).into_iter().flatten() {
        let name =
            own.pointer("/proficiency/name").and_then(Value::as_str).and_then(|name| name.strip_prefix("Skill: "));
        all.extend(name.zip(own.get("value").and_then(number)).map(|(name, bonus)| (name.to_owned(), bonus)));
    }
    all.sort();
    all.dedup_by(|a, b| fold(&a.0) == fold(&b.0));
    all.truncate(SKILLS.len());
    all
}

fn defences(fields: &Fields) -> Vec<(Defence, String)> {
    let nested = fields.get("resistances_and_immunities").and_then(Value::as_object);
    let all = [
        ("damage_vulnerabilities", Defence::Vulnerable),
        ("damage_resistances", Defence::Resistant),
        ("damage_immunities", Defence::Immune),
    ];
    let found = |key: &str| nested.and_then(|nested| nested.get(key)).or_else(|| fields.get(key)).map(text);
    all.into_iter()
        .filter_map(|(key, defence)| Some((defence, found(key)?)))
        .filter(|(_, types)| !types.is_empty())
        .collect()
}

fn words(fields: &Fields) -> Vec<String> {
    let said = |key: &str| fields.get(key).map(text).filter(|text| !text.is_empty());
    let mut lines = Vec::new();
    let head: Vec<String> = ["size", "type", "subtype", "alignment"].into_iter().filter_map(said).collect();
    lines.extend((!head.is_empty()).then(|| head.join(", ")));
    let labels = [
        ("armor_desc", "Armour"),
        ("armor_detail", "Armour"),
        ("hit_dice", "Hit dice"),
        ("speed", "Speed"),
        ("condition_immunities", "Immune to the conditions"),
        ("senses", "Senses"),
        ("languages", "Languages"),
        ("challenge_rating", "Challenge"),
        ("challenge_rating_text", "Challenge"),
        ("xp", "Worth in XP"),
        ("experience_points", "Worth in XP"),
    ];
    lines.extend(labels.into_iter().filter_map(|(key, label)| Some(format!("{label}: {}", said(key)?))));
    let saves = ABILITIES.into_iter().filter_map(|own| Some((own, number(fields.get(&format!("{own}_save"))?)?)));
    let saves: Vec<String> = saves.map(|(own, bonus)| format!("{own} {bonus:+}")).collect();
    lines.extend((!saves.is_empty()).then(|| format!("Saves: {}", saves.join(", "))));
    for (list, before) in FEATURES {
        let all = fields.get(list).and_then(Value::as_array).into_iter().flatten().take(FEATURES_MAX);
        for own in all {
            let of = |key: &str| own.get(key).and_then(Value::as_str).unwrap_or_default();
            lines.push(format!("{before}{}. {}", of("name"), of("desc")));
        }
    }
    lines.iter().map(|line| shortened(&line.replace('\n', " "), LINE_MAX)).collect()
}

/// A number as any of the shapes gives it: `15`, `"15"`, `[{"value": 15}]`.
fn number(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64(),
        Value::String(text) => text.trim().parse().ok(),
        Value::Array(all) => all.first().and_then(number),
        Value::Object(fields) => fields.get("value").and_then(Value::as_i64),
        Value::Null | Value::Bool(_) => None,
    }
}

/// A text as any of the shapes gives it: text, a list of texts, objects with a name, an object of labels.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Array(all) => all.iter().map(text).filter(|text| !text.is_empty()).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => match fields.get("name").or_else(|| fields.get("as_string")) {
            Some(name) => name.as_str().unwrap_or_default().to_owned(),
            None => {
                let pairs = fields.iter().map(|(label, value)| (label.replace('_', " "), plain(value)));
                let pairs = pairs.filter(|(_, value)| !value.is_empty());
                pairs.map(|(label, value)| format!("{label} {value}")).collect::<Vec<_>>().join(", ")
            }
        },
        Value::Null | Value::Bool(_) => String::new(),
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    }
}
