//! Foes of the open 5e data sets. Three formats are read: the flat one of Open5e's first version (`"armor_class": 15`,
//! `"stealth": 6`), that of its second (`ability_scores`, `skill_bonuses`, objects with a `name`), and that of the 5e-bits
//! database (`"armor_class": [{"value": 15}]`, `proficiencies`).

mod value;
mod words;

use serde_json::{Map, Value};

use crate::game::import::foe::Foe;
use crate::game::mechanics::defence::Defence;
use crate::game::refusal::{Code, Refusal};
use crate::names::{quoted, same, shortened};
use value::{number, text};
use words::{note_lines, proficiencies};

type Fields = Map<String, Value>;

const ABILITIES: [&str; 6] = ["strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"];
/// The skills of 5e, as fields of the flat format.
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
/// Fields with a map of skill bonuses.
const SKILL_MAPS: [&str; 2] = ["skills", "skill_bonuses"];

/// Reads a foe.
///
/// # Errors
/// `invalid_document` without a name or hit points.
pub fn read(fields: &Fields) -> Result<Foe, Refusal> {
    let (Some(name), Some(points)) = (fields.get("name").and_then(Value::as_str), fields.get("hit_points")) else {
        let summary = "This JSON is neither a character of Rollbook (rollbook_character) nor a monster of an open 5e data set (name and \
                       hit_points). action=\"export\" shows the first.";
        return Err(Refusal::new(Code::InvalidDocument, summary));
    };
    let Some(hp) = number(points).filter(|hp| *hp > 0) else {
        let summary = format!(
            "hit_points of \"{}\" is {}; it takes a whole number from 1, such as 59 or \"59 (7d8+28)\".",
            quoted(name),
            shortened(&points.to_string(), 60)
        );
        return Err(Refusal::new(Code::InvalidDocument, summary));
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
    foe.words = note_lines(fields);
    Ok(foe)
}

fn skills(fields: &Fields) -> Vec<(String, i64)> {
    let listed = SKILL_MAPS.into_iter().filter_map(|map| fields.get(map)?.as_object()).flatten();
    let flat = SKILLS.into_iter().filter_map(|skill| Some((skill, fields.get(skill)?)));
    let named = listed.map(|(skill, bonus)| (skill.as_str(), bonus)).chain(flat);
    let mut all: Vec<(String, i64)> =
        named.filter_map(|(skill, bonus)| Some((skill.replace('_', " "), number(bonus)?))).collect();
    all.extend(proficiencies(fields, "Skill: "));
    all.sort();
    all.dedup_by(|a, b| same(&a.0, &b.0));
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
