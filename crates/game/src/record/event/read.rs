//! Reads an event. In canonical JSON `kind` is among the fields, and the derived reader buffers all of them until it finds
//! it. For the most frequent kinds the kind is read first, which is faster.

use std::borrow::Cow;

use serde::de::{Deserialize, Deserializer, Error};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::Event;

#[derive(serde::Deserialize)]
struct Kind<'a> {
    #[serde(borrow)]
    kind: Cow<'a, str>,
}

#[derive(serde::Deserialize)]
struct Roll {
    input: String,
    context: Option<String>,
    #[serde(default)]
    check: Option<u64>,
    #[serde(default)]
    deals: bool,
}

impl Serialize for Event {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Event::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for Event {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        read(raw.get()).map_err(D::Error::custom)
    }
}

fn read(text: &str) -> Result<Event, serde_json::Error> {
    let Kind { kind } = serde_json::from_str(text)?;
    match &*kind {
        "roll" => {
            let Roll { input, context, check, deals } = serde_json::from_str(text)?;
            Ok(Event::Roll { input, context, check, deals })
        }
        "check" => serde_json::from_str(text).map(Event::Check),
        "damage" => serde_json::from_str(text).map(Event::Damage),
        _ => Event::deserialize(&mut serde_json::Deserializer::from_str(text)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Event;

    /// With the derived reader.
    fn derived(text: &str) -> Result<Event, serde_json::Error> {
        Event::deserialize(&mut serde_json::Deserializer::from_str(text))
    }

    #[test]
    fn a_kind_that_is_looked_for_first_is_read_as_any_other() {
        let damage = json!({"kind": "damage", "amount": 1, "damage_type": null, "gained": [], "health": "bloodied", "lost": [],
            "reason": null, "roll": null, "steps": [{"after": 6, "before": 7, "step": "Hit points"}], "triggers": [],
            "subject": {"id": 12, "kind": "player", "name": "Hero"}, "track": "Hit points"});
        let check = json!({"kind": "check", "attribute": "Dexterity", "check": "Check", "context": null, "difficulty": 12,
            "label": "failure", "margin": -8, "modifiers": [], "outcome": "failure", "pool": 1, "rank": 2, "row_text": null,
            "skill": "Stealth", "subject": {"id": 16, "kind": "player", "name": "Hero"}, "target": 12});
        let rolls = [
            json!({"kind": "roll", "input": "2d6", "context": null}),
            json!({"kind": "roll", "input": "2d6", "context": "a tide", "deals": true}),
            json!({"kind": "roll", "input": "2d6", "context": null, "check": 3, "deals": true}),
        ];
        for event in [damage, check].into_iter().chain(rolls) {
            let text = event.to_string();
            let read: Event = serde_json::from_str(&text).unwrap();
            assert_eq!(read, derived(&text).unwrap());
            assert_eq!(serde_json::from_value::<Event>(event.clone()).unwrap(), read);
            for field in event.as_object().unwrap().keys() {
                for wrong in [None, Some(json!(1.5)), Some(json!({}))] {
                    let mut event = event.clone();
                    let fields = event.as_object_mut().unwrap();
                    fields.remove(field);
                    fields.extend(wrong.map(|wrong: Value| (field.clone(), wrong)));
                    let text = event.to_string();
                    let (read, derived) = (serde_json::from_str::<Event>(&text), derived(&text));
                    assert_eq!(read.ok(), derived.ok(), "{text}");
                }
            }
        }
        assert!(serde_json::from_str::<Event>(r#"{"input":"2d6"}"#).is_err());
        assert!(serde_json::from_str::<Event>(r#"{"kind":"rolled","input":"2d6"}"#).is_err());
    }
}
