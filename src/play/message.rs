//! The parts of a conversation with a model, apart from how any API writes them.

use serde_json::Value;

/// One part of a conversation.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    User(String),
    Model { text: String, calls: Vec<Call> },
    Results(Vec<CallResult>),
}

/// A call that a model asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// By which its result is found; only within its own message.
    pub id: String,
    /// A tool's, if the model did not invent it.
    pub name: String,
    /// An object, unless the model sent something else; text that is no JSON at all is a string.
    pub arguments: Value,
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
                text.len() + calls.iter().map(|call| call.name.len() + call.arguments.to_string().len()).sum::<usize>()
            }
            Message::Results(results) => results.iter().map(|result| result.text.len()).sum(),
        }
    }
}

/// What the arguments of a call are, from the text that a model wrote: nothing at all means that there are none.
pub fn arguments(text: &str) -> Value {
    match text.trim() {
        "" => Value::Object(serde_json::Map::new()),
        written => serde_json::from_str(written).unwrap_or_else(|_| Value::from(written)),
    }
}
