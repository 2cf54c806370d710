//! Validating by schema: the part of JSON Schema 2020-12 that the tools' schemas use, and nothing
//! else. A keyword this file does not know fails, so it cannot be passed over in silence.

use serde_json::{Map, Value};

use crate::table::each;

/// Keywords that say nothing about validity.
const WORDS: [&str; 2] = ["description", "title"];

/// Fails when `value` does not fit.
#[track_caller]
pub fn assert_fits(schema: &Value, value: &Value, what: &str) {
    let mut problems = Vec::new();
    check(schema, value, what, &mut problems);
    assert!(problems.is_empty(), "{}\nin {value}", problems.join("\n"));
}

/// Everything in which `value` does not fit `schema`.
pub fn check(schema: &Value, value: &Value, path: &str, problems: &mut Vec<String>) {
    let schema = schema
        .as_object()
        .unwrap_or_else(|| panic!("{path}: a schema is an object, not {schema}"));
    let mut find = |problem: String| problems.push(format!("{path}: {problem}"));
    for (keyword, says) in schema {
        match keyword.as_str() {
            "type" if !is_of(says, value) => find(format!("{value} is not of type {says}")),
            "enum"
                if !says
                    .as_array()
                    .is_some_and(|allowed| allowed.contains(value)) =>
            {
                find(format!("{value} is not one of {says}"));
            }
            "minimum" if value.as_f64() < says.as_f64() => find(format!("{value} is below {says}")),
            "maximum" if value.is_number() && value.as_f64() > says.as_f64() => {
                find(format!("{value} is above {says}"))
            }
            "maxLength" if length(value) > says.as_u64() => find(format!("longer than {says}")),
            "anyOf" if !each(says).any(|one| fits(one, value, path)) => {
                find(format!("{value} fits none of {says}"));
            }
            "maxItems" if value.as_array().map(|items| items.len() as u64) > says.as_u64() => {
                find(format!("more than {says} items"));
            }
            "required" => {
                for name in says
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(Value::as_str)
                {
                    if value
                        .as_object()
                        .is_some_and(|fields| !fields.contains_key(name))
                    {
                        find(format!("{name} is missing"));
                    }
                }
            }
            "type"
            | "enum"
            | "anyOf"
            | "minimum"
            | "maximum"
            | "maxLength"
            | "maxItems"
            | "properties"
            | "items"
            | "additionalProperties" => {}
            word if WORDS.contains(&word) => {}
            other => panic!("{path}: this validator does not know the keyword {other}"),
        }
    }
    deeper(schema, value, path, problems);
}

fn fits(schema: &Value, value: &Value, path: &str) -> bool {
    let mut problems = Vec::new();
    check(schema, value, path, &mut problems);
    problems.is_empty()
}

fn deeper(schema: &Map<String, Value>, value: &Value, path: &str, problems: &mut Vec<String>) {
    if let (Some(items), Value::Array(values)) = (schema.get("items"), value) {
        for (nth, value) in values.iter().enumerate() {
            check(items, value, &format!("{path}[{nth}]"), problems);
        }
    }
    let Value::Object(fields) = value else { return };
    let declared = schema.get("properties").and_then(Value::as_object);
    for (name, value) in fields {
        let path = format!("{path}.{name}");
        match (
            declared.and_then(|declared| declared.get(name)),
            schema.get("additionalProperties"),
        ) {
            (Some(schema), _) => check(schema, value, &path, problems),
            (None, Some(Value::Bool(false))) => problems.push(format!("{path}: not declared")),
            (None, Some(schema @ Value::Object(_))) => check(schema, value, &path, problems),
            (None, _) => {}
        }
    }
}

fn is_of(says: &Value, value: &Value) -> bool {
    match says.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("boolean") => value.is_boolean(),
        Some("null") => value.is_null(),
        _ => false,
    }
}

fn length(value: &Value) -> Option<u64> {
    value.as_str().map(|text| text.chars().count() as u64)
}

#[test]
fn what_does_not_fit_is_named() {
    let schema = serde_json::json!({
        "type": "object", "required": ["a"], "additionalProperties": false,
        "properties": {"a": {"type": "integer", "minimum": 1}, "b": {"type": "array", "items": {"enum": ["x"]}}},
    });
    let problems = |value: Value| {
        let mut problems = Vec::new();
        check(&schema, &value, "it", &mut problems);
        problems.join("; ")
    };
    assert_eq!(problems(serde_json::json!({"a": 1, "b": ["x"]})), "");
    assert_eq!(problems(serde_json::json!({"a": 0})), "it.a: 0 is below 1");
    assert_eq!(
        problems(serde_json::json!({"b": ["y"]})),
        "it: a is missing; it.b[0]: \"y\" is not one of [\"x\"]"
    );
    assert_eq!(
        problems(serde_json::json!({"a": 2, "c": 1})),
        "it.c: not declared"
    );
}
