//! A difficulty as it is sent: a number, or a word of the rules.

use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

use crate::game::decide::check::difficulty;
use crate::game::refusal::Refusal;
use crate::names::same;
use crate::rules::System;

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
    /// The number, by the rules where it is a word.
    ///
    /// # Errors
    /// When the rules have no such word: with those that they have.
    pub fn number(self, system: &System) -> Result<i64, Refusal> {
        match self {
            Difficulty::Number(number) => Ok(number),
            Difficulty::Word(word) => Ok(difficulty(system, &word)?.number),
        }
    }
}

/// Replaces a difficulty among the values by its number, too.
pub fn among(values: &mut BTreeMap<String, String>, system: &System) -> Result<(), Refusal> {
    let words =
        values.iter_mut().filter(|(name, value)| same(name, "difficulty") && value.trim().parse::<i64>().is_err());
    for (_, value) in words {
        *value = difficulty(system, value)?.number.to_string();
    }
    Ok(())
}
