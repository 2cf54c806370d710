//! Parameters that several tools take: a number or a word, a name or several, a difficulty.

use std::collections::BTreeMap;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

use rollbook_game::decide::check::difficulty;
use rollbook_game::record::entry::Visibility;
use rollbook_game::refusal::{Code, Refusal};
use rollbook_rules::{DifficultyValue, System};
use rollbook_text::names::{quoted, same};

/// 15, or "hard", "2d6", "last".
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum NumberOrWord {
    Number(i64),
    Word(String),
}

impl JsonSchema for NumberOrWord {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "NumberOrWord".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": ["integer", "string"]})
    }
}

impl fmt::Display for NumberOrWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NumberOrWord::Number(number) => write!(f, "{number}"),
            NumberOrWord::Word(words) => f.write_str(words),
        }
    }
}

/// Who sees it: a visibility, or the name of the one player's character who does beside the GM.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
pub enum ShownTo {
    As(Visibility),
    Player(String),
}

impl From<String> for ShownTo {
    fn from(text: String) -> Self {
        let word = text.trim().to_lowercase().replace([' ', '-'], "_");
        let mut all = Visibility::ALL.into_iter();
        match all.find(|one| one.as_str() == word) {
            Some(visibility) => ShownTo::As(visibility),
            None => ShownTo::Player(text),
        }
    }
}

impl JsonSchema for ShownTo {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ShownTo".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string"})
    }
}

/// A name or several; a side of the fight and "party" are names of several, too.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Whom {
    One(String),
    Several(Vec<String>),
}

impl JsonSchema for Whom {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Whom".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": ["string", "array"], "items": {"type": "string"}})
    }
}

impl Whom {
    /// The names as they were sent.
    pub fn names(self) -> Vec<String> {
        match self {
            Whom::One(name) => vec![name],
            Whom::Several(names) => names,
        }
    }
}

/// The number or row to reach. Errors: the rules have no such word; the refusal lists theirs.
pub fn to_reach(
    sent: Option<NumberOrWord>,
    system: &System,
) -> Result<(Option<i64>, Option<String>), Refusal> {
    let reached = match sent {
        None => return Ok((None, None)),
        Some(NumberOrWord::Number(number)) => return Ok((Some(number), None)),
        Some(NumberOrWord::Word(word)) => difficulty(system, &word)?.is.clone(),
    };
    Ok(match reached {
        DifficultyValue::Number(number) => (Some(number), None),
        DifficultyValue::Row(row) => (None, Some(row)),
    })
}

pub fn replace_difficulty(
    values: &mut BTreeMap<String, String>,
    system: &System,
) -> Result<(), Refusal> {
    let words = values
        .iter_mut()
        .filter(|(name, value)| same(name, "difficulty") && value.trim().parse::<i64>().is_err());
    for (_, value) in words {
        let found = difficulty(system, value)?;
        let Some(number) = found.number() else {
            let summary = format!(
                "{} is a row and no number. Send difficulty=\"{}\", and leave it out of values.",
                found.name,
                quoted(&found.name)
            );
            return Err(Refusal::new(Code::InvalidParameters, summary));
        };
        *value = number.to_string();
    }
    Ok(())
}
