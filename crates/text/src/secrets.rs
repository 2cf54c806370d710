//! Keys of the environment, taken out of everything that an endpoint says: a server may repeat the
//! key that it was sent, in an error or in the model's own words.

use serde_json::Value;

const MASK: &str = "[key]";
const KEY_MIN: usize = 8; // Bytes below which a value is no key but a word that anything could hold

/// The key that requests have, and the values that are shown nowhere.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Secrets(Option<String>, Vec<String>);

impl std::fmt::Debug for Secrets {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("Secrets(…)")
    }
}

impl Secrets {
    /// The key, and these values without those of less than 8 bytes.
    pub fn new(key: Option<String>, values: impl IntoIterator<Item = String>) -> Secrets {
        let mut values: Vec<String> = values
            .into_iter()
            .filter(|value| value.len() >= KEY_MIN)
            .collect();
        // One may begin with another: the longest is looked for first.
        values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        Secrets(key, values)
    }

    /// The key that requests have.
    pub fn key(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// The text without them.
    pub fn masked(&self, text: &str) -> String {
        self.scan(text, true).0
    }

    /// All texts of a value without them, names of fields too.
    pub fn mask(&self, value: Value) -> Value {
        match value {
            Value::String(text) => self.masked(&text).into(),
            Value::Array(all) => all.into_iter().map(|value| self.mask(value)).collect(),
            Value::Object(fields) => fields
                .into_iter()
                .map(|(name, value)| (self.masked(&name), self.mask(value)))
                .collect(),
            other @ (Value::Null | Value::Bool(_) | Value::Number(_)) => other,
        }
    }

    /// What can be shown of a text, and what may be the beginning of a key that goes on after it.
    fn scan<'t>(&self, text: &'t str, is_whole: bool) -> (String, &'t str) {
        let mut shown = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(letter) = rest.chars().next() {
            if !is_whole
                && self
                    .1
                    .iter()
                    .any(|key| key.len() > rest.len() && key.starts_with(rest))
            {
                break;
            }
            let after = self
                .1
                .iter()
                .find_map(|key| rest.strip_prefix(key.as_str()));
            match after {
                Some(_) => shown.push_str(MASK),
                None => shown.push(letter),
            }
            rest = after.unwrap_or_else(|| rest.get(letter.len_utf8()..).unwrap_or_default());
        }
        (shown, rest)
    }
}

/// A text that comes in pieces: of each what can be shown is, and an end that could begin a key
/// waits for the next.
#[derive(Debug, Default)]
pub struct Held(String);

impl Held {
    /// What can be shown, now that this came.
    pub fn push(&mut self, more: &str, secrets: &Secrets) -> String {
        self.0.push_str(more);
        let (shown, rest) = secrets.scan(&self.0, false);
        self.0 = rest.to_owned();
        shown
    }

    /// What waited, when nothing more comes.
    pub fn rest(&mut self, secrets: &Secrets) -> String {
        secrets.masked(&std::mem::take(&mut self.0))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Held, Secrets};

    fn secrets() -> Secrets {
        Secrets::new(
            None,
            [
                "abcab-abcab".to_owned(),
                "abcab-abcab-more".to_owned(),
                "short".to_owned(),
            ],
        )
    }

    #[test]
    fn the_whole_value_is_taken_out_and_short_ones_are_none() {
        let of = |text: &str| secrets().masked(text);
        assert_eq!(
            of("Bearer abcab-abcab, abcab-abcab-more."),
            "Bearer [key], [key]."
        );
        assert_eq!(
            of("abcab-abcabcab-abcab short abcab-"),
            "[key]cab-abcab short abcab-"
        );
        let value = secrets().mask(serde_json::json!({"abcab-abcab": ["é abcab-abcab", 1, null]}));
        assert_eq!(value, serde_json::json!({"[key]": ["é [key]", 1, null]}));
    }

    proptest! {
        #[test]
        fn it_does_not_matter_where_a_text_is_cut(
            words in proptest::collection::vec("abcab-abcab|abcab-abcab-more|abcab-|é |abc|-", 0..8), width in 1usize..9,
        ) {
            let text = words.concat();
            let (mut held, mut shown) = (Held::default(), String::new());
            let letters: Vec<char> = text.chars().collect();
            for piece in letters.chunks(width) {
                shown.push_str(&held.push(&piece.iter().collect::<String>(), &secrets()));
            }
            shown.push_str(&held.rest(&secrets()));
            prop_assert_eq!(shown, secrets().masked(&text));
        }
    }
}
