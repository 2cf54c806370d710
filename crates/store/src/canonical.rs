//! Canonical JSON: one byte string for one value. Keys sorted, no white space, integers only.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::Formatter;

/// The canonical bytes of a value. Fails on what is no integer, and on what JSON cannot say.
pub fn bytes<T: Serialize>(value: &T) -> Result<Vec<u8>, serde_json::Error> {
    let mut tree = serde_json::to_value(value)?;
    tree.sort_all_objects();
    // Room for most entries.
    let mut text = Vec::with_capacity(1024);
    tree.serialize(&mut serde_json::Serializer::with_formatter(
        &mut text,
        IntegersOnly,
    ))?;
    Ok(text)
}

/// JSON without white space, which refuses fractions; a tree has no integers beyond 64 bits.
struct IntegersOnly;

impl Formatter for IntegersOnly {
    fn write_f64<W: ?Sized + Write>(&mut self, _out: &mut W, _value: f64) -> io::Result<()> {
        Err(io::Error::other(
            "a canonical value holds integers of 64 bits only",
        ))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::bytes;

    #[test]
    fn keys_are_in_the_order_of_their_characters() {
        #[derive(serde::Serialize)]
        struct Mixed {
            z: [u8; 2],
            a: serde_json::Value,
        }
        let mixed = Mixed {
            z: [2, 1],
            a: json!({"é": 1, "z": null, "\"": -2, "A": {"b": [], "a": "\n"}}),
        };
        let written = r#"{"a":{"\"":-2,"A":{"a":"\n","b":[]},"z":null,"é":1},"z":[2,1]}"#;
        assert_eq!(bytes(&mixed).unwrap(), written.as_bytes());
    }

    #[test]
    fn fractions_are_refused() {
        assert!(
            [json!({"a": 1.5}), json!([2.0])]
                .iter()
                .all(|value| bytes(value).is_err())
        );
        assert!(bytes(&i128::MAX).is_err() && bytes(&u128::MAX).is_err() && bytes(&1_f32).is_err());
    }
}
