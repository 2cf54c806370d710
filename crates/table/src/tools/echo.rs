//! A call's parameters as a full reply echoes them: a page of text that was sent is not sent back.

use serde_json::{Map, Value};

/// Bytes of one text, and of all parameters together.
const TEXT_MAX: usize = 300;
const WHOLE_MAX: usize = 4_000;

/// The parameters with long texts cut, and what follows once there is no room left counted.
pub fn shortened(parameters: &Map<String, Value>) -> Value {
    let mut room = WHOLE_MAX;
    object(parameters, &mut room)
}

fn value(sent: &Value, room: &mut usize) -> Value {
    match sent {
        Value::String(long) => text(long, room),
        Value::Array(items) => {
            let mut kept = Vec::new();
            for item in items {
                if *room == 0 {
                    kept.push(Value::String(format!(
                        "… and {} more",
                        items.len() - kept.len()
                    )));
                    break;
                }
                take(room, 1);
                kept.push(value(item, room));
            }
            Value::Array(kept)
        }
        Value::Object(fields) => object(fields, room),
        Value::Null | Value::Bool(_) | Value::Number(_) => {
            take(room, sent.to_string().len());
            sent.clone()
        }
    }
}

fn object(fields: &Map<String, Value>, room: &mut usize) -> Value {
    let mut kept = Map::new();
    for (name, field) in fields {
        if *room == 0 {
            kept.insert(
                "…".to_owned(),
                Value::String(format!("and {} more", fields.len() - kept.len())),
            );
            break;
        }
        take(room, name.len() + "\"\":,".len());
        let field = value(field, room);
        kept.insert(cut(name, TEXT_MAX), field);
    }
    Value::Object(kept)
}

fn text(long: &str, room: &mut usize) -> Value {
    let text = cut(long, TEXT_MAX.min(*room));
    take(room, text.len() + "\"\"".len());
    Value::String(text)
}

/// The text, or its beginning and how long it is.
fn cut(text: &str, most: usize) -> String {
    match text.len() > most {
        true => format!(
            "{}… ({} bytes)",
            text.get(..text.floor_char_boundary(most))
                .unwrap_or_default(),
            text.len()
        ),
        false => text.to_owned(),
    }
}

fn take(room: &mut usize, bytes: usize) {
    *room = room.saturating_sub(bytes);
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{TEXT_MAX, WHOLE_MAX, shortened};

    fn of(sent: &Value) -> Value {
        shortened(sent.as_object().expect("parameters"))
    }

    #[test]
    fn whatever_was_sent_its_echo_is_about_4000_bytes_at_most() {
        let text = "x".repeat(200_000);
        let many: Vec<Value> = (0..5_000)
            .map(|nth| json!({"name": text, "n": nth}))
            .collect();
        let fields: serde_json::Map<String, Value> = (0..5_000)
            .map(|nth| (format!("{nth}{text}"), json!(nth)))
            .take(50)
            .collect();
        for sent in [
            json!({"document": text}),
            json!({"all": many}),
            json!({"map": fields}),
            json!({"numbers": vec![1; 50_000]}),
        ] {
            let echoed = of(&sent).to_string();
            assert!(echoed.len() <= WHOLE_MAX + 2 * TEXT_MAX, "{}", echoed.len());
            assert!(
                echoed.contains("bytes)") || echoed.contains("more"),
                "{echoed}"
            );
        }
    }
}
