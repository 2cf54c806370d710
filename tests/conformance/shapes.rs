//! The JSON that the suite names: contents, requests to the client, schemas.

use serde_json::{Map, Value, json};

/// A picture of one dot.
pub const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/// A sound of no length.
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";

pub fn image() -> Value {
    json!({"type": "image", "data": PNG, "mimeType": "image/png"})
}

pub fn embedded(uri: &str) -> Value {
    let text = "This is an embedded resource content.";
    json!({"type": "resource", "resource": {"uri": uri, "mimeType": "text/plain", "text": text}})
}

pub fn sound() -> Value {
    json!({"type": "audio", "data": WAV, "mimeType": "audio/wav"})
}

pub fn sampling(text: &str, tokens: u32) -> Value {
    json!({"messages": [{"role": "user", "content": {"type": "text", "text": text}}], "maxTokens": tokens})
}

pub fn form(message: &str, fields: &[&str]) -> Value {
    let properties: Map<String, Value> = fields
        .iter()
        .map(|field| ((*field).to_owned(), json!({"type": "string"})))
        .collect();
    json!({"message": message, "requestedSchema": {"type": "object", "properties": properties, "required": fields}})
}

pub fn eliciting(message: &str, field: &str) -> Value {
    json!({"method": "elicitation/create", "params": form(message, &[field])})
}

pub fn defaults() -> Value {
    json!({"message": "Please look at the defaults", "requestedSchema": {"type": "object", "properties": {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": true},
    }}})
}

pub fn enums() -> Value {
    let titled = |word: &str| -> Vec<Value> {
        ["value1", "value2", "value3"]
            .map(|value| json!({"const": value, "title": format!("{word} of {value}")}))
            .into()
    };
    let plain = ["option1", "option2", "option3"];
    json!({"message": "Please choose", "requestedSchema": {"type": "object", "properties": {
        "untitledSingle": {"type": "string", "enum": plain},
        "titledSingle": {"type": "string", "oneOf": titled("Option")},
        "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"], "enumNames": ["One", "Two", "Three"]},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": plain}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled("Choice")}},
    }}})
}

pub fn schema_2020_12() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {"address": {"$anchor": "addressDef", "type": "object", "properties": {
            "street": {"type": "string"}, "city": {"type": "string"},
        }}},
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false,
    })
}

/// An argument that is also sent as a header.
pub fn headed() -> Value {
    json!({"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}})
}
