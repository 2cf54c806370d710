//! What is asked of a model and what it answers, whichever API it is behind.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::play::message::{Call, Message, arguments};
use rollbook_table::tools::ToolEntry;

/// What a model is asked.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// What it reads before everything else.
    pub system: &'a str,
    pub messages: &'a [Message],
    pub tools: &'a [ToolEntry],
    pub may_call: bool,
    pub tokens_max: u32,
    pub context: u32,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reply {
    pub text: String,
    pub calls: Vec<Call>,
    pub stop: Stop,
    pub usage: Usage,
}

/// Why a reply ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stop {
    /// The model is done.
    #[default]
    Done,
    Calls,
    Length,
    Refused,
}

/// Tokens, as the API counts them; 0 where it does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    pub read: u64,
    pub written: u64,
}

/// A reply that is put together from the events of a stream.
#[derive(Debug, Default)]
pub struct Draft {
    text: String,
    /// By their place in the reply.
    pub calls: BTreeMap<u64, DraftCall>,
    pub stop: Option<Stop>,
    pub usage: Usage,
    /// Whether the API said that the reply is over.
    pub is_whole: bool,
}

/// A call whose arguments are being written.
#[derive(Debug, Default)]
pub struct DraftCall {
    pub id: String,
    pub name: String,
    pub arguments: String,
}

impl Draft {
    /// Adds words, and gives them back to be shown.
    pub fn add_text(&mut self, text: &str) -> Option<String> {
        self.text.push_str(text);
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// The reply; calls without an id get one by their place.
    pub fn reply(self) -> Reply {
        let call = |(place, DraftCall { mut id, name, arguments: text })| {
            if id.is_empty() {
                id = format!("call_{place}");
            }
            Call { id, name, arguments: arguments(&text) }
        };
        let calls = self.calls.into_iter().map(call).collect();
        Reply { text: self.text, calls, stop: self.stop.unwrap_or_default(), usage: self.usage }
    }
}

/// Arguments as they are sent again: APIs take none but an object, and others were refused.
pub fn as_object(arguments: &Value) -> Value {
    if arguments.is_object() { arguments.clone() } else { json!({}) }
}

pub fn count(event: &Value, place: &str) -> u64 {
    event.pointer(place).and_then(Value::as_u64).unwrap_or(0)
}

pub fn text<'e>(event: &'e Value, place: &str) -> &'e str {
    event.pointer(place).and_then(Value::as_str).unwrap_or_default()
}
