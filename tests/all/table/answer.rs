//! What a call came to: a reply, or a refusal that somebody has to look at.

use std::cell::Cell;
use std::ops::Index;

use serde_json::Value;

/// A reply or a refusal. Reading a field of a refusal as if it were a reply fails; so does never looking at a refusal.
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
        Answer { value, refused: false, reads: false, seen: Cell::new(true) }
    }

    pub fn refusal(value: Value, reads: bool) -> Answer {
        Answer { value, refused: true, reads, seen: Cell::new(false) }
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
        assert_eq!(self.value["rolled"], false, "a refusal says that nothing was rolled");
        let summary = self.value["summary"].as_str().expect("a summary");
        let said = summary.matches("Nothing was").count();
        assert_eq!(said, usize::from(!self.reads), "a refusal says once that nothing happened: {summary}");
        assert!(summary.chars().count() <= 600, "a refusal is short: {summary}");
        &self.value
    }

    /// A text field of the reply.
    #[track_caller]
    pub fn text(&self, field: &str) -> &str {
        self[field].as_str().unwrap_or_else(|| panic!("{field} is text in {}", self.value))
    }

    /// What players may hear, without the receipt that may stand at its end.
    pub fn told(&self) -> &str {
        let text = self.text("player_text");
        text.split_once(" Receipt: #").map_or(text, |(told, _)| told)
    }

    /// A number field of the reply.
    #[track_caller]
    pub fn number(&self, field: &str) -> i64 {
        self[field].as_i64().unwrap_or_else(|| panic!("{field} is a number in {}", self.value))
    }
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
            panic!("nobody looked at this refusal: {}", self.value);
        }
    }
}
