//! Chat completions, as OpenAI and most servers of models have them,
//! <https://platform.openai.com/docs/api-reference/chat-streaming>, and Ollama's own API,
//! <https://docs.ollama.com/api>. Unlike the one that it has from OpenAI that can be told how much
//! the model reads; it would otherwise read the last few thousand tokens and say nothing of the
//! rest.

use serde_json::{Value, json};

use super::api::{Api, Choice};
use super::error::ModelError;
use super::exchange::{
    CallResult, Draft, DraftCall, Message, Request, Stop, Usage, as_object, count, text,
};
use rollbook_table::tools::{Form, ToolCall};

pub fn openai_body(choice: &Choice, request: Request<'_>) -> Value {
    let messages = messages(
        request,
        |text| {
            if text.is_empty() {
                Value::Null
            } else {
                text.into()
            }
        },
        // Arguments are JSON in a text here.
        |call| json!({"id": call.id, "type": "function", "function": {"name": call.name, "arguments": as_object(&call.arguments).to_string()}}),
        |result| json!({"role": "tool", "tool_call_id": result.id, "content": result.text}),
    );
    // OpenAI's newer models refuse the old name, and other servers do not know the new one.
    let most = if choice.endpoint == Api::OpenAi.facts().endpoint {
        "max_completion_tokens"
    } else {
        "max_tokens"
    };
    let usage = json!({"include_usage": true});
    let body = json!({"model": choice.model, "stream": true, "stream_options": usage, "messages": messages, most: request.tokens_max});
    with_tools(body, request)
}

pub fn ollama_body(choice: &Choice, request: Request<'_>) -> Value {
    let messages = messages(
        request,
        |text| text.into(),
        |call| json!({"function": {"name": call.name, "arguments": as_object(&call.arguments)}}),
        |result| json!({"role": "tool", "tool_name": result.name, "content": result.text}),
    );
    let options = json!({"num_ctx": request.context, "num_predict": request.tokens_max});
    let body =
        json!({"model": choice.model, "stream": true, "options": options, "messages": messages});
    with_tools(body, request)
}

/// The instructions, then a message each; `beside` is the text of one that has calls.
fn messages(
    request: Request<'_>,
    beside: fn(&str) -> Value,
    call: fn(&ToolCall) -> Value,
    result: fn(&CallResult) -> Value,
) -> Vec<Value> {
    let mut all = vec![json!({"role": "system", "content": request.system})];
    for message in request.messages {
        match message {
            Message::User(text) => all.push(json!({"role": "user", "content": text})),
            Message::Model { text, calls } if calls.is_empty() => {
                all.push(json!({"role": "assistant", "content": text}));
            }
            Message::Model { text, calls } => {
                let calls: Vec<Value> = calls.iter().map(call).collect();
                all.push(
                    json!({"role": "assistant", "content": beside(text), "tool_calls": calls}),
                );
            }
            Message::Results(results) => all.extend(results.iter().map(result)),
        }
    }
    all
}

/// A last answer has no tools: not every server can forbid calls.
fn with_tools(mut body: Value, request: Request<'_>) -> Value {
    if let (Some(fields), true) = (
        body.as_object_mut(),
        request.may_call && !request.tools.is_empty(),
    ) {
        fields.insert(
            "tools".to_owned(),
            request
                .tools
                .iter()
                .map(|tool| tool.schema(Form::Function))
                .collect(),
        );
    }
    body
}

/// Reads an event of OpenAI's API: its words, none where a call begins. Use may come last.
pub fn read_openai(draft: &mut Draft, event: &Value) -> Result<Option<String>, ModelError> {
    if let Some(error) = event.get("error").filter(|error| !error.is_null()) {
        let message = error.as_str().unwrap_or_else(|| text(error, "/message"));
        let kind = format!("{} {}", text(error, "/type"), text(error, "/code"));
        return Err(ModelError::in_stream(&kind, message));
    }
    if let Some(used) = event.get("usage").filter(|used| used.is_object()) {
        draft.usage = Usage {
            read: count(used, "/prompt_tokens"),
            written: count(used, "/completion_tokens"),
        };
    }
    let mut shown_text = draft.add_text(text(event, "/choices/0/delta/content"));
    let calls = event
        .pointer("/choices/0/delta/tool_calls")
        .and_then(Value::as_array);
    for (nth, sent) in (0..).zip(calls.into_iter().flatten()) {
        // Some servers send whole calls, and leave out which it is.
        let place = sent
            .get("index")
            .and_then(Value::as_u64)
            .unwrap_or(draft.calls.len() as u64 + nth);
        let call = draft.calls.entry(place).or_default();
        let (id, name) = (text(sent, "/id"), text(sent, "/function/name"));
        if call.id.is_empty() {
            call.id = id.to_owned();
        }
        if call.name.is_empty() && !name.is_empty() {
            call.name = name.to_owned();
            shown_text.get_or_insert_default();
        }
        call.arguments.push_str(text(sent, "/function/arguments"));
    }
    let stop = match text(event, "/choices/0/finish_reason") {
        "" => return Ok(shown_text),
        "length" => Stop::Length,
        "content_filter" => Stop::Refused,
        _ => Stop::Done,
    };
    (draft.stop, draft.is_whole) = (stop, true);
    Ok(shown_text)
}

/// Reads an event of Ollama. Calls have no id here; their order tells them apart.
pub fn read_ollama(draft: &mut Draft, event: &Value) -> Result<Option<String>, ModelError> {
    if let Some(error) = event.get("error").and_then(Value::as_str) {
        return Err(ModelError::in_stream("", error));
    }
    if event.get("message").is_none() && event.get("done").is_none() {
        return Err(ModelError::garbled(&event.to_string()));
    }
    let mut shown_text = draft.add_text(text(event, "/message/content"));
    for call in event
        .pointer("/message/tool_calls")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        let name = text(call, "/function/name").to_owned();
        let arguments = match call.pointer("/function/arguments") {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(written)) => written.clone(),
            Some(sent) => sent.to_string(),
        };
        shown_text.get_or_insert_default();
        draft.calls.insert(
            draft.calls.len() as u64,
            DraftCall {
                id: String::new(),
                name,
                arguments,
            },
        );
    }
    if event.get("done").and_then(Value::as_bool) == Some(true) {
        draft.usage = Usage {
            read: count(event, "/prompt_eval_count"),
            written: count(event, "/eval_count"),
        };
        draft.is_whole = true;
        if text(event, "/done_reason") == "length" {
            draft.stop = Stop::Length;
        }
    }
    Ok(shown_text)
}
