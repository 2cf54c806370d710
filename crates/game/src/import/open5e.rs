//! Foes of the open 5e data sets. Three formats are read: the flat one of Open5e's first version
//! (`"armor_class": 15`, `"stealth": 6`), that of its second (`ability_scores`, `skill_bonuses`,
//! objects with a `name`), and that of the 5e-bits database (`"armor_class": [{"value": 15}]`,
//! `proficiencies`).

use super::question::{Part, Question};
use super::{attack, damage_types, foe::Foe, stat_block::whole_number_in};
use crate::mechanics::health::Defence;
use crate::refusal::{Code, Refusal};
use rollbook_rules::System;
use rollbook_text::names::{quoted, same, shortened};
use serde_json::{Map, Value};

type Fields = Map<String, Value>;

const ABILITIES: [&str; 6] = [
    "strength",
    "dexterity",
    "constitution",
    "intelligence",
    "wisdom",
    "charisma",
];
/// The skills of 5e, as fields of the flat format.
const SKILLS: &str = "acrobatics animal_handling arcana athletics deception history insight intimidation investigation \
                      medicine nature perception performance persuasion religion sleight_of_hand stealth survival";
/// Skills of one foe.
const SKILLS_MAX: usize = 18;

/// Whether it has what every monster of these data sets has.
pub fn is_foe(fields: &Fields) -> bool {
    fields.get("name").is_some_and(Value::is_string) && fields.contains_key("hit_points")
}

/// Reads a foe. Refused: `invalid_document` without a name or hit points.
pub fn read(fields: &Fields, system: &System) -> Result<Foe, Refusal> {
    let name = fields.get("name").map(text).unwrap_or_default();
    let points = fields.get("hit_points").unwrap_or(&Value::Null);
    let Some(hp) = number(points).filter(|hp| *hp > 0) else {
        let (name, points) = (quoted(&name), shortened(&points.to_string(), 60));
        let summary = format!(
            "hit_points of \"{name}\" is {points}; it takes a whole number from 1, such as 59 or \"59 (7d8+28)\"."
        );
        return Err(Refusal::new(Code::InvalidDocument, summary));
    };
    let mut foe = Foe {
        name,
        hp: Some(hp),
        ..Foe::default()
    };
    foe.armour = number_or_ask(
        &mut foe,
        Part::Armour,
        "armor_class",
        fields.get("armor_class"),
    );
    let nested = fields.get("ability_scores").and_then(Value::as_object);
    for ability in ABILITIES {
        let score = nested
            .and_then(|scores| scores.get(ability))
            .or_else(|| fields.get(ability));
        let score = number_or_ask(&mut foe, Part::Scores, ability, score);
        foe.scores
            .extend(score.map(|score| (ability.to_owned(), score)));
    }
    foe.totals = skills(fields);
    for (key, defence) in DEFENCES {
        let Some(text) = text_at(fields, key) else {
            continue;
        };
        match damage_types::read(system, &text) {
            Some(types) => foe
                .defences
                .extend(types.into_iter().map(|types| (defence, types))),
            None => ask(&mut foe, Part::Defences, key, &text),
        }
    }
    foe.worth = WORTH.iter().find_map(|key| number(fields.get(*key)?));
    foe.words = note_lines(fields);
    for (list, label) in FEATURES {
        for feature in fields
            .get(list)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .take(FEATURES_MAX)
        {
            let name = format!("{}{}", text_of(feature, "name"), usage(feature));
            if !read_attack(&mut foe, system, feature, &name) {
                let kind = text_of(feature, "action_type");
                let label = ACTION_TYPES
                    .into_iter()
                    .find(|(name, _)| *name == kind)
                    .map_or(label, |(_, label)| label);
                let before = if label.is_empty() {
                    String::new()
                } else {
                    format!("{label}: ")
                };
                foe.words.push(note(&format!(
                    "{before}{name}. {}",
                    text_of(feature, "desc")
                )));
            }
        }
    }
    Ok(foe)
}

/// The number of a field; asked about where it is there and none.
fn number_or_ask(foe: &mut Foe, part: Part, key: &str, value: Option<&Value>) -> Option<i64> {
    let value = value.filter(|value| !value.is_null())?;
    let number = number(value);
    if number.is_none() {
        ask(foe, part, key, &value.to_string());
    }
    number
}

fn ask(foe: &mut Foe, part: Part, key: &str, text: &str) {
    let line = note(&format!("{key}: {text}"));
    let question = Question {
        part,
        line: line.clone(),
        why: format!("what stands in `{key}` cannot be read"),
        form: "- Armour: 12".to_owned(),
        name: key.to_owned(),
        number: 0,
    };
    foe.ask(question, line);
}

/// The text of a field, or of one of those of the second format about what does less damage.
fn text_at(fields: &Fields, key: &str) -> Option<String> {
    let nested = fields
        .get("resistances_and_immunities")
        .and_then(|nested| nested.as_object()?.get(key));
    [nested, fields.get(key)]
        .into_iter()
        .flatten()
        .map(text)
        .find(|text| !text.is_empty())
}

fn skills(fields: &Fields) -> Vec<(String, i64)> {
    let listed = ["skills", "skill_bonuses"]
        .into_iter()
        .filter_map(|map| fields.get(map)?.as_object())
        .flatten();
    let flat = SKILLS
        .split_whitespace()
        .filter_map(|skill| Some((skill, fields.get(skill)?)));
    let named = listed
        .map(|(skill, bonus)| (skill.as_str(), bonus))
        .chain(flat);
    let named = named.filter_map(|(skill, bonus)| Some((skill.replace('_', " "), number(bonus)?)));
    let mut all: Vec<(String, i64)> = named.chain(proficiencies(fields, "Skill: ")).collect();
    all.sort();
    all.dedup_by(|a, b| same(&a.0, &b.0));
    all.truncate(SKILLS_MAX);
    all
}

/// A number: `15`, `"15"`, `"59 (7d8+28)"`, `[{"value": 15}]`, `{"average": 22}`.
fn number(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64(),
        Value::String(text) => whole_number_in(text),
        Value::Array(all) => all.first().and_then(number),
        Value::Object(fields) => fields
            .get("value")
            .or_else(|| fields.get("average"))
            .and_then(Value::as_i64),
        Value::Null | Value::Bool(_) => None,
    }
}

/// A text: text, a list of texts, objects with a name, of labels (`{"walk": 30, "hover": true}`).
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Array(all) => all
            .iter()
            .map(text)
            .filter(|text| !text.is_empty())
            .collect::<Vec<_>>()
            .join(", "),
        Value::Object(fields) => match fields.get("name").or_else(|| fields.get("as_string")) {
            Some(name) => name.as_str().unwrap_or_default().to_owned(),
            None => fields
                .iter()
                .filter_map(|(label, value)| labelled(label, value))
                .collect::<Vec<_>>()
                .join(", "),
        },
        Value::Null | Value::Bool(_) => String::new(),
    }
}

fn labelled(label: &str, value: &Value) -> Option<String> {
    let name = label.replace('_', " ");
    match value {
        // The unit is always feet.
        _ if label == "unit" => None,
        Value::String(text) if !text.is_empty() => Some(format!("{name} {text}")),
        Value::Number(number) => Some(format!("{name} {number}")),
        Value::Bool(true) => Some(name),
        _ => None,
    }
}

/// A challenge rating as it is printed: `0.25` is `1/4`, `"17.000"` is `17`.
fn challenge(value: &Value) -> String {
    let text = text(value);
    match text.parse::<f64>() {
        Ok(0.125) => "1/8".to_owned(),
        Ok(0.25) => "1/4".to_owned(),
        Ok(0.5) => "1/2".to_owned(),
        Ok(rating) if rating.fract() == 0.0 => format!("{rating:.0}"),
        _ => text,
    }
}

const DEFENCES: [(&str, Defence); 3] = [
    ("damage_vulnerabilities", Defence::Vulnerable),
    ("damage_resistances", Defence::Resistant),
    ("damage_immunities", Defence::Immune),
];
const WORTH: &[&str] = &["xp", "experience_points"];
/// Fields with a line each; the first of these keys that is there counts.
const LABELS: [(&[&str], &str); 8] = [
    (&["armor_desc", "armor_detail"], "Armour"),
    (&["hit_dice"], "Hit dice"),
    (&["speed"], "Speed"),
    (&["condition_immunities"], "Immune to the conditions"),
    (&["senses"], "Senses"),
    (&["languages"], "Languages"),
    (WORTH, "Worth in XP"),
    (&["legendary_desc"], "Legendary actions"),
];
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
const FEATURES_MAX: usize = 40;
/// Characters of one line.
const LINE_MAX: usize = 600;

fn note_lines(fields: &Fields) -> Vec<String> {
    let value_text = |key: &str| text_at(fields, key);
    let head: Vec<String> = ["size", "type", "subtype", "alignment"]
        .into_iter()
        .filter_map(value_text)
        .collect();
    let rating = fields
        .get("challenge_rating_text")
        .or_else(|| fields.get("challenge_rating"))
        .map(challenge);
    let senses: Vec<String> = SENSES
        .into_iter()
        .filter_map(|(key, name)| Some(format!("{name} {}", value_text(key)?)))
        .collect();
    let saves: Vec<String> = saves(fields)
        .into_iter()
        .map(|(name, bonus)| format!("{name} {bonus:+}"))
        .collect();
    let mut lines = vec![head.join(", ")];
    lines.extend(
        rating
            .filter(|rating| !rating.is_empty())
            .map(|rating| format!("Challenge: {rating}")),
    );
    lines.extend(LABELS.into_iter().filter_map(|(keys, label)| {
        Some(format!(
            "{label}: {}",
            keys.iter().find_map(|key| value_text(key))?
        ))
    }));
    lines.extend((!senses.is_empty()).then(|| format!("Senses: {}", senses.join(", "))));
    lines.extend((!saves.is_empty()).then(|| format!("Saves: {}", saves.join(", "))));
    lines
        .iter()
        .filter(|line| !line.is_empty())
        .map(|line| note(line))
        .collect()
}

fn note(line: &str) -> String {
    shortened(&line.replace('\n', " "), LINE_MAX)
}

fn text_of<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Reads a feature as an attack: by its text, else its numbers. `false`: it is none, or too long.
fn read_attack(foe: &mut Foe, system: &System, feature: &Value, name: &str) -> bool {
    let text = text_of(feature, "desc").replace('\n', " ");
    let mut read = |text: &str| attack::read_line(foe, system, name, text);
    let is_read =
        read(&text) || numbers(feature).is_some_and(|numbers| read(&format!("{numbers}. {text}")));
    let effect = foe.attacks.last().and_then(|attack| attack.effect.as_ref());
    is_read && !effect.is_some_and(|effect| effect.ends_with('…'))
}

/// `+4 to hit. Hit: 1d6+2 slashing plus 1d4 fire`, of the three formats' fields for it.
fn numbers(feature: &Value) -> Option<String> {
    let v2 = feature.pointer("/attacks/0");
    let bonus = feature
        .get("attack_bonus")
        .or_else(|| v2?.get("to_hit_mod"))
        .and_then(Value::as_i64)?;
    let part = |dice: &str, bonus: Option<i64>, kind: Option<&Value>| {
        let bonus = bonus
            .filter(|bonus| *bonus != 0)
            .map_or(String::new(), |bonus| format!("{bonus:+}"));
        format!(
            "{dice}{bonus} {}",
            kind.map(text).unwrap_or_default().to_lowercase()
        )
    };
    let flat = feature.get("damage_dice").and_then(Value::as_str);
    let flat = flat.map(|dice| {
        part(
            dice,
            feature.get("damage_bonus").and_then(Value::as_i64),
            None,
        )
    });
    let bits = feature
        .get("damage")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    let bits = bits.filter_map(|bit| {
        Some(part(
            bit.get("damage_dice")?.as_str()?,
            None,
            bit.get("damage_type"),
        ))
    });
    let of_v2 = |prefix: &str| {
        let get = |key: &str| v2?.get(format!("{prefix}{key}"));
        let dice = format!(
            "{}{}",
            get("damage_die_count")?.as_i64()?,
            get("damage_die_type")?.as_str()?.to_lowercase()
        );
        Some(part(
            &dice,
            get("damage_bonus").and_then(Value::as_i64),
            get("damage_type"),
        ))
    };
    let parts: Vec<String> = flat
        .into_iter()
        .chain(bits)
        .chain(of_v2(""))
        .chain(of_v2("extra_"))
        .collect();
    (!parts.is_empty()).then(|| format!("{bonus:+} to hit. Hit: {}", parts.join(" plus ")))
}

/// `strength_save`, `saving_throws`, or a proficiency called `Saving Throw: STR`.
fn saves(fields: &Fields) -> Vec<(String, i64)> {
    let save = |ability: &str| {
        Some((
            ability.to_owned(),
            number(fields.get(&format!("{ability}_save"))?)?,
        ))
    };
    let map = fields
        .get("saving_throws")
        .and_then(Value::as_object)
        .into_iter()
        .flatten();
    let map = map.filter_map(|(name, bonus)| Some((name.clone(), number(bonus)?)));
    let all = ABILITIES
        .into_iter()
        .filter_map(save)
        .chain(map)
        .chain(proficiencies(fields, "Saving Throw: "));
    all.take(ABILITIES.len()).collect()
}

/// The proficiencies whose names begin with `prefix`, without it.
fn proficiencies(fields: &Fields, prefix: &str) -> Vec<(String, i64)> {
    let all = fields
        .get("proficiencies")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    all.filter_map(|proficiency| {
        let name = proficiency
            .pointer("/proficiency/name")?
            .as_str()?
            .strip_prefix(prefix)?;
        Some((name.to_owned(), number(proficiency.get("value")?)?))
    })
    .collect()
}

/// The limit on its use: ` (recharge 5)`, ` (3 a day)`, ` (costs 2)`.
fn usage(feature: &Value) -> String {
    let limit = feature.get("usage_limits").or_else(|| feature.get("usage"));
    let kind = limit.map(|limit| text_of(limit, "type").to_lowercase().replace('_', " "));
    let count = |keys: [&str; 2]| keys.into_iter().find_map(|key| limit?.get(key)?.as_i64());
    let often = match kind.as_deref() {
        Some("recharge on roll") => {
            count(["param", "min_value"]).map(|from| format!("recharge {from}"))
        }
        Some("per day") => count(["param", "times"]).map(|times| format!("{times} a day")),
        _ => None,
    };
    let cost = feature
        .get("legendary_action_cost")
        .and_then(Value::as_i64)
        .filter(|cost| *cost > 1);
    let all: Vec<String> = often
        .into_iter()
        .chain(cost.map(|cost| format!("costs {cost}")))
        .collect();
    if all.is_empty() {
        String::new()
    } else {
        format!(" ({})", all.join(", "))
    }
}
