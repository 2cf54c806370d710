//! Whom a call is about: a name, a list of names, or a side of the fight.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

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
    /// The name, where it is one.
    pub fn only(self) -> Option<String> {
        match self {
            Whom::One(name) => Some(name),
            Whom::Several(_) => None,
        }
    }

    /// The names as they were sent.
    pub fn names(self) -> Vec<String> {
        match self {
            Whom::One(name) => vec![name],
            Whom::Several(names) => names,
        }
    }
}
