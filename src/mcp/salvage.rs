//! What can be saved of a line that is no JSON: the id it wants to be answered under, and text with half a character in it.

use serde_json::Value;

/// Bytes of an id that is repeated in an answer.
const ID_MAX: usize = 1024;
/// Levels of objects and lists that are followed; JSON that is served has fewer.
const DEPTH_MAX: usize = 200;

/// Finds the `id` of the outermost object of a text that may be broken or too long to be kept. It is fed piece by piece and
/// remembers little.
///
/// It reads the grammar of JSON strictly and the contents of strings loosely. Where the grammar is broken it stops, because from
/// there on nobody can say what is inside what: an id that stood before is good, one inside `params` is never taken for it.
#[derive(Default)]
pub struct IdScan {
    expects: Expects,
    inside: Inside,
    /// The brackets that are open, outermost first.
    open: Vec<Bracket>,
    /// The key of the outermost object that was read last is `id`.
    at_id: bool,
    /// What was read of a key or an id.
    token: Vec<u8>,
    /// The value of an id whose end is not yet certain.
    pending: Option<Value>,
    found: Found,
}

#[derive(Default, Clone, Copy, PartialEq)]
enum Expects {
    #[default]
    Start,
    Key,
    KeyOrEnd,
    Colon,
    Value,
    ValueOrEnd,
    CommaOrEnd,
    /// The outermost object is closed.
    Nothing,
    /// The grammar was broken.
    Lost,
}

#[derive(Default, Clone, Copy, PartialEq)]
enum Inside {
    #[default]
    Nothing,
    Text {
        key: bool,
        escaped: bool,
    },
    Word,
}

#[derive(Clone, Copy, PartialEq)]
enum Bracket {
    Object,
    List,
}

#[derive(Default)]
enum Found {
    #[default]
    None,
    One(Value),
    /// Two ids that differ, an id that is none, or something behind the end.
    Unclear,
}

impl IdScan {
    /// The id of a whole text.
    pub fn of(text: &[u8]) -> Value {
        let mut scan = IdScan::default();
        scan.feed(text.trim_ascii_end());
        scan.id()
    }

    /// Reads on.
    pub fn feed(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.byte(*byte));
    }

    /// The id, a text or a number; null where none is certain.
    pub fn id(self) -> Value {
        match self.found {
            Found::One(id) => id,
            Found::None | Found::Unclear => Value::Null,
        }
    }

    fn byte(&mut self, byte: u8) {
        match self.inside {
            Inside::Text { key, escaped } => self.in_text(byte, key, escaped),
            Inside::Word if byte.is_ascii_alphanumeric() || b"+-.".contains(&byte) => self.keep(byte),
            Inside::Word => {
                self.inside = Inside::Nothing;
                self.value_ends();
                self.between(byte);
            }
            Inside::Nothing => self.between(byte),
        }
    }

    fn in_text(&mut self, byte: u8, key: bool, escaped: bool) {
        self.keep(byte);
        let ends = byte == b'"' && !escaped;
        self.inside = Inside::Text { key, escaped: byte == b'\\' && !escaped };
        if ends {
            self.inside = Inside::Nothing;
            if key {
                self.at_id = self.open.len() == 1 && self.token == b"\"id\"";
                self.expects = Expects::Colon;
            } else {
                self.value_ends();
            }
        }
    }

    fn between(&mut self, byte: u8) {
        if byte.is_ascii_whitespace() {
            return;
        }
        match (self.expects, byte) {
            (Expects::Lost, _) => {}
            (Expects::Start, b'{') => self.opens(Bracket::Object),
            (Expects::Key | Expects::KeyOrEnd, b'"') => self.begins(Inside::Text { key: true, escaped: false }, byte),
            (Expects::Colon, b':') => self.expects = Expects::Value,
            (Expects::Value | Expects::ValueOrEnd, b'{') => self.opens(Bracket::Object),
            (Expects::Value | Expects::ValueOrEnd, b'[') => self.opens(Bracket::List),
            (Expects::Value | Expects::ValueOrEnd, b'"') => {
                self.begins(Inside::Text { key: false, escaped: false }, byte);
            }
            (Expects::Value | Expects::ValueOrEnd, b'-' | b'0'..=b'9' | b'a'..=b'z') => self.begins(Inside::Word, byte),
            (Expects::CommaOrEnd, b',') => {
                self.certain();
                self.expects = match self.open.last() {
                    Some(Bracket::Object) => Expects::Key,
                    Some(Bracket::List) => Expects::Value,
                    None => Expects::Lost,
                };
            }
            (Expects::CommaOrEnd | Expects::KeyOrEnd, b'}') => self.closes(Bracket::Object),
            (Expects::CommaOrEnd | Expects::ValueOrEnd, b']') => self.closes(Bracket::List),
            (Expects::Nothing, _) => {
                self.expects = Expects::Lost;
                self.found = Found::Unclear;
            }
            (
                Expects::Start
                | Expects::Key
                | Expects::KeyOrEnd
                | Expects::Colon
                | Expects::Value
                | Expects::ValueOrEnd
                | Expects::CommaOrEnd,
                _,
            ) => self.expects = Expects::Lost,
        }
    }

    fn begins(&mut self, inside: Inside, byte: u8) {
        self.inside = inside;
        self.token.clear();
        self.token.push(byte);
    }

    fn keep(&mut self, byte: u8) {
        if self.open.len() == 1 && self.token.len() <= ID_MAX {
            self.token.push(byte);
        }
    }

    fn opens(&mut self, bracket: Bracket) {
        if self.open.len() == 1 && self.at_id {
            self.found = Found::Unclear;
        }
        if self.open.len() == DEPTH_MAX {
            self.expects = Expects::Lost;
            return;
        }
        self.open.push(bracket);
        self.expects = match bracket {
            Bracket::Object => Expects::KeyOrEnd,
            Bracket::List => Expects::ValueOrEnd,
        };
    }

    fn closes(&mut self, bracket: Bracket) {
        self.certain();
        self.expects = match self.open.pop() {
            Some(open) if open != bracket => Expects::Lost,
            _ if self.open.is_empty() => Expects::Nothing,
            _ => Expects::CommaOrEnd,
        };
    }

    fn value_ends(&mut self) {
        self.expects = Expects::CommaOrEnd;
        if self.open.len() == 1 && self.at_id {
            let id: Option<Value> = serde_json::from_slice(&self.token).ok();
            self.pending = Some(id.filter(|id| id.is_string() || id.is_number()).unwrap_or(Value::Null));
        }
    }

    /// What follows the id is what may follow it, so it is whole.
    fn certain(&mut self) {
        let Some(id) = self.pending.take() else { return };
        self.at_id = false;
        self.found = match &self.found {
            Found::None if !id.is_null() => Found::One(id),
            Found::One(before) if *before == id => Found::One(id),
            Found::None | Found::One(_) | Found::Unclear => Found::Unclear,
        };
    }
}

/// Puts U+FFFD in the place of every half of a surrogate pair that stands alone, as `\ud83d` or as raw bytes: text that was
/// cut in the middle of a character. Both are as long as what they replace. Answers whether there was one.
pub fn whole_characters(text: &mut [u8]) -> bool {
    let mut found = false;
    let mut at = 0;
    while let Some(rest) = text.get_mut(at..).filter(|rest| !rest.is_empty()) {
        at += match rest {
            [b'\\', b'u', rest @ ..] => match (unit(rest), rest.get(4..6), rest.get(6..).and_then(unit)) {
                (Some(0xd800..=0xdbff), Some(b"\\u"), Some(0xdc00..=0xdfff)) => 12,
                (Some(0xd800..=0xdfff), ..) => {
                    rest.iter_mut().zip(*b"fffd").for_each(|(byte, new)| *byte = new);
                    found = true;
                    6
                }
                _ => 2,
            },
            [b'\\', _, ..] => 2,
            [first @ 0xed, second @ 0xa0..=0xbf, third @ 0x80..=0xbf, ..] => {
                (*first, *second, *third) = (0xef, 0xbf, 0xbd);
                found = true;
                3
            }
            _ => 1,
        };
    }
    found
}

/// Four hexadecimal digits.
fn unit(text: &[u8]) -> Option<u16> {
    let digits = std::str::from_utf8(text.get(..4)?).ok()?;
    digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then(|| u16::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::{IdScan, whole_characters};

    fn id(text: &str) -> Value {
        IdScan::of(text.as_bytes())
    }

    #[test]
    fn the_id_of_the_outermost_object_is_found_and_no_other() {
        assert_eq!(id(r#"{"jsonrpc":"2.0","id":7,"method":"#), json!(7));
        assert_eq!(id(r#"{"id" : "a b" , "x": nope nope"#), json!("a b"));
        assert_eq!(id(r#"{"params":{"id":9,"a":[{"id":8}]},"id":-7}"#), json!(-7));
        assert_eq!(id(r#"{"params":{"id":9,"a":"\ud83d"},"id":7,"#), json!(7));
        assert_eq!(id("{\"x\":\"\u{1}\",\"id\":7}"), json!(7), "loose inside strings");
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
        assert_eq!(id(&format!(r#"{{"id":7,"x":{}"#, "[".repeat(100_000))), json!(7));
        assert_eq!(id(&format!(r#"{{"id":"{}","x":}}"#, "x".repeat(5000))), Value::Null, "too long to be repeated");
    }

    #[test]
    fn halves_of_characters_are_replaced_and_whole_ones_are_kept() {
        let read = |text: &[u8]| {
            let mut text = text.to_vec();
            let found = whole_characters(&mut text);
            (found, serde_json::from_slice::<String>(&text).unwrap())
        };
        assert_eq!(read(br#""a\ud83d""#), (true, "a\u{fffd}".to_owned()));
        assert_eq!(read(br#""\uD83D\uD83D\uDE00\ude00""#), (true, "\u{fffd}\u{1f600}\u{fffd}".to_owned()));
        assert_eq!(read(br#""\ud83d\ude00 \\ud83d""#), (false, "\u{1f600} \\ud83d".to_owned()));
        assert_eq!(read(b"\"\xed\xa0\xbd.\""), (true, "\u{fffd}.".to_owned()));
    }

    proptest! {
        /// Cut, or with bytes put in, taken out or changed anywhere but at the id itself: its id, or none.
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
            let own = format!("\"id\":{id}");
            let (before, after) = if first { (own.clone(), format!("\"params\":{params}")) } else { (format!("\"params\":{params}"), own.clone()) };
            let mut text = format!("{{\"jsonrpc\":\"2.0\",{before},\"method\":\"tools/call\",{after}}}").into_bytes();
            let from = if first { 17 } else { text.len() - 1 - own.len() };
            let at = place.index(text.len());
            prop_assume!(!(from..=from + own.len()).contains(&at));
            match how {
                0 => text.truncate(at),
                1 => text.insert(at, byte),
                2 => text[at] = byte,
                _ => drop(text.remove(at)),
            }
            if serde_json::from_slice::<Value>(&text).is_err() {
                let found = IdScan::of(&text);
                prop_assert!(found == id || found.is_null(), "{found} in {}", String::from_utf8_lossy(&text));
            }
        }

        /// However the pieces come.
        #[test]
        fn pieces_of_any_size_give_the_same(text in "[{}\\[\\],:\"a-d0-9\\\\ ]{0,40}|\\{\"id\":[0-9]{1,3},\"x\":[a\"{}]{0,9}", size in 1usize..9) {
            let mut scan = IdScan::default();
            text.trim_ascii_end().as_bytes().chunks(size).for_each(|piece| scan.feed(piece));
            prop_assert_eq!(scan.id(), IdScan::of(text.as_bytes()));
        }

        #[test]
        fn any_bytes_at_all_end_nothing(mut text in prop::collection::vec(any::<u8>(), 0..300)) {
            let length = text.len();
            IdScan::of(&text);
            whole_characters(&mut text);
            prop_assert_eq!(text.len(), length);
        }
    }
}
