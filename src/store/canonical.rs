//! Canonical JSON: one byte string for one value. Keys sorted, no white space, integers only.

use serde::Serialize;
use serde_json::Value;

/// The canonical bytes of a value. Fails on a number that is not an integer and on what JSON cannot say.
pub fn bytes<T: Serialize>(value: &T) -> Result<Vec<u8>, serde_json::Error> {
    let mut value = serde_json::to_value(value)?;
    value.sort_all_objects();
    if !integers_only(&value) {
        return Err(serde::ser::Error::custom("a canonical value holds integers only"));
    }
    serde_json::to_vec(&value)
}

fn integers_only(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.is_i64() || number.is_u64(),
        Value::Array(items) => items.iter().all(integers_only),
        Value::Object(fields) => fields.values().all(integers_only),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::bytes;
    use serde_json::json;

    #[test]
    fn keys_are_sorted_and_white_space_is_gone() {
        let text = bytes(&json!({"b": [1, {"z": null, "a": "é"}], "a": true})).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), r#"{"a":true,"b":[1,{"a":"é","z":null}]}"#);
    }

    #[test]
    fn fractions_are_refused() {
        assert!(bytes(&json!({"a": 1.5})).is_err());
    }
}
