//! Chat completions, as OpenAI and most servers of models have them:
//! <https://platform.openai.com/docs/api-reference/chat-streaming>.

use serde_json::{Value, json};

use super::api::{Api, Choice};
use super::error::{ModelError, shown};
use super::exchange::{Draft, Piece, Request, Stop, Usage, as_object, chat_messages, count, text};
use rollbook_table::tools::Form;

pub fn body(choice: &Choice, request: Request<'_>) -> Value {
    let mut messages = chat_messages(
        request,
        // Arguments are JSON in a text here.
        |call| json!({"id": call.id, "type": "function", "function": {"name": call.name, "arguments": as_object(&call.arguments).to_string()}}),
        |result| json!({"role": "tool", "tool_call_id": result.id, "content": result.text}),
    );
    for message in messages.iter_mut().filter(|message| message.get("tool_calls").is_some()) {
        if let Some(content) = message.get_mut("content").filter(|content| *content == "") {
            *content = Value::Null;
        }
    }
    let mut body = json!({
        "model": choice.model,
        "stream": true,
        "stream_options": {"include_usage": true},
        "messages": messages,
    });
    let Some(fields) = body.as_object_mut() else { return body };
    // OpenAI's newer models refuse the old name, and other servers do not know the new one.
    let most = if choice.endpoint == Api::OpenAi.facts().endpoint { "max_completion_tokens" } else { "max_tokens" };
    fields.insert(most.to_owned(), request.tokens_max.into());
    // Of a last answer the tools are left out: not every server knows that it may be told not to call them.
    if request.may_call && !request.tools.is_empty() {
        fields.insert("tools".to_owned(), request.tools.iter().map(|tool| tool.schema(Form::Function)).collect());
    }
    body
}

/// Reads an event. How much was used may come after the reply is whole.
pub fn read(draft: &mut Draft, event: &Value) -> Result<Vec<Piece>, ModelError> {
    if let Some(error) = event.get("error").filter(|error| !error.is_null()) {
        return Err(in_stream(error));
    }
    if let Some(used) = event.get("usage").filter(|used| used.is_object()) {
        draft.usage = Usage { read: count(used, "/prompt_tokens"), written: count(used, "/completion_tokens") };
    }
    let mut pieces: Vec<Piece> = draft.add_text(text(event, "/choices/0/delta/content")).into_iter().collect();
    let calls = event.pointer("/choices/0/delta/tool_calls").and_then(Value::as_array);
    for (nth, sent) in (0..).zip(calls.into_iter().flatten()) {
        // Some servers send whole calls, and leave out which it is.
        let place = sent.get("index").and_then(Value::as_u64).unwrap_or(draft.calls.len() as u64 + nth);
        let call = draft.calls.entry(place).or_default();
        let (id, name) = (text(sent, "/id"), text(sent, "/function/name"));
        if call.id.is_empty() {
            call.id = id.to_owned();
        }
        if call.name.is_empty() && !name.is_empty() {
            call.name = name.to_owned();
            pieces.push(Piece::Call(name.to_owned()));
        }
        call.arguments.push_str(text(sent, "/function/arguments"));
    }
    let stop = match text(event, "/choices/0/finish_reason") {
        "" => return Ok(pieces),
        "tool_calls" | "function_call" => Stop::Calls,
        "length" => Stop::Length,
        "content_filter" => Stop::Refused,
        _ => Stop::Done,
    };
    (draft.stop, draft.is_whole) = (Some(stop), true);
    Ok(pieces)
}

fn in_stream(error: &Value) -> ModelError {
    let message = shown(error.as_str().unwrap_or_else(|| text(error, "/message")));
    let kind = format!("{} {}", text(error, "/type"), text(error, "/code"));
    if kind.contains("rate_limit") || kind.contains("overloaded") {
        ModelError::Busy { message, seconds: None }
    } else if kind.contains("server_error") {
        ModelError::Failed { message, seconds: None }
    } else {
        ModelError::Refused { status: 200, message }
    }
}
