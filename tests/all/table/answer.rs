//! What a call came to: a reply, or a refusal that the test has to look at.

use std::cell::Cell;
use std::ops::Index;

use serde_json::Value;

/// A reply or a refusal. Reading a field of a refusal as if it were a reply fails; so does never
/// looking at a refusal.
#[derive(Debug)]
pub struct Answer {
    value: Value,
    refused: bool,
    /// Of a tool that only reads, so that nothing could have happened.
    reads: bool,
    seen: Cell<bool>,
}

impl Answer {
    pub fn reply(value: Value) -> Answer {
        Answer {
            value,
            refused: false,
            reads: false,
            seen: Cell::new(true),
        }
    }

    pub fn refusal(value: Value, reads: bool) -> Answer {
        Answer {
            value,
            refused: true,
            reads,
            seen: Cell::new(false),
        }
    }

    /// Whatever it is, unexamined.
    pub fn value(&self) -> &Value {
        &self.value
    }

    pub fn is_refused(&self) -> bool {
        self.seen.set(true);
        self.refused
    }

    /// The reply; fails on a refusal.
    #[track_caller]
    pub fn is_fine(&self) -> &Value {
        self.seen.set(true);
        assert!(!self.refused, "refused: {}", self.value);
        &self.value
    }

    /// The refusal with that code; fails on a reply and on any other code.
    #[track_caller]
    pub fn refused(&self, code: &str) -> &Value {
        self.seen.set(true);
        assert!(self.refused, "was not refused with {code}: {}", self.value);
        assert_eq!(self.value["code"], code, "{}", self.value);
        assert_eq!(
            self.value["rolled"], false,
            "a refusal says that nothing was rolled"
        );
        let summary = self.value["summary"].as_str().expect("a summary");
        let times = summary.matches("Nothing was").count();
        assert_eq!(
            times,
            usize::from(!self.reads),
            "a refusal says once that nothing happened: {summary}"
        );
        assert!(
            summary.chars().count() <= 600,
            "a refusal is short: {summary}"
        );
        &self.value
    }

    /// What the refusal with that code says.
    #[track_caller]
    pub fn refusal_text(&self, code: &str) -> &str {
        self.refused(code)["summary"].as_str().expect("a summary")
    }

    /// The same with each of these words in it.
    #[track_caller]
    pub fn refused_with(&self, code: &str, words: &[&str]) {
        has(self.refusal_text(code), words);
    }

    /// A text field of the reply.
    #[track_caller]
    pub fn text(&self, field: &str) -> &str {
        self[field]
            .as_str()
            .unwrap_or_else(|| panic!("{field} is text in {}", self.value))
    }

    /// A text field has each of these words in it.
    #[track_caller]
    pub fn has(&self, field: &str, words: &[&str]) {
        has(self.text(field), words);
    }

    #[track_caller]
    pub fn starts(&self, field: &str, words: impl AsRef<str>) {
        assert!(
            self.text(field).starts_with(words.as_ref()),
            "{}",
            self.text(field)
        );
    }

    #[track_caller]
    pub fn ends(&self, field: &str, words: impl AsRef<str>) {
        assert!(
            self.text(field).ends_with(words.as_ref()),
            "{}",
            self.text(field)
        );
    }

    /// What players may hear, without the receipt that may stand at its end.
    pub fn player_text(&self) -> &str {
        let text = self.text("player_text");
        text.split_once(" Receipt: #")
            .map_or(text, |(bare, _)| bare)
    }

    /// A number field of the reply.
    #[track_caller]
    pub fn number(&self, field: &str) -> i64 {
        self[field]
            .as_i64()
            .unwrap_or_else(|| panic!("{field} is a number in {}", self.value))
    }
}

/// The items of a list in a reply.
#[track_caller]
pub fn each(list: &Value) -> std::slice::Iter<'_, Value> {
    list.as_array()
        .unwrap_or_else(|| panic!("a list, not {list}"))
        .iter()
}

/// The rows of a table of cases that is written as JSON.
#[track_caller]
pub fn cases<const N: usize>(table: Value) -> Vec<[Value; N]> {
    let rows: Vec<Vec<Value>> = serde_json::from_value(table).expect("rows");
    rows.into_iter()
        .map(|row| row.try_into().expect("as many cells in each row"))
        .collect()
}

/// The text that a value is.
#[track_caller]
pub fn text(value: &Value) -> &str {
    value
        .as_str()
        .unwrap_or_else(|| panic!("a text, not {value}"))
}

/// Fails unless the text has each of these words in it.
#[track_caller]
pub fn has(text: impl AsRef<str>, words: &[&str]) {
    let text = text.as_ref();
    words
        .iter()
        .for_each(|words| assert!(text.contains(words), "{words:?} is missing: {text}"));
}

impl Index<&str> for Answer {
    type Output = Value;

    #[track_caller]
    fn index(&self, field: &str) -> &Value {
        &self.is_fine()[field]
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        if !self.seen.get() && !std::thread::panicking() {
            panic!("the test did not look at this refusal: {}", self.value);
        }
    }
}
