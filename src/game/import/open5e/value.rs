//! Values in the formats of the data sets.

use serde_json::Value;

use crate::game::import::stat_block::first_number;

/// A number: `15`, `"15"`, `"59 (7d8+28)"`, `[{"value": 15}]`, `{"average": 22}`.
pub fn number(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64(),
        Value::String(text) => first_number(text),
        Value::Array(all) => all.first().and_then(number),
        Value::Object(fields) => fields.get("value").or_else(|| fields.get("average")).and_then(Value::as_i64),
        Value::Null | Value::Bool(_) => None,
    }
}

/// A text: text, a list of texts, objects with a name, an object of labels (`{"walk": 30, "hover": true}`).
pub fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Array(all) => all.iter().map(text).filter(|text| !text.is_empty()).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => match fields.get("name").or_else(|| fields.get("as_string")) {
            Some(name) => name.as_str().unwrap_or_default().to_owned(),
            None => fields.iter().filter_map(|(label, value)| labelled(label, value)).collect::<Vec<_>>().join(", "),
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
pub fn challenge(value: &Value) -> String {
    let text = text(value);
    match text.parse::<f64>() {
        Ok(0.125) => "1/8".to_owned(),
        Ok(0.25) => "1/4".to_owned(),
        Ok(0.5) => "1/2".to_owned(),
        Ok(_) => text
            .split_once('.')
            .filter(|(_, rest)| rest.chars().all(|c| c == '0'))
            .map_or(text.clone(), |(whole, _)| whole.to_owned()),
        Err(_) => text,
    }
}
