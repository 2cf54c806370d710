//! A client's message as it was sent: read to its last word, or answered with what is wrong with
//! it.

use rmcp::RoleServer;
use rmcp::service::RxJsonRpcMessage;
use serde_json::{Map, Value, json};

use super::request_id::id_of;

pub type Message = RxJsonRpcMessage<RoleServer>;

/// What some editors and shells put before a text.
pub const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Why a text is no message: what it is answered with.
pub struct Bad {
    id: Value,
    code: i32,
    reason: String,
}

impl Bad {
    pub fn new(id: Value, code: i32, reason: impl Into<String>) -> Bad {
        Bad {
            id,
            code,
            reason: reason.into(),
        }
    }

    /// The error of JSON-RPC.
    pub fn answer(self) -> Value {
        let Bad { id, code, reason } = self;
        json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": reason}})
    }
}

/// The object in a text; what is broken is answered under its id.
pub fn object_of(text: &[u8]) -> Result<Map<String, Value>, Bad> {
    if text.starts_with(BYTE_ORDER_MARK) {
        return Err(Bad::new(
            Value::Null,
            -32700,
            "this begins with a byte order mark, which is no JSON. Send it without",
        ));
    }
    match serde_json::from_slice(text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(Bad::new(
            Value::Null,
            -32600,
            "send one JSON-RPC object at a time; batches are not taken",
        )),
        Err(problem) => {
            let reason = format!("this is not JSON: {problem}. Send one JSON-RPC object");
            Err(Bad::new(id_of(text), -32700, reason))
        }
    }
}

/// The message that an object is.
pub fn message_of(object: Map<String, Value>) -> Result<Message, Bad> {
    let id = object.get("id").cloned();
    serde_json::from_value(Value::Object(object)).map_err(|problem| match &id {
        Some(id) if !id.is_string() && id.as_i64().is_none() => {
            let range = format!("from {} to {}", i64::MIN, i64::MAX);
            Bad::new(
                echo(Some(id.clone())),
                -32600,
                format!("id is text or a whole number {range}, or left out"),
            )
        }
        _ => Bad::new(
            echo(id),
            -32600,
            format!("this is no JSON-RPC 2.0 message: {problem}"),
        ),
    })
}

/// An id that may be repeated in an answer; what is no id is answered as none.
pub fn echo(id: Option<Value>) -> Value {
    id.filter(|id| id.is_string() || id.is_number())
        .unwrap_or(Value::Null)
}
