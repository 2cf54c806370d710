//! JSON of other programs is not read. The refusal names the fields that a character takes from it,
//! and the call that makes it with them.

use super::question::{Question, fields};
use super::stat_block::{Label, Labels, part_of, whole_number_in};
use crate::record::state::Kind;
use crate::refusal::{Code, Refusal};
use rollbook_rules::System;
use rollbook_text::names::{quoted, same, shortened};
use serde_json::Value;

/// Fields that are looked at, and how deep.
const FIELDS_MAX: usize = 20_000;
const DEPTH_MAX: usize = 12;
/// Numbers that the call has.
const NUMBERS_MAX: usize = 30;
/// Keys below the name of what they count.
const VALUES: &str = "value max average current total flat score base";

/// What to take out of it, and the call.
pub fn refusal(json: &Value, system: &System) -> Refusal {
    let labels = Labels::of(system);
    let mut search = Search {
        labels: &labels,
        left: FIELDS_MAX,
        name: None,
        level: None,
        paths: Vec::new(),
        numbers: Vec::new(),
    };
    search.visit(&mut Vec::new(), json);
    let numbers: Vec<&Question> = search.numbers.iter().collect();
    let name = search
        .name
        .map(|name| format!(" name=\"{}\"", quoted(&name)));
    let level = search.level.map(|level| format!(" level={level}"));
    let call = [name, level].map(Option::unwrap_or_default).concat();
    let which = match search.paths.is_empty() {
        true => "its name, hit points, armour, scores and attacks".to_owned(),
        false => format!(
            "{}, and the attacks",
            shortened(&search.paths.join(", "), 600)
        ),
    };
    let summary = format!(
        "This JSON is another program's: of JSON, characters of Rollbook and monsters of an open 5e data set are read (rollbook_character; name and hit_points). \
         Take {which} from it, and send manage_character action=\"create\" kind=\"npc\"{call} {} attacks=[{{\"name\": \"claw\", \"bonus\": 3, \"damage\": \"1d6+1\"}}].",
        fields(&numbers, system, Kind::Npc)
    );
    Refusal::new(Code::InvalidDocument, summary)
}

struct Search<'l, 's> {
    labels: &'l Labels<'s>,
    left: usize,
    name: Option<String>,
    level: Option<i64>,
    /// The fields in words: `hp (system.hp.max)`.
    paths: Vec<String>,
    numbers: Vec<Question>,
}

impl Search<'_, '_> {
    fn visit(&mut self, path: &mut Vec<String>, value: &Value) {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 || path.len() > DEPTH_MAX {
            return;
        }
        let mut inside = |key: &str, value: &Value| {
            path.push(key.to_owned());
            self.visit(path, value);
            path.pop();
        };
        match value {
            Value::Object(fields) => {
                // What is at hand comes before what is deeper, and a maximum before what is left.
                let mut all: Vec<_> = fields.iter().collect();
                let is_deep = |value: &Value| value.is_object() || value.is_array();
                all.sort_by_key(|(key, value)| (is_deep(value), !same(key, "max")));
                all.into_iter().for_each(|(key, value)| inside(key, value));
            }
            Value::Array(all) => {
                for (at, value) in all.iter().enumerate() {
                    inside(&at.to_string(), value);
                }
            }
            Value::Number(number) => {
                number
                    .as_i64()
                    .into_iter()
                    .for_each(|number| self.number(path, number));
            }
            Value::String(text) => {
                let is_name = path
                    .last()
                    .is_some_and(|key| self.labels.get(key) == Some(Label::Name));
                if is_name && self.name.is_none() && !text.trim().is_empty() {
                    self.paths
                        .push(format!("name ({})", quoted(&path.join("."))));
                    self.name = Some(text.clone());
                }
                whole_number_in(text)
                    .into_iter()
                    .for_each(|number| self.number(path, number));
            }
            Value::Bool(_) | Value::Null => {}
        }
    }

    /// A number is what the nearest key above it with a meaning says.
    fn number(&mut self, path: &[String], number: i64) {
        let is_value = |key: &&String| {
            key.bytes().all(|byte| byte.is_ascii_digit())
                || VALUES.split(' ').any(|value| same(value, key))
        };
        let near = path.iter().rev().take(3).find(|key| !is_value(key));
        let name = near.map_or(String::new(), |key| words(key));
        let Some(label) = self.labels.get(&name) else {
            return;
        };
        let is_new = match (label, part_of(label, &name)) {
            (Label::Level, _) if self.level.is_none() => {
                self.level = Some(number);
                true
            }
            (
                Label::Skill | Label::Scores | Label::Skills | Label::Attacks | Label::Defence(_),
                _,
            )
            | (_, None) => false,
            (_, Some((part, form))) => {
                let is_known = |known: &Question| known.form == form;
                let is_new = self.numbers.len() < NUMBERS_MAX && !self.numbers.iter().any(is_known);
                let name = name.clone();
                self.numbers.extend(is_new.then(|| Question {
                    part,
                    form,
                    name,
                    number,
                    ..Question::default()
                }));
                is_new
            }
        };
        self.paths
            .extend(is_new.then(|| format!("{name} ({})", quoted(&path.join(".")))));
    }
}

/// `baseHitPoints` as words.
pub fn words(key: &str) -> String {
    let mut words = String::new();
    for letter in key.replace('_', " ").chars() {
        let begins = letter.is_uppercase() && words.ends_with(char::is_lowercase);
        words.push_str(if begins { " " } else { "" });
        words.push(letter);
    }
    let bare = words.strip_prefix("base ").unwrap_or(&words);
    bare.strip_suffix(" Total").unwrap_or(bare).to_owned()
}
