//! Chat completions, as OpenAI and most servers of models have them:
//! <https://platform.openai.com/docs/api-reference/chat-streaming>.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::api::{Api, Choice};
use super::error::{ModelError, said};
use super::exchange::{Piece, Reading, Reply, Request, Stop, Usage, Written, count, text};
use crate::play::message::{Call, CallResult, Message};
use rollbook_table::tools::Form;

pub fn body(choice: &Choice, request: Request<'_>) -> Value {
    let system = json!({"role": "system", "content": request.system});
    let mut body = json!({
        "model": choice.model,
        "stream": true,
        "stream_options": {"include_usage": true},
        "messages": std::iter::once(system).chain(request.messages.iter().flat_map(written)).collect::<Vec<Value>>(),
    });
    let Some(fields) = body.as_object_mut() else { return body };
    // OpenAI's newer models refuse the old name, and other servers do not know the new one.
    let most = if choice.endpoint == Api::OpenAi.endpoint() { "max_completion_tokens" } else { "max_tokens" };
    fields.insert(most.to_owned(), request.tokens_max.into());
    // Of a last answer the tools are left out: not every server knows that it may be told not to call them.
    if request.may_call && !request.tools.is_empty() {
        fields.insert("tools".to_owned(), request.tools.iter().map(|tool| tool.schema(Form::Function)).collect());
    }
    body
}

fn written(message: &Message) -> Vec<Value> {
    match message {
        Message::User(text) => vec![json!({"role": "user", "content": text})],
        Message::Model { text, calls } if calls.is_empty() => vec![json!({"role": "assistant", "content": text})],
        Message::Model { text, calls } => {
            let call = |own: &Call| {
                let function = json!({"name": own.name, "arguments": as_text(&own.arguments)});
                json!({"id": own.id, "type": "function", "function": function})
            };
            let content = if text.is_empty() { Value::Null } else { text.as_str().into() };
            let calls: Vec<Value> = calls.iter().map(call).collect();
            vec![json!({"role": "assistant", "content": content, "tool_calls": calls})]
        }
        Message::Results(results) => {
            let result = |own: &CallResult| json!({"role": "tool", "tool_call_id": own.id, "content": own.text});
            results.iter().map(result).collect()
        }
    }
}

/// Arguments are JSON in a text here; of what was none, an empty object: servers read it again.
fn as_text(arguments: &Value) -> String {
    if arguments.is_object() { arguments.to_string() } else { "{}".to_owned() }
}

#[derive(Debug, Default)]
pub struct Stream {
    text: String,
    calls: BTreeMap<u64, Written>,
    stop: Option<Stop>,
    usage: Usage,
}

impl Reading for Stream {
    fn read(&mut self, event: Value) -> Result<Vec<Piece>, ModelError> {
        if let Some(error) = event.get("error").filter(|error| !error.is_null()) {
            return Err(in_stream(error));
        }
        if let Some(used) = event.get("usage").filter(|used| used.is_object()) {
            self.usage = Usage { read: count(used, "/prompt_tokens"), written: count(used, "/completion_tokens") };
        }
        let mut pieces = Vec::new();
        let words = text(&event, "/choices/0/delta/content");
        if !words.is_empty() {
            self.text.push_str(words);
            pieces.push(Piece::Text(words.to_owned()));
        }
        let calls = event.pointer("/choices/0/delta/tool_calls").and_then(Value::as_array);
        for (nth, call) in (0..).zip(calls.into_iter().flatten()) {
            // Some servers send whole calls, and leave out which it is.
            let place = call.get("index").and_then(Value::as_u64).unwrap_or(self.calls.len() as u64 + nth);
            let written = self.calls.entry(place).or_default();
            let (id, name) = (text(call, "/id"), text(call, "/function/name"));
            if written.id.is_empty() {
                written.id = id.to_owned();
            }
            if written.name.is_empty() && !name.is_empty() {
                written.name = name.to_owned();
                pieces.push(Piece::Call(name.to_owned()));
            }
            written.arguments.push_str(text(call, "/function/arguments"));
        }
        match text(&event, "/choices/0/finish_reason") {
            "" => {}
            "tool_calls" | "function_call" => self.stop = Some(Stop::Calls),
            "length" => self.stop = Some(Stop::Length),
            "content_filter" => self.stop = Some(Stop::Refused),
            _ => self.stop = Some(Stop::Done),
        }
        Ok(pieces)
    }

    /// How much was used may come behind the last piece, so the stream is read to its end.
    fn is_over(&self) -> bool {
        false
    }

    fn may_end(&self) -> bool {
        self.stop.is_some()
    }

    fn reply(self: Box<Self>) -> Reply {
        let call = |(place, mut own): (u64, Written)| {
            if own.id.is_empty() {
                own.id = format!("call_{place}");
            }
            own.call()
        };
        Reply {
            text: self.text,
            calls: self.calls.into_iter().map(call).collect(),
            stop: self.stop.unwrap_or_default(),
            usage: self.usage,
        }
    }
}

/// An error in the middle of a stream.
fn in_stream(error: &Value) -> ModelError {
    let words = error.as_str().map_or_else(|| said(text(error, "/message")), said);
    let kind = format!("{} {}", text(error, "/type"), text(error, "/code"));
    let is = |names: &[&str]| names.iter().any(|own| kind.contains(own));
    if is(&["rate_limit", "overloaded"]) {
        ModelError::Busy { said: words, seconds: None }
    } else if is(&["server_error"]) {
        ModelError::Failed { said: words, seconds: None }
    } else {
        ModelError::Refused { status: 200, said: words }
    }
}
