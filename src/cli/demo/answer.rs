//! What a tool's answer says: who stands in a fight and how, texts and numbers by their names.

use serde_json::{Map, Value};

/// Everybody in the order of a fight.
pub(super) fn places(status: &Map<String, Value>) -> impl Iterator<Item = &Value> {
    status.get("order").and_then(Value::as_array).into_iter().flatten()
}

/// Their names.
pub(super) fn order(status: &Map<String, Value>) -> Vec<String> {
    places(status).map(|place| text(place, "name").to_owned()).collect()
}

fn up(place: &&Value, side: &str) -> bool {
    text(place, "side") == side && place.get("defeated").and_then(Value::as_bool) != Some(true)
}

/// How many of a side still stand.
pub(super) fn standing(status: &Map<String, Value>, side: &str) -> usize {
    places(status).filter(|place| up(place, side)).count()
}

/// The first of a side who still stands.
pub(super) fn first_standing(status: &Map<String, Value>, side: &str) -> Option<String> {
    places(status).find(|place| up(place, side)).map(|place| text(place, "name").to_owned())
}

/// A text in an answer; empty where there is none.
pub(super) fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// A number in an answer; 0 where there is none.
pub(super) fn number(reply: &Map<String, Value>, name: &str) -> u64 {
    reply.get(name).and_then(Value::as_u64).unwrap_or(0)
}
