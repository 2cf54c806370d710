//! What is asked of a model and what it answers, whichever API it is behind; and how an API's events become a reply.

use serde_json::Value;

use super::error::ModelError;
use crate::play::message::{Call, Message, arguments};
use rollbook_table::tools::ToolEntry;

/// What a model is asked.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// What it is told before everything else.
    pub system: &'a str,
    pub messages: &'a [Message],
    pub tools: &'a [ToolEntry],
    /// Whether it may call them; they are named to it all the same.
    pub may_call: bool,
    /// The most that it may write, in tokens.
    pub tokens_max: u32,
    /// How much it can read and write together, in tokens.
    pub context: u32,
}

/// A piece of a reply that is being written.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    Text(String),
    /// The model began to write a call of this tool.
    Call(String),
}

/// A whole reply.
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
    /// The model had said everything.
    #[default]
    Done,
    /// It waits for the results of its calls.
    Calls,
    /// It wrote as much as it may.
    Length,
    /// The API did not let it go on.
    Refused,
}

/// Tokens, as the API counts them; 0 where it does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    pub read: u64,
    pub written: u64,
}

/// A reply that is put together from the events of a stream.
pub trait Reading {
    /// Reads one event; what the person at the keyboard can be shown of it.
    fn read(&mut self, event: Value) -> Result<Vec<Piece>, ModelError>;
    /// Whether the API said that nothing more comes.
    fn is_over(&self) -> bool;
    /// Whether what was read would be a whole reply, if the stream ended here.
    fn may_end(&self) -> bool {
        self.is_over()
    }
    fn reply(self: Box<Self>) -> Reply;
}

/// A call whose arguments are being written.
#[derive(Debug, Default)]
pub struct Written {
    pub id: String,
    pub name: String,
    pub arguments: String,
}

impl Written {
    /// The call, once all of it is there.
    pub fn call(self) -> Call {
        Call { id: self.id, name: self.name, arguments: arguments(&self.arguments) }
    }
}

/// A number of an event; 0 where there is none.
pub fn count(event: &Value, place: &str) -> u64 {
    event.pointer(place).and_then(Value::as_u64).unwrap_or(0)
}

/// A text of an event; empty where there is none.
pub fn text<'e>(event: &'e Value, place: &str) -> &'e str {
    event.pointer(place).and_then(Value::as_str).unwrap_or_default()
}
