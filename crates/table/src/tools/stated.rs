//! What a call states of a check that the rules do not have, as it is sent.

use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::reply::invalid;
use rollbook_game::decide::check::StatedCheck;
use rollbook_game::record::event::Stated;
use rollbook_game::refusal::Refusal;
use rollbook_rules::System;
use rollbook_text::names::same;

/// A check that the call states.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct StatedParams {
    /// Without a rule: "1d20 + {DEX}", with difficulty or rows.
    pub roll: Option<String>,
    // Low is good.
    pub or_less: Option<bool>,
    /// {"10+": "success"}
    #[schemars(with = "Option<Map<String, Value>>", extend("type" = ["object", "array"], "items" = {"type": "object", "additionalProperties": true}))]
    pub rows: Option<Rows>,
}

#[derive(Debug, Clone)]
pub enum Rows {
    /// No two of them may hold at once.
    Object(BTreeMap<String, String>),
    /// Objects of one row each, of which the first that holds counts.
    List(Vec<BTreeMap<String, String>>),
}

impl<'de> Deserialize<'de> for Rows {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let sent = Value::deserialize(deserializer)?;
        let read = match sent.is_array() {
            true => serde_json::from_value(sent).map(Rows::List),
            false => serde_json::from_value(sent).map(Rows::Object),
        };
        let example = "rows are such as {\"10+\": \"success\", \"7-9\": \"partial success\"}, an outcome in words for each";
        read.map_err(|_| D::Error::custom(example))
    }
}

/// What else of a call says how a stated check ends.
pub struct Beside<'a> {
    pub check: Option<&'a str>,
    pub difficulty: Option<i64>,
    /// The row of the rules that a word for a difficulty means.
    pub reach: Option<&'a str>,
    pub values: &'a BTreeMap<String, String>,
    pub opposed: bool,
    pub again: bool,
    pub override_reason: Option<String>,
}

impl StatedParams {
    /// The check; `None` if none is stated. Errors: the parts do not fit, or cannot be read.
    pub fn read(
        self,
        system: &System,
        beside: Beside<'_>,
    ) -> Result<Option<Arc<StatedCheck>>, Refusal> {
        let Some(roll) = self.roll else {
            let sent = [
                ("or_less", self.or_less.is_some()),
                ("rows", self.rows.is_some()),
                ("override_reason", beside.override_reason.is_some()),
            ];
            return match sent.into_iter().find(|(_, sent)| *sent) {
                Some((name, _)) => {
                    let what = "is of a check that the call states, and roll is missing. Send roll=\"1d20 + {DEX}\" with it, or leave it out";
                    Err(refusal(name, what, "only with roll"))
                }
                None => Ok(None),
            };
        };
        let has_difficulty = beside.difficulty.is_some()
            || beside.values.keys().any(|name| same(name, "difficulty"));
        let rows = self.rows.is_some();
        if beside.again {
            let what =
                "states a new check, and again follows one that was made. Leave one of the two out";
            return Err(refusal("roll", what, "without again"));
        }
        if beside.reach.is_some() {
            let what = "is a row of the rules' tables, and a stated check has none of those. Send a number";
            return Err(refusal("difficulty", what, "a number"));
        }
        if rows && (has_difficulty || self.or_less.is_some()) {
            let what = "and difficulty (or or_less) both say how it ends. Send difficulty=15 or rows={\"10+\": \"success\"}, not both";
            return Err(refusal("rows", what, "without difficulty and or_less"));
        }
        if !rows && !has_difficulty && !beside.opposed {
            let what = "does not say when it succeeds. Send difficulty=15 with it (or_less=true where low is good), or rows={\"10+\": \
                        \"success\", \"7-9\": \"partial success\"}";
            return Err(refusal("roll", what, "with difficulty or rows"));
        }
        let (rows, in_order) = match self.rows {
            None => (Vec::new(), false),
            Some(Rows::Object(rows)) => (rows.into_iter().collect(), false),
            Some(Rows::List(rows)) => {
                if rows.iter().any(|row| row.len() != 1) {
                    let what = "as a list holds one row an object. Send rows=[{\"10+\": \"success\"}, {\"7-9\": \"partial success\"}]";
                    return Err(refusal("rows", what, "objects of one row each"));
                }
                (rows.into_iter().flatten().collect(), true)
            }
        };
        if rows.is_empty() && !has_difficulty && !beside.opposed {
            let what = "is empty. Send rows={\"10+\": \"success\", \"7-9\": \"partial success\"}";
            return Err(refusal("rows", what, "at least one row"));
        }
        let override_reason = beside
            .override_reason
            .filter(|reason| !reason.trim().is_empty());
        let event = Stated {
            roll,
            or_less: self.or_less.unwrap_or(false),
            rows,
            override_reason,
        };
        StatedCheck::read(system, beside.check, event, in_order).map(|check| Some(Arc::new(check)))
    }
}

fn refusal(parameter: &str, issue: &str, valid_range: &str) -> Refusal {
    invalid(
        parameter,
        issue,
        valid_range,
        format!("{parameter} {issue} (valid: {valid_range})."),
    )
}
