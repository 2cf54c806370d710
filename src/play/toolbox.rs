//! The tools of the table, called in this process: the very ones that the server has.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::message::{Call, CallResult};
use crate::session::{CallError, Caller, Host};
use crate::tools::{Registry, ToolCall, ToolEntry, ToolResult, reply};

/// Bytes of a result that a model reads; what is longer is cut.
pub const RESULT_MAX: usize = 24_000;
/// What only programs send; and there is one campaign at this table.
const LEFT_OUT: [&str; 3] = ["campaign", "request_id", "after"];

/// What a call came to.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// It was carried out, or looked something up.
    Done(Map<String, Value>),
    /// Nothing was done; the reply says what to send instead.
    Refused(Map<String, Value>),
    /// Something broke.
    Failed(String),
}

impl Outcome {
    fn of(result: &ToolResult) -> Outcome {
        let content = result.content.clone();
        if result.is_error { Outcome::Refused(content) } else { Outcome::Done(content) }
    }

    /// Its sentence for the GM.
    pub fn summary(&self) -> &str {
        match self {
            Outcome::Done(reply) | Outcome::Refused(reply) => text(reply, "summary"),
            Outcome::Failed(why) => why,
        }
    }

    /// What players may hear of it; nothing where nothing happened, or nobody may know.
    pub fn players(&self) -> Option<&str> {
        let Outcome::Done(reply) = self else { return None };
        match (text(reply, "players"), text(reply, "player_text")) {
            ("same", _) => Some(text(reply, "summary")),
            (_, "") => None,
            (_, text) => Some(text),
        }
    }

    /// Whether it stands in the log.
    pub fn is_logged(&self) -> bool {
        matches!(self, Outcome::Done(reply) if reply.contains_key("log"))
    }

    /// What the model reads of it.
    fn result(&self, call: &Call) -> CallResult {
        let (text, is_error) = match self {
            Outcome::Done(reply) => (Value::Object(reply.clone()).to_string(), false),
            Outcome::Refused(refusal) => (Value::Object(refusal.clone()).to_string(), true),
            Outcome::Failed(why) => (format!("The tool failed: {why}"), true),
        };
        CallResult { id: call.id.clone(), name: call.name.clone(), text: cut(text), is_error }
    }
}

/// A text field of a reply; empty where there is none.
pub fn text<'r>(reply: &'r Map<String, Value>, name: &str) -> &'r str {
    reply.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The arguments of a call.
pub fn fields<const N: usize>(all: [(&str, Value); N]) -> Map<String, Value> {
    all.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The tools of one table.
#[derive(Clone)]
pub struct Toolbox {
    pub host: Arc<Host>,
    pub tools: Arc<Registry>,
}

impl Toolbox {
    pub fn new(host: Arc<Host>, tools: Registry) -> Toolbox {
        Toolbox { host, tools: Arc::new(tools) }
    }

    /// The tools as a model is told of them: without what only programs send.
    pub fn for_model(&self) -> Vec<ToolEntry> {
        let told = |tool: &Arc<ToolEntry>| {
            let mut told = ToolEntry::clone(tool);
            let mut input = (*tool.input).clone();
            if let Some(properties) = input.get_mut("properties").and_then(Value::as_object_mut)
                && !tool.is_external()
            {
                LEFT_OUT.iter().for_each(|own| drop(properties.remove(*own)));
            }
            told.input = input.into();
            told
        };
        self.tools.all().iter().map(told).collect()
    }

    /// Makes the calls of a model's reply, in the order of [`Registry::batch`]; `done` gets each outcome as it comes, with its call.
    pub async fn batch(&self, calls: &[Call], mut done: impl FnMut(&Call, &Outcome)) -> Vec<CallResult> {
        let sent =
            |call: &Call| ToolCall { id: call.id.clone(), name: call.name.clone(), arguments: call.arguments.clone() };
        let tell = |nth: usize, result: &ToolResult| {
            if let Some(call) = calls.get(nth) {
                done(call, &Outcome::of(result));
            }
        };
        let results = self.tools.batch(&self.host, &Caller::default(), calls.iter().map(sent).collect(), tell).await;
        calls.iter().zip(&results).map(|(call, result)| Outcome::of(result).result(call)).collect()
    }

    /// Makes a call that a person typed, or the table itself.
    pub async fn call(&self, tool: &str, arguments: Map<String, Value>) -> Outcome {
        let entry = match self.tools.for_seat(None, tool) {
            Ok(entry) => entry,
            Err(refusal) => return Outcome::Refused(reply::refused(&refusal)),
        };
        match entry.call(&self.host, arguments).await {
            Ok(reply) => Outcome::Done(reply),
            Err(CallError::Refusal(refusal)) => Outcome::Refused(reply::refused(&refusal)),
            Err(CallError::Failure(why)) => Outcome::Failed(why),
        }
    }
}

/// At most so many bytes, whole characters.
pub fn cut(mut text: String) -> String {
    if text.len() > RESULT_MAX {
        let end = (0..=RESULT_MAX).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        text.truncate(end);
        text.push_str("… (cut: ask for less)");
    }
    text
}
