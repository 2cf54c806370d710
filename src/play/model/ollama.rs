//! Ollama's own API: <https://docs.ollama.com/api>. Unlike the one that it has from OpenAI it can be told how much the model reads;
//! it would otherwise read the last few thousand tokens and say nothing of the rest.

use serde_json::{Value, json};

use super::api::Choice;
use super::error::{ModelError, said};
use super::exchange::{Piece, Reading, Reply, Request, Stop, Usage, count, text};
use crate::play::message::{Call, CallResult, Message, arguments};
use rollbook_table::tools::Form;

pub fn body(choice: &Choice, request: Request<'_>) -> Value {
    let system = json!({"role": "system", "content": request.system});
    let mut body = json!({
        "model": choice.model,
        "stream": true,
        "options": {"num_ctx": request.context, "num_predict": request.tokens_max},
        "messages": std::iter::once(system).chain(request.messages.iter().flat_map(written)).collect::<Vec<Value>>(),
    });
    // It has no other way to say that no tool may be called.
    if let (Some(fields), true) = (body.as_object_mut(), request.may_call && !request.tools.is_empty()) {
        fields.insert("tools".to_owned(), request.tools.iter().map(|tool| tool.schema(Form::Function)).collect());
    }
    body
}

fn written(message: &Message) -> Vec<Value> {
    match message {
        Message::User(text) => vec![json!({"role": "user", "content": text})],
        Message::Model { text, calls } => {
            let call = |own: &Call| {
                let arguments = if own.arguments.is_object() { own.arguments.clone() } else { json!({}) };
                json!({"function": {"name": own.name, "arguments": arguments}})
            };
            let mut spoken = json!({"role": "assistant", "content": text});
            if let (Some(fields), false) = (spoken.as_object_mut(), calls.is_empty()) {
                fields.insert("tool_calls".to_owned(), calls.iter().map(call).collect());
            }
            vec![spoken]
        }
        Message::Results(results) => {
            let result = |own: &CallResult| json!({"role": "tool", "tool_name": own.name, "content": own.text});
            results.iter().map(result).collect()
        }
    }
}

#[derive(Debug, Default)]
pub struct Stream {
    text: String,
    calls: Vec<Call>,
    stop: Option<Stop>,
    usage: Usage,
}

impl Reading for Stream {
    fn read(&mut self, event: Value) -> Result<Vec<Piece>, ModelError> {
        if let Some(error) = event.get("error").and_then(Value::as_str) {
            return Err(ModelError::Refused { status: 200, said: said(error) });
        }
        if event.get("message").is_none() && event.get("done").is_none() {
            return Err(ModelError::garbled(&event.to_string()));
        }
        let mut pieces = Vec::new();
        let words = text(&event, "/message/content");
        if !words.is_empty() {
            self.text.push_str(words);
            pieces.push(Piece::Text(words.to_owned()));
        }
        for call in event.pointer("/message/tool_calls").and_then(Value::as_array).into_iter().flatten() {
            let name = text(call, "/function/name").to_owned();
            let sent = call.pointer("/function/arguments");
            let arguments = match sent {
                Some(Value::String(written)) => arguments(written),
                Some(sent) if !sent.is_null() => sent.clone(),
                _ => json!({}),
            };
            pieces.push(Piece::Call(name.clone()));
            // A call has no name of its own here; the order tells them apart.
            self.calls.push(Call { id: format!("call_{}", self.calls.len()), name, arguments });
        }
        if event.get("done").and_then(Value::as_bool) == Some(true) {
            self.usage = Usage { read: count(&event, "/prompt_eval_count"), written: count(&event, "/eval_count") };
            self.stop = Some(match text(&event, "/done_reason") {
                "length" => Stop::Length,
                _ if !self.calls.is_empty() => Stop::Calls,
                _ => Stop::Done,
            });
        }
        Ok(pieces)
    }

    fn is_over(&self) -> bool {
        self.stop.is_some()
    }

    fn reply(self: Box<Self>) -> Reply {
        Reply { text: self.text, calls: self.calls, stop: self.stop.unwrap_or_default(), usage: self.usage }
    }
}
