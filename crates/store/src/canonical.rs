//! Canonical JSON: one byte string for one value. Keys sorted, no white space, integers only.
//!
//! It is written as serde walks the value, without a tree; then each object's fields are sorted.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::Value;
use serde_json::ser::Formatter;

/// The canonical bytes of a value. Fails on what is no integer, and on what JSON cannot say.
pub fn bytes<T: Serialize>(value: &T) -> Result<Vec<u8>, serde_json::Error> {
    // Room for most entries.
    let mut text = Vec::with_capacity(1024);
    value.serialize(&mut serde_json::Serializer::with_formatter(
        &mut text,
        IntegersOnly,
    ))?;
    let mut sorted = Vec::with_capacity(text.len());
    sort(&text, &mut sorted);
    Ok(sorted)
}

/// Adds the value that begins a JSON text without white space, sorted; answers what is after it.
fn sort<'t>(text: &'t [u8], to: &mut Vec<u8>) -> &'t [u8] {
    match text.first() {
        Some(b'{') => {
            let mut rest = take(text, 1, to);
            let (begin, mut fields) = (to.len(), Vec::new());
            while !matches!(rest.first(), Some(b'}') | None) {
                rest = take(rest, usize::from(rest.first() == Some(&b',')), to);
                let (at, key) = (to.len(), string_length(rest));
                let name = name(rest.get(..key).unwrap_or_default());
                rest = sort(take(rest, key + 1, to), to);
                fields.push((name, at..to.len()));
            }
            if !fields.is_sorted_by(|(one, _), (other, _)| one < other) {
                fields.sort_by(|(one, _), (other, _)| one.cmp(other));
                let mut room = Vec::with_capacity(to.len() - begin);
                for (nth, (name, field)) in fields.iter().enumerate() {
                    // Of a field that was written twice the last counts.
                    if fields.get(nth + 1).is_none_or(|(next, _)| next != name) {
                        room.extend_from_slice(if room.is_empty() { b"" } else { b"," });
                        room.extend_from_slice(to.get(field.clone()).unwrap_or_default());
                    }
                }
                to.truncate(begin);
                to.append(&mut room);
            }
            take(rest, 1, to)
        }
        Some(b'[') => {
            let mut rest = take(text, 1, to);
            while !matches!(rest.first(), Some(b']') | None) {
                rest = sort(take(rest, usize::from(rest.first() == Some(&b',')), to), to);
            }
            take(rest, 1, to)
        }
        Some(b'"') => take(text, string_length(text), to),
        _ => take(
            text,
            text.iter()
                .position(|byte| b",]}".contains(byte))
                .unwrap_or(text.len()),
            to,
        ),
    }
}

/// Adds the first bytes of a text, so many; answers the text after them.
fn take<'t>(text: &'t [u8], length: usize, to: &mut Vec<u8>) -> &'t [u8] {
    let (taken, rest) = text.split_at_checked(length).unwrap_or((text, &[]));
    to.extend_from_slice(taken);
    rest
}

/// Bytes of the string with which a text begins, both quotation marks included.
fn string_length(text: &[u8]) -> usize {
    let mut is_escaped = false;
    let end = text.iter().skip(1).position(|byte| {
        let ends = *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        ends
    });
    end.map_or(text.len(), |end| end + 2)
}

/// What a key says: keys are in the order of their characters, not of how JSON writes those.
fn name(quoted: &[u8]) -> Cow<'_, [u8]> {
    let plain = quoted
        .get(1..quoted.len().saturating_sub(1))
        .unwrap_or_default();
    match plain.contains(&b'\\') {
        true => serde_json::from_slice::<String>(quoted)
            .map_or(plain.into(), |name| name.into_bytes().into()),
        false => plain.into(),
    }
}

/// JSON without white space, which refuses fractions and what takes more than 64 bits.
struct IntegersOnly;

impl Formatter for IntegersOnly {
    fn write_f32<W: ?Sized + Write>(&mut self, _out: &mut W, _value: f32) -> io::Result<()> {
        Err(integers_only())
    }

    fn write_f64<W: ?Sized + Write>(&mut self, _out: &mut W, _value: f64) -> io::Result<()> {
        Err(integers_only())
    }

    fn write_i128<W: ?Sized + Write>(&mut self, _out: &mut W, _value: i128) -> io::Result<()> {
        Err(integers_only())
    }

    fn write_u128<W: ?Sized + Write>(&mut self, _out: &mut W, _value: u128) -> io::Result<()> {
        Err(integers_only())
    }

    fn write_raw_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let value: Value = serde_json::from_str(fragment)?;
        out.write_all(&bytes(&value)?)
    }
}

fn integers_only() -> io::Error {
    io::Error::other("a canonical value holds integers of 64 bits only")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use serde::Serialize;
    use serde_json::value::{RawValue, to_raw_value};
    use serde_json::{Number, Value, json};

    use super::bytes;

    /// The same by a tree of values, whose objects are sorted maps.
    fn by_a_tree<T: Serialize>(value: &T) -> Vec<u8> {
        let mut value = serde_json::to_value(value).unwrap();
        value.sort_all_objects();
        serde_json::to_vec(&value).unwrap()
    }

    /// A struct whose fields are not in order, with every way to write an object.
    #[derive(Serialize)]
    struct Mixed {
        z: Way,
        b: Vec<Way>,
        #[serde(flatten)]
        more: BTreeMap<String, Value>,
        a: Option<()>,
        numbers: BTreeMap<i64, Number>,
        raw: Box<RawValue>,
    }

    #[derive(Serialize)]
    enum Way {
        Unit,
        Pair(i64, u64),
        Fields { y: (), x: char },
    }

    fn values() -> impl Strategy<Value = Value> {
        let key = || prop_oneof!["[a-c]{0,2}", "[\"\\\\\u{0}-\u{1f}!\\[\\]zé\u{7f}😀]{0,3}"];
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            key().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 40, 6, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::vec((key(), inner), 0..6)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn any_value_has_the_bytes_of_its_sorted_tree(one in values(), other in values(), key in "[\"\\\\a-z\u{1}é]{0,3}") {
            prop_assert_eq!(bytes(&one).unwrap(), by_a_tree(&one));
            let mixed = Mixed {
                z: Way::Fields { y: (), x: '"' },
                b: vec![Way::Unit, Way::Pair(-1, u64::MAX)],
                // A field that is there already counts once: as it was written last.
                more: [(key, one.clone()), ("b".to_owned(), one)].into(),
                a: None,
                numbers: [(10, 1.into()), (9, (-2).into()), (-1, u64::MAX.into())].into(),
                raw: to_raw_value(&other).unwrap(),
            };
            prop_assert_eq!(bytes(&mixed).unwrap(), by_a_tree(&mixed));
        }
    }

    #[test]
    fn fractions_are_refused() {
        assert!(
            [json!({"a": 1.5}), json!([2.0])]
                .iter()
                .all(|value| bytes(value).is_err())
        );
        assert!(bytes(&i128::MAX).is_err() && bytes(&u128::MAX).is_err());
    }
}
