//! Canonical JSON: one byte string for one value. Keys sorted, no white space, integers only.
//!
//! It is written as the value is walked, without a tree of it: of each object is noted where its fields begin and end, and at
//! its end they are put in order.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::Value;
use serde_json::ser::Formatter;

/// The canonical bytes of a value. Fails on a number that is not an integer and on what JSON cannot say.
pub fn bytes<T: Serialize>(value: &T) -> Result<Vec<u8>, serde_json::Error> {
    // Room for most entries.
    let text = RefCell::new(Text { bytes: Vec::with_capacity(1024), ..Text::default() });
    value.serialize(&mut serde_json::Serializer::with_formatter(Out(&text), Ordered(&text)))?;
    Ok(text.into_inner().bytes)
}

#[derive(Default)]
struct Text {
    bytes: Vec<u8>,
    /// Of the objects that are open, the outermost first.
    fields: Vec<Field>,
    /// Where in `fields` those of each open object begin.
    objects: Vec<usize>,
    room: Vec<u8>,
}

#[derive(Clone, Copy)]
struct Field {
    key: usize,
    colon: usize,
    end: usize,
    is_escaped: bool,
}

impl Text {
    fn close(&mut self) {
        let begin = self.objects.pop().unwrap_or(0);
        let Text { bytes, fields, room, .. } = self;
        let object = fields.get_mut(begin..).unwrap_or_default();
        if !object.is_sorted_by(|one, other| one.name(bytes) < other.name(bytes)) {
            let first = object.first().map_or(bytes.len(), |field| field.key);
            object.sort_by(|one, other| one.name(bytes).cmp(&other.name(bytes)));
            room.clear();
            for (nth, field) in object.iter().enumerate() {
                // Of a field that was written twice the last counts.
                let again = object.get(nth + 1).is_some_and(|next| next.name(bytes) == field.name(bytes));
                if !again {
                    room.extend_from_slice(if room.is_empty() { b"" } else { b"," });
                    room.extend_from_slice(bytes.get(field.key..field.end).unwrap_or_default());
                }
            }
            bytes.truncate(first);
            bytes.extend_from_slice(room);
        }
        fields.truncate(begin);
    }
}

impl Field {
    /// What its key says: keys are in the order of their characters, not of how JSON writes those.
    #[inline]
    fn name(self, bytes: &[u8]) -> Cow<'_, [u8]> {
        let quoted = bytes.get(self.key..self.colon).unwrap_or_default();
        let plain = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default();
        match self.is_escaped {
            true => serde_json::from_slice::<String>(quoted).map_or(plain.into(), |name| name.into_bytes().into()),
            false => plain.into(),
        }
    }
}

struct Out<'t>(&'t RefCell<Text>);

impl Write for Out<'_> {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write(bytes).map(drop)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// JSON without white space, and each object's fields in order. It knows what `Out` has written.
struct Ordered<'t>(&'t RefCell<Text>);

impl Formatter for Ordered<'_> {
    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        let mut text = self.0.borrow_mut();
        let begin = text.fields.len();
        text.objects.push(begin);
        drop(text);
        out.write_all(b"{")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        if !first {
            out.write_all(b",")?;
        }
        let mut text = self.0.borrow_mut();
        let at = text.bytes.len();
        text.fields.push(Field { key: at, colon: at, end: at, is_escaped: false });
        Ok(())
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        let mut text = self.0.borrow_mut();
        let at = text.bytes.len();
        let Text { bytes, fields, .. } = &mut *text;
        if let Some(field) = fields.last_mut() {
            field.colon = at;
            field.is_escaped = bytes.get(field.key..at).is_some_and(|key| key.contains(&b'\\'));
        }
        drop(text);
        out.write_all(b":")
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _out: &mut W) -> io::Result<()> {
        let mut text = self.0.borrow_mut();
        let at = text.bytes.len();
        text.fields.last_mut().into_iter().for_each(|field| field.end = at);
        Ok(())
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.0.borrow_mut().close();
        out.write_all(b"}")
    }

    fn write_f32<W: ?Sized + Write>(&mut self, _out: &mut W, _value: f32) -> io::Result<()> {
        Err(integers_only())
    }

    fn write_f64<W: ?Sized + Write>(&mut self, _out: &mut W, _value: f64) -> io::Result<()> {
        Err(integers_only())
    }

    fn write_i128<W: ?Sized + Write>(&mut self, out: &mut W, value: i128) -> io::Result<()> {
        let fits = i64::try_from(value).is_ok() || u64::try_from(value).is_ok();
        if fits { write!(out, "{value}") } else { Err(integers_only()) }
    }

    fn write_u128<W: ?Sized + Write>(&mut self, out: &mut W, value: u128) -> io::Result<()> {
        if u64::try_from(value).is_ok() { write!(out, "{value}") } else { Err(integers_only()) }
    }

    fn write_raw_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        let value: Value = serde_json::from_str(fragment)?;
        out.write_all(&bytes(&value)?)
    }
}

fn integers_only() -> io::Error {
    io::Error::other("a canonical value holds integers only")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde::Serialize;
    use serde_json::{Value, json};

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
                b: vec![Way::Unit, Way::Pair(-1, u64::MAX), Way::New(Tagged::One { z: true, a: "é\n" })],
                // A field that is there already counts once: as it was written last.
                more: [(key, one.clone()), ("b".to_owned(), one)].into(),
                a: None,
                numbers: [(10, 1), (9, -2), (-1, i128::from(u64::MAX))].into(),
                raw: serde_json::value::to_raw_value(&other).unwrap(),
            };
            prop_assert_eq!(bytes(&mixed).unwrap(), by_a_tree(&mixed));
        }
    }

    #[test]
    fn fractions_are_refused() {
        assert!(bytes(&json!({"a": 1.5})).is_err());
        assert!(bytes(&i128::MAX).is_err());
        assert!(bytes(&u128::MAX).is_err());
    }
}
