//! A conversation with a model, whichever API it is behind.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use rollbook_table::tools::{ToolCall, ToolEntry};
use rollbook_text::secrets::Secrets;

/// One part of a conversation.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    User(String),
    /// Arguments are an object, unless the model sent otherwise; no JSON is a string.
    Model {
        text: String,
        calls: Vec<ToolCall>,
    },
    Results(Vec<CallResult>),
}

/// What a call came to.
#[derive(Debug, Clone, PartialEq)]
pub struct CallResult {
    pub id: String,
    pub name: String,
    pub text: String,
    pub is_error: bool,
}

impl Message {
    /// Bytes that a model reads of it, without what an API puts around them.
    pub fn bytes(&self) -> usize {
        match self {
            Message::User(text) => text.len(),
            Message::Model { text, calls } => {
                text.len()
                    + calls
                        .iter()
                        .map(|call| call.name.len() + call.arguments.to_string().len())
                        .sum::<usize>()
            }
            Message::Results(results) => results.iter().map(|result| result.text.len()).sum(),
        }
    }
}

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
    pub calls: Vec<ToolCall>,
    pub stop: Stop,
    pub usage: Usage,
}

/// Why a reply ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stop {
    /// The model is done.
    #[default]
    Done,
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
    pub stop: Stop,
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

    /// The whole reply, keys masked; calls without an id get one by their place.
    pub fn reply(self, secrets: &Secrets) -> Reply {
        let call = |(
            place,
            DraftCall {
                mut id,
                name,
                arguments: text,
            },
        )| {
            if id.is_empty() {
                id = format!("call_{place}");
            }
            // Nothing at all means that there are none.
            let arguments = match text.trim() {
                "" => json!({}),
                written => serde_json::from_str(written).unwrap_or_else(|_| written.into()),
            };
            ToolCall {
                id,
                name: secrets.masked(&name),
                arguments: secrets.mask(arguments),
            }
        };
        let (text, calls) = (
            secrets.masked(&self.text),
            self.calls.into_iter().map(call).collect(),
        );
        Reply {
            text,
            calls,
            stop: self.stop,
            usage: self.usage,
        }
    }
}

/// Arguments as they are sent again: APIs take none but an object, and others were refused.
pub fn as_object(arguments: &Value) -> Value {
    if arguments.is_object() {
        arguments.clone()
    } else {
        json!({})
    }
}

pub fn count(event: &Value, place: &str) -> u64 {
    event.pointer(place).and_then(Value::as_u64).unwrap_or(0)
}

pub fn text<'e>(event: &'e Value, place: &str) -> &'e str {
    event
        .pointer(place)
        .and_then(Value::as_str)
        .unwrap_or_default()
}
