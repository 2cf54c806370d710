//! The Messages API of Anthropic, version 2023-06-01: <https://docs.claude.com/en/api/messages-streaming>.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::api::Choice;
use super::error::{ModelError, said};
use super::exchange::{Piece, Reading, Reply, Request, Stop, Usage, Written, count, text};
use crate::play::message::{Call, CallResult, Message};
use rollbook_table::tools::Form;

/// What the API is to keep of a request, to read it the next time for a tenth of the price.
fn kept() -> Value {
    json!({"type": "ephemeral"})
}

pub fn body(choice: &Choice, request: Request<'_>) -> Value {
    let tools: Vec<Value> = request.tools.iter().map(|tool| tool.schema(Form::Anthropic)).collect();
    let mut body = json!({
        "model": choice.model,
        "max_tokens": request.tokens_max,
        "stream": true,
        "system": [{"type": "text", "text": request.system, "cache_control": kept()}],
        "messages": messages(request.messages),
    });
    if let (Some(fields), false) = (body.as_object_mut(), tools.is_empty()) {
        fields.insert("tools".to_owned(), tools.into());
        // Tools that were called must still be named.
        let choice = if request.may_call { "auto" } else { "none" };
        fields.insert("tool_choice".to_owned(), json!({"type": choice}));
    }
    body
}

/// The conversation: turns of the two sides, one after the other, each with its blocks.
fn messages(all: &[Message]) -> Vec<Value> {
    let mut turns: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in all {
        let (role, blocks) = match message {
            Message::User(text) => ("user", vec![json!({"type": "text", "text": text})]),
            Message::Model { text, calls } => ("assistant", spoken(text, calls)),
            Message::Results(results) => {
                let block = |own: &CallResult| json!({"type": "tool_result", "tool_use_id": own.id, "content": own.text, "is_error": own.is_error});
                ("user", results.iter().map(block).collect())
            }
        };
        match turns.last_mut() {
            Some((last, kept)) if *last == role => kept.extend(blocks),
            Some(_) | None => turns.push((role, blocks)),
        }
    }
    turns.retain(|(_, blocks)| !blocks.is_empty());
    if let Some(last) = turns.last_mut().and_then(|(_, blocks)| blocks.last_mut()?.as_object_mut()) {
        last.insert("cache_control".to_owned(), kept());
    }
    turns.into_iter().map(|(role, blocks)| json!({"role": role, "content": blocks})).collect()
}

fn spoken(text: &str, calls: &[Call]) -> Vec<Value> {
    let words = (!text.trim().is_empty()).then(|| json!({"type": "text", "text": text}));
    let call = |own: &Call| {
        // Arguments of a wrong shape were refused; the API takes none but an object.
        let input = if own.arguments.is_object() { own.arguments.clone() } else { Value::Object(Map::new()) };
        json!({"type": "tool_use", "id": own.id, "name": own.name, "input": input})
    };
    words.into_iter().chain(calls.iter().map(call)).collect()
}

#[derive(Debug, Default)]
pub struct Stream {
    text: String,
    /// By the place of their block.
    calls: BTreeMap<u64, Written>,
    stop: Option<Stop>,
    usage: Usage,
    is_over: bool,
}

impl Reading for Stream {
    fn read(&mut self, event: Value) -> Result<Vec<Piece>, ModelError> {
        let place = count(&event, "/index");
        match text(&event, "/type") {
            "message_start" => {
                let used = |name: &str| count(&event, &format!("/message/usage/{name}"));
                self.usage.read =
                    used("input_tokens") + used("cache_read_input_tokens") + used("cache_creation_input_tokens");
            }
            "content_block_start" => match text(&event, "/content_block/type") {
                "text" => return Ok(self.said(text(&event, "/content_block/text"))),
                "tool_use" => {
                    let name = text(&event, "/content_block/name").to_owned();
                    let id = text(&event, "/content_block/id").to_owned();
                    self.calls.insert(place, Written { id, name: name.clone(), arguments: String::new() });
                    return Ok(vec![Piece::Call(name)]);
                }
                _ => {}
            },
            "content_block_delta" => match text(&event, "/delta/type") {
                "text_delta" => return Ok(self.said(text(&event, "/delta/text"))),
                "input_json_delta" => {
                    if let Some(call) = self.calls.get_mut(&place) {
                        call.arguments.push_str(text(&event, "/delta/partial_json"));
                    }
                }
                _ => {}
            },
            "message_delta" => {
                self.usage.written = self.usage.written.max(count(&event, "/usage/output_tokens"));
                self.stop = match text(&event, "/delta/stop_reason") {
                    "" => self.stop,
                    "tool_use" => Some(Stop::Calls),
                    "max_tokens" | "model_context_window_exceeded" => Some(Stop::Length),
                    "refusal" => Some(Stop::Refused),
                    _ => Some(Stop::Done),
                };
            }
            "message_stop" => self.is_over = true,
            "error" => return Err(error(&event)),
            // The API may send events of kinds that are new.
            _ => {}
        }
        Ok(Vec::new())
    }

    fn is_over(&self) -> bool {
        self.is_over
    }

    fn reply(self: Box<Self>) -> Reply {
        Reply {
            text: self.text,
            calls: self.calls.into_values().map(Written::call).collect(),
            stop: self.stop.unwrap_or_default(),
            usage: self.usage,
        }
    }
}

impl Stream {
    fn said(&mut self, text: &str) -> Vec<Piece> {
        self.text.push_str(text);
        if text.is_empty() { Vec::new() } else { vec![Piece::Text(text.to_owned())] }
    }
}

/// An error in the middle of a stream.
fn error(event: &Value) -> ModelError {
    let words = said(text(event, "/error/message"));
    match text(event, "/error/type") {
        "overloaded_error" | "rate_limit_error" => ModelError::Busy { said: words, seconds: None },
        "api_error" => ModelError::Failed { said: words, seconds: None },
        _ => ModelError::Refused { status: 200, said: words },
    }
}
