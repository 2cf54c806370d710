//! The Messages API of Anthropic, version 2023-06-01:
//! <https://docs.claude.com/en/api/messages-streaming>.

use serde_json::{Value, json};

use super::api::Choice;
use super::error::ModelError;
use super::exchange::{
    CallResult, Draft, DraftCall, Message, Request, Stop, as_object, count, text,
};
use rollbook_table::tools::{Form, ToolCall};

/// What the API is to keep of a request, to read it the next time for a tenth of the price.
fn kept() -> Value {
    json!({"type": "ephemeral"})
}

pub fn body(choice: &Choice, request: Request<'_>) -> Value {
    let mut body = json!({
        "model": choice.model,
        "max_tokens": request.tokens_max,
        "stream": true,
        "system": [{"type": "text", "text": request.system, "cache_control": kept()}],
        "messages": messages(request.messages),
    });
    if let (Some(fields), false) = (body.as_object_mut(), request.tools.is_empty()) {
        fields.insert(
            "tools".to_owned(),
            request
                .tools
                .iter()
                .map(|tool| tool.schema(Form::Anthropic))
                .collect(),
        );
        // Tools that were called must still be named.
        let may_call = if request.may_call { "auto" } else { "none" };
        fields.insert("tool_choice".to_owned(), json!({"type": may_call}));
    }
    body
}

/// The conversation: turns of the two sides, one after the other, each with its blocks.
fn messages(all: &[Message]) -> Vec<Value> {
    let result = |result: &CallResult| json!({"type": "tool_result", "tool_use_id": result.id, "content": result.text, "is_error": result.is_error});
    let call = |call: &ToolCall| json!({"type": "tool_use", "id": call.id, "name": call.name, "input": as_object(&call.arguments)});
    let mut turns: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in all {
        let (role, blocks) = match message {
            Message::User(text) => ("user", vec![json!({"type": "text", "text": text})]),
            Message::Model { text, calls } => {
                let words =
                    (!text.trim().is_empty()).then(|| json!({"type": "text", "text": text}));
                (
                    "assistant",
                    words.into_iter().chain(calls.iter().map(call)).collect(),
                )
            }
            Message::Results(results) => ("user", results.iter().map(result).collect()),
        };
        match turns.last_mut() {
            Some((last, kept)) if *last == role => kept.extend(blocks),
            Some(_) | None => turns.push((role, blocks)),
        }
    }
    turns.retain(|(_, blocks)| !blocks.is_empty());
    if let Some(last) = turns
        .last_mut()
        .and_then(|(_, blocks)| blocks.last_mut()?.as_object_mut())
    {
        last.insert("cache_control".to_owned(), kept());
    }
    turns
        .into_iter()
        .map(|(role, blocks)| json!({"role": role, "content": blocks}))
        .collect()
}

/// Reads an event: its words, none where a call begins or the kind is unknown.
pub fn read(draft: &mut Draft, event: &Value) -> Result<Option<String>, ModelError> {
    let place = count(event, "/index");
    let mut shown_text = None;
    match (
        text(event, "/type"),
        text(event, "/content_block/type"),
        text(event, "/delta/type"),
    ) {
        ("message_start", ..) => {
            let kinds = [
                "input_tokens",
                "cache_read_input_tokens",
                "cache_creation_input_tokens",
            ];
            draft.usage.read = kinds
                .iter()
                .map(|kind| count(event, &format!("/message/usage/{kind}")))
                .sum();
        }
        ("content_block_start", "text", _) => {
            shown_text = draft.add_text(text(event, "/content_block/text"))
        }
        ("content_block_start", "tool_use", _) => {
            let field = |name: &str| text(event, &format!("/content_block/{name}")).to_owned();
            shown_text = Some(String::new());
            draft.calls.insert(
                place,
                DraftCall {
                    id: field("id"),
                    name: field("name"),
                    arguments: String::new(),
                },
            );
        }
        ("content_block_delta", _, "text_delta") => {
            shown_text = draft.add_text(text(event, "/delta/text"))
        }
        ("content_block_delta", _, "input_json_delta") => {
            if let Some(call) = draft.calls.get_mut(&place) {
                call.arguments.push_str(text(event, "/delta/partial_json"));
            }
        }
        ("message_delta", ..) => {
            draft.usage.written = draft
                .usage
                .written
                .max(count(event, "/usage/output_tokens"));
            draft.stop = match text(event, "/delta/stop_reason") {
                "" => draft.stop,
                "max_tokens" | "model_context_window_exceeded" => Stop::Length,
                "refusal" => Stop::Refused,
                _ => Stop::Done,
            };
        }
        ("message_stop", ..) => draft.is_whole = true,
        ("error", ..) => {
            let kind = text(event, "/error/type");
            return Err(ModelError::in_stream(kind, text(event, "/error/message")));
        }
        _ => {}
    }
    Ok(shown_text)
}
