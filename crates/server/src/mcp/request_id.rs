//! The id under which a line is answered that is no message: broken, or too long to be kept.

use std::fmt;

use serde::Deserializer as _;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

/// Bytes of an id that is repeated in an answer.
const ID_MAX: usize = 1024;

/// The id of the outermost object of a text, as far as the text can be read; null where there is
/// none or it is not certain.
///
/// Where JSON is broken reading stops, because from there on nobody can say what is inside what: an
/// id before it is good, and one inside `params` is never taken for it.
pub fn id_of(text: &[u8]) -> Value {
    let mut found = Found::default();
    let mut reader = serde_json::Deserializer::from_slice(text);
    let whole = reader.deserialize_map(&mut found).is_ok();
    match found.id.filter(|_| !whole || reader.end().is_ok()) {
        Some(id) if is_id(&id) && !found.twice => id,
        _ => Value::Null,
    }
}

/// The same for a text whose beginning is not known: many clients write the id last.
pub fn id_at_end(text: &[u8]) -> Value {
    const KEY: &[u8] = b"\"id\"";
    let object = text.trim_ascii_end().strip_suffix(b"}").unwrap_or_default();
    let Some(at) = object.windows(KEY.len()).rposition(|window| window == KEY) else {
        return Value::Null;
    };
    let (before, after) = object.split_at(at);
    let value = after
        .get(KEY.len()..)
        .unwrap_or_default()
        .trim_ascii_start()
        .strip_prefix(b":");
    let value = value.filter(|_| before.trim_ascii_end().ends_with(b","));
    value
        .and_then(|value| serde_json::from_slice(value).ok())
        .filter(is_id)
        .unwrap_or_default()
}

fn is_id(value: &Value) -> bool {
    value.is_number() || value.as_str().is_some_and(|text| text.len() <= ID_MAX)
}

/// What was read of the outermost object.
#[derive(Default)]
struct Found {
    id: Option<Value>,
    /// There were two ids.
    twice: bool,
}

impl<'de> Visitor<'de> for &mut Found {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut id: Option<Value> = None;
        loop {
            // Only what follows an id shows that it is whole.
            let key: Option<String> = map.next_key()?;
            self.id = id.take().or(self.id.take());
            match key.as_deref() {
                None => return Ok(()),
                Some("id") => {
                    self.twice = self.id.is_some();
                    id = Some(map.next_value()?);
                }
                Some(_) => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::{id_at_end, id_of};

    fn id(text: &str) -> Value {
        id_of(text.as_bytes())
    }

    #[test]
    fn the_id_of_the_outermost_object_is_found_and_no_other() {
        assert_eq!(id(r#"{"jsonrpc":"2.0","id":7,"method":"#), json!(7));
        assert_eq!(id(r#"{"id" : "a b" , "x": nope nope"#), json!("a b"));
        assert_eq!(
            id(r#"{"params":{"id":9,"a":[{"id":8}]},"id":-7}"#),
            json!(-7)
        );
        assert_eq!(
            id(r#"{"params":{"id":9,"a":"\ud83d"},"id":7,"x":"#),
            json!(7)
        );
        for none in [
            r#"{"params":{"id":9"#,
            r#"{"params":{"id":9},"id":7"#,
            r#"{"id":"7"#,
            r#"{"id":"abc,"method":"x"}"#,
            r#"{"id":7}{"id":8}"#,
            r#"{"id":7,"id":8,"#,
            r#"{"id":null,"x":}"#,
            r#"{"id":{"id":7},"x":}"#,
            r#"{"params":{"a":},"id":9},"id":7}"#,
            r#"{"params":[},"id":9},"id":7}"#,
            r#"[{"id":7},]"#,
            r#""id":7"#,
            "",
        ] {
            assert_eq!(id(none), Value::Null, "{none}");
        }
        assert_eq!(
            id(&format!(r#"{{"id":7,"x":{}"#, "[".repeat(100_000))),
            json!(7)
        );
        assert_eq!(
            id(&format!(r#"{{"id":"{}","x":}}"#, "x".repeat(5000))),
            Value::Null,
            "too long to be repeated"
        );
    }

    #[test]
    fn an_id_at_the_end_of_a_long_line_is_found() {
        for (text, id) in [
            (r#"xxx"}}, "id" : 7 } "#, json!(7)),
            (r#"xxx"},"id":"a b"}"#, json!("a b")),
            (r#"xxx","id":7}}"#, Value::Null),
            (r#"xxx","id":7"#, Value::Null),
            (r#"xxx, \"id\":7}"#, Value::Null),
            (r#"xxx","id":null}"#, Value::Null),
            ("}", Value::Null),
        ] {
            assert_eq!(id_at_end(text.as_bytes()), id, "{text}");
        }
    }

    proptest! {
        /// Cut, or with bytes put in, taken out or changed anywhere but at the id itself: its id,
        /// or none.
        #[test]
        fn a_request_that_was_damaged_has_its_own_id_or_none(
            id in prop_oneof![any::<i64>().prop_map(Value::from), "[a-z0-9 \"\\\\é]{0,8}".prop_map(Value::from)],
            inner in prop_oneof![any::<i8>().prop_map(Value::from), "[a-z\",:{}\\\\]{0,12}".prop_map(Value::from)],
            first in any::<bool>(),
            place in any::<prop::sample::Index>(),
            byte in prop_oneof![any::<u8>(), prop::sample::select(b"\"\\{}[],:0 ".to_vec())],
            how in 0..4,
        ) {
            let params = json!({"name": inner, "id": inner, "arguments": {"id": inner, "a": [1, {"id": inner}, {}], "b": {}}});
            let id_field = format!("\"id\":{id}");
            let (before, after) = if first { (id_field.clone(), format!("\"params\":{params}")) } else { (format!("\"params\":{params}"), id_field.clone()) };
            let mut text = format!("{{\"jsonrpc\":\"2.0\",{before},\"method\":\"tools/call\",{after}}}").into_bytes();
            let from = if first { 17 } else { text.len() - 1 - id_field.len() };
            let at = place.index(text.len());
            prop_assume!(!(from..=from + id_field.len()).contains(&at));
            match how {
                0 => text.truncate(at),
                1 => text.insert(at, byte),
                2 => text[at] = byte,
                _ => drop(text.remove(at)),
            }
            if serde_json::from_slice::<Value>(&text).is_err() {
                let found = id_of(&text);
                prop_assert!(found == id || found.is_null(), "{found} in {}", String::from_utf8_lossy(&text));
            }
        }

        #[test]
        fn any_bytes_at_all_end_nothing(text in prop::collection::vec(any::<u8>(), 0..300)) {
            id_of(&text);
            id_at_end(&text);
        }
    }
}
