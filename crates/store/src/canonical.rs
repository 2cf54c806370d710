//! Canonical JSON: one byte string for one value. Keys sorted, no white space, integers only.

use serde::Serialize;
use serde::ser::Error;
use serde_json::Value;

/// The canonical bytes of a value. Fails on a number that is not an integer and on what JSON cannot say.
pub fn bytes<T: Serialize>(value: &T) -> Result<Vec<u8>, serde_json::Error> {
    let mut value = serde_json::to_value(value)?;
    value.sort_all_objects();
    match has_fraction(&value) {
        true => Err(serde_json::Error::custom("a canonical value holds integers only")),
        false => serde_json::to_vec(&value),
    }
}

fn has_fraction(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.is_f64(),
        Value::Array(values) => values.iter().any(has_fraction),
        Value::Object(fields) => fields.values().any(has_fraction),
        Value::Null | Value::Bool(_) | Value::String(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use serde::Serialize;
    use serde_json::{Value, json};

    use super::bytes;

    /// A struct whose fields are not in order, with every way to write an object.
    #[derive(Serialize)]
    struct Mixed {
        z: Way,
        b: Vec<Way>,
        #[serde(flatten)]
        more: std::collections::BTreeMap<String, Value>,
        a: Option<()>,
        numbers: std::collections::BTreeMap<i64, i128>,
        raw: Box<serde_json::value::RawValue>,
    }

    #[derive(Serialize)]
    enum Way {
        Unit,
        Pair(i64, u64),
        Fields { y: (), x: char },
        New(Tagged),
    }

    #[derive(Serialize)]
    #[serde(tag = "m")]
    enum Tagged {
        One { z: bool, a: &'static str },
    }

    /// Keys are in the order of their characters, not of how JSON writes those; of a field that is there twice the last counts.
    #[test]
    fn keys_are_sorted_and_white_space_is_gone() {
        let mixed = Mixed {
            z: Way::Fields { y: (), x: '"' },
            b: vec![Way::Unit, Way::Pair(-1, u64::MAX), Way::New(Tagged::One { z: true, a: "é\n" })],
            more: [("b".to_owned(), json!(7)), ("\u{1}".to_owned(), json!([])), ("!".to_owned(), json!({}))].into(),
            a: None,
            numbers: [(10, 1), (9, -2), (-1, i128::from(u64::MAX))].into(),
            raw: serde_json::value::to_raw_value(&json!({"b": [1, {"z": null, "a": "é"}], "a": true})).unwrap(),
        };
        let text = String::from_utf8(bytes(&mixed).unwrap()).unwrap();
        assert_eq!(
            text,
            r#"{"\u0001":[],"!":{},"a":null,"b":7,"numbers":{"-1":18446744073709551615,"10":1,"9":-2},"raw":{"a":true,"b":[1,{"a":"é","z":null}]},"z":{"Fields":{"x":"\"","y":null}}}"#
        );
        let ways = String::from_utf8(bytes(&mixed.b).unwrap()).unwrap();
        assert_eq!(ways, r#"["Unit",{"Pair":[-1,18446744073709551615]},{"New":{"a":"é\n","m":"One","z":true}}]"#);
    }

    #[test]
    fn fractions_are_refused() {
        assert!(bytes(&json!({"a": 1.5})).is_err());
        assert!(bytes(&i128::MAX).is_err());
        assert!(bytes(&u128::MAX).is_err());
    }
}
