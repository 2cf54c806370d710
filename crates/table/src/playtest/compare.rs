//! How a reply differs from what was expected.

use serde_json::{Map, Value};

use super::codes;
use super::read::Expected;
use rollbook_text::diagnostic::{Diagnostic, Fix, Span};
use rollbook_text::names::{self, suggest};

const SHOWN_FIELDS_MAX: usize = 24;
const SHOWN_CHARS_MAX: usize = 100;
/// Characters of each value where the whole reply is shown.
const SHAPE_CHARS_MAX: usize = 48;
/// Fields that no playtest is about: different in every run, or repeated elsewhere.
const NOT_SHOWN: [&str; 2] = ["receipt", "player_text"];

/// What is wrong with one expectation, and the edit that makes it right; nothing when it holds.
pub(super) fn differs(
    expected: &Expected,
    reply: &Map<String, Value>,
    call: Span,
) -> Option<(Diagnostic, Option<Fix>)> {
    let came = match find(&expected.path, reply) {
        Ok(came) => came,
        Err(_) if expected.value.is_null() => return None,
        Err((missing, known)) => return Some((no_field(expected, &missing, &known, call), None)),
    };
    if same(&expected.value, came) {
        return None;
    }
    let message = format!(
        "`{}` is {}, not {}",
        expected.path,
        shown(came),
        shown(&expected.value)
    );
    let found = Diagnostic::error(codes::DIFFERS, message)
        .at(expected.value_span, format!("came: {}", shown(came)))
        .and(call, "of this call");
    let replacement = rewritten(came, expected.in_table);
    let fix = Fix {
        span: expected.value_span,
        replacement,
        message: "expect what came".to_owned(),
    };
    Some((found, Some(fix)))
}

fn no_field(expected: &Expected, missing: &str, known: &[String], call: Span) -> Diagnostic {
    let found = Diagnostic::error(
        codes::NO_FIELD,
        format!("the reply has no `{}`", expected.path),
    )
    .at(expected.path_span, format!("no `{missing}`"))
    .and(call, "of this call");
    match suggest(missing, known.iter().map(String::as_str)).first() {
        Some(first) => found.help(format!("did you mean `{first}`?")),
        None if known.is_empty() => found.help("there is nothing below it"),
        None => found.help(format!("there are {}", known.join(", "))),
    }
}

/// The value at a path; else the part that leads nowhere and what is there instead.
fn find<'v>(path: &str, reply: &'v Map<String, Value>) -> Result<&'v Value, (String, Vec<String>)> {
    let mut parts = path.split('.');
    let first = parts.next().unwrap_or_default().trim();
    let known = || reply.keys().cloned().collect();
    let mut value = reply
        .get(first)
        .ok_or_else(|| (first.to_owned(), known()))?;
    for part in parts.map(str::trim) {
        let (next, known) = match value {
            Value::Object(fields) => {
                let folded = || {
                    fields
                        .iter()
                        .find(|(name, _)| names::same(name, part))
                        .map(|(_, value)| value)
                };
                (
                    fields.get(part).or_else(folded),
                    fields.keys().cloned().collect(),
                )
            }
            Value::Array(items) => {
                let by_place = part
                    .parse::<usize>()
                    .ok()
                    .and_then(|place| items.get(place));
                let by_name = || {
                    items
                        .iter()
                        .find(|item| name(item).is_some_and(|name| names::same(name, part)))
                };
                let known: Vec<String> = (0..items.len()).map(|place| place.to_string()).collect();
                let names = items.iter().filter_map(name).map(str::to_owned);
                (
                    by_place.or_else(by_name),
                    known.into_iter().chain(names).collect(),
                )
            }
            _ => (None, Vec::new()),
        };
        value = next.ok_or_else(|| (part.to_owned(), known))?;
    }
    Ok(value)
}

fn name(item: &Value) -> Option<&str> {
    item.get("name").and_then(Value::as_str)
}

/// Equal, whatever kind a number is, and whether words that look like a number were quoted or not.
fn same(expected: &Value, came: &Value) -> bool {
    match (expected, came) {
        (Value::Number(expected), Value::Number(came)) => {
            expected == came || expected.as_f64() == came.as_f64()
        }
        (Value::String(expected), Value::String(came)) => expected.trim() == came.trim(),
        (Value::Number(number), Value::String(came)) => {
            number.to_string().as_str() == came.as_str()
        }
        (Value::Array(expected), Value::Array(came)) => {
            expected.len() == came.len()
                && expected
                    .iter()
                    .zip(came)
                    .all(|(expected, came)| same(expected, came))
        }
        _ => expected == came,
    }
}

/// A value as it is written after `=`: bare where that reads back as the same.
pub fn rewritten(value: &Value, in_table: bool) -> String {
    let text = match value {
        Value::String(text) if reads_back(text) => text.clone(),
        other => other.to_string(),
    };
    if in_table {
        text.replace('|', "\\|")
    } else {
        text
    }
}

fn reads_back(text: &str) -> bool {
    let plain = !text.is_empty() && text.trim() == text && !text.contains(char::is_control);
    plain && !text.starts_with('\'') && super::arguments::value(text) == *text
}

/// A reply in one line: its fields, with short values shown and long ones named.
pub fn shape(reply: &Map<String, Value>) -> String {
    let shown = reply
        .iter()
        .filter(|(name, _)| !NOT_SHOWN.contains(&name.as_str()));
    let fields = shown
        .take(SHOWN_FIELDS_MAX)
        .map(|(name, value)| match value {
            Value::Object(fields) => {
                format!(
                    "{name} {{{}}}",
                    fields
                        .keys()
                        .map(String::as_str)
                        .collect::<Vec<_>>()
                        .join(", ")
                )
            }
            Value::Array(items) => format!("{name} [{}]", items.len()),
            plain => format!("{name}: {}", cut(plain, SHAPE_CHARS_MAX)),
        });
    let more = if reply.len() > SHOWN_FIELDS_MAX {
        ", …"
    } else {
        ""
    };
    format!("{}{more}", fields.collect::<Vec<_>>().join(", "))
}

fn shown(value: &Value) -> String {
    cut(value, SHOWN_CHARS_MAX)
}

fn cut(value: &Value, chars: usize) -> String {
    let text = value.to_string();
    match text.char_indices().nth(chars) {
        Some((cut, _)) => format!("{}…", text.get(..cut).unwrap_or_default()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn reply() -> Map<String, Value> {
        let reply = json!({
            "outcome": "success", "margin": 2, "roll": {"total": 17},
            "tracks": [{"name": "Hit points", "before": 9}],
        });
        reply.as_object().expect("an object").clone()
    }

    #[test]
    fn paths_go_through_fields_places_and_names() {
        let reply = reply();
        assert_eq!(find("roll.total", &reply), Ok(&json!(17)));
        assert_eq!(find("tracks.0.before", &reply), Ok(&json!(9)));
        assert_eq!(find("tracks.hit points.before", &reply), Ok(&json!(9)));
        assert_eq!(
            find("roll.totl", &reply),
            Err(("totl".into(), vec!["total".into()]))
        );
        assert_eq!(find("margin.x", &reply), Err(("x".into(), Vec::new())));
    }

    #[test]
    fn numbers_are_compared_as_numbers_and_words_as_words() {
        assert!(
            same(&json!(2), &json!(2.0))
                && same(&json!(12), &json!("12"))
                && same(&json!([1, 2]), &json!([1, 2]))
        );
        assert!(
            !same(&json!(2), &json!(3))
                && !same(&json!("2"), &json!(2))
                && !same(&json!([1]), &json!([1, 2]))
        );
    }

    #[test]
    fn what_came_is_written_so_that_it_reads_back() {
        for value in [
            json!("success"),
            json!("15"),
            json!("a b: c"),
            json!(-3),
            json!([1]),
            json!(""),
            json!("'x'"),
        ] {
            assert_eq!(
                super::super::arguments::value(&rewritten(&value, false)),
                value
            );
        }
        assert_eq!(rewritten(&json!("a|b"), true), "a\\|b");
    }
}
