//! A difficulty as it is sent: a number, or a word of the rules.

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

use rollbook_game::decide::check::difficulty;
use rollbook_game::refusal::{Code, Refusal};
use rollbook_rules::{System, ToReach};
use rollbook_text::names::{quoted, same};

/// 15, or "hard".
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Difficulty {
    Number(i64),
    Word(String),
}

impl JsonSchema for Difficulty {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Difficulty".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": ["integer", "string"]})
    }
}

impl Difficulty {
    /// The number and the row that must be reached, one of the two, by the rules where it is a word.
    ///
    /// # Errors
    /// When the rules have no such word: with those that they have.
    pub fn to_reach(own: Option<Self>, system: &System) -> Result<(Option<i64>, Option<String>), Refusal> {
        let is = match own {
            None => return Ok((None, None)),
            Some(Difficulty::Number(number)) => ToReach::Number(number),
            Some(Difficulty::Word(word)) => difficulty(system, &word)?.is.clone(),
        };
        Ok(match is {
            ToReach::Number(number) => (Some(number), None),
            ToReach::Row(row) => (None, Some(row)),
        })
    }
}

/// Replaces a difficulty among the values by its number, too.
pub fn among(values: &mut BTreeMap<String, String>, system: &System) -> Result<(), Refusal> {
    let words =
        values.iter_mut().filter(|(name, value)| same(name, "difficulty") && value.trim().parse::<i64>().is_err());
    for (_, value) in words {
        let own = difficulty(system, value)?;
        let Some(number) = own.number() else {
            let summary = format!(
                "{} is a row and no number. Send difficulty=\"{}\", and leave it out of values.",
                own.name,
                quoted(&own.name)
            );
            return Err(Refusal::new(Code::InvalidParameters, summary));
        };
        *value = number.to_string();
    }
    Ok(())
}
