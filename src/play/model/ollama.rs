//! Ollama's own API: <https://docs.ollama.com/api>. Unlike the one that it has from OpenAI it can be told how much the model reads;
//! it would otherwise read the last few thousand tokens and say nothing of the rest.

use serde_json::{Value, json};

use super::error::{ModelError, shown};
use super::exchange::{Draft, DraftCall, Piece, Request, Stop, Usage, as_object, chat_messages, count, text};
use rollbook_table::tools::Form;

pub fn body(model: &str, request: Request<'_>) -> Value {
    let messages = chat_messages(
        request,
        |call| json!({"function": {"name": call.name, "arguments": as_object(&call.arguments)}}),
        |result| json!({"role": "tool", "tool_name": result.name, "content": result.text}),
    );
    let options = json!({"num_ctx": request.context, "num_predict": request.tokens_max});
    let mut body = json!({"model": model, "stream": true, "options": options, "messages": messages});
    // It has no other way to say that no tool may be called.
    if let (Some(fields), true) = (body.as_object_mut(), request.may_call && !request.tools.is_empty()) {
        fields.insert("tools".to_owned(), request.tools.iter().map(|tool| tool.schema(Form::Function)).collect());
    }
    body
}

/// Reads an event. Calls have no id here; their order tells them apart.
pub fn read(draft: &mut Draft, event: &Value) -> Result<Vec<Piece>, ModelError> {
    if let Some(error) = event.get("error").and_then(Value::as_str) {
        return Err(ModelError::Refused { status: 200, message: shown(error) });
    }
    if event.get("message").is_none() && event.get("done").is_none() {
        return Err(ModelError::garbled(&event.to_string()));
    }
    let mut pieces: Vec<Piece> = draft.add_text(text(event, "/message/content")).into_iter().collect();
    for call in event.pointer("/message/tool_calls").and_then(Value::as_array).into_iter().flatten() {
        let name = text(call, "/function/name").to_owned();
        let arguments = match call.pointer("/function/arguments") {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(written)) => written.clone(),
            Some(sent) => sent.to_string(),
        };
        pieces.push(Piece::Call(name.clone()));
        draft.calls.insert(draft.calls.len() as u64, DraftCall { id: String::new(), name, arguments });
    }
    if event.get("done").and_then(Value::as_bool) == Some(true) {
        draft.usage = Usage { read: count(event, "/prompt_eval_count"), written: count(event, "/eval_count") };
        draft.is_whole = true;
        draft.stop = Some(match text(event, "/done_reason") {
            "length" => Stop::Length,
            _ if !draft.calls.is_empty() => Stop::Calls,
            _ => Stop::Done,
        });
    }
    Ok(pieces)
}
