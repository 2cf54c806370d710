//! Characters as lossless JSON, and telling that from a foe of the open data sets.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::refusal::{Code, Refusal};
use crate::view::snapshot::CharacterSnapshot;
use rollbook_text::names::{listed, quoted, same, shortened, suggest};

/// The version of the format, and the field that marks it.
const VERSION: u32 = 1;
const MARK: &str = "rollbook_character";
/// The list in a page of a data set's server.
const PAGE: &str = "results";

#[derive(Serialize, Deserialize)]
struct Document {
    rollbook_character: u32,
    character: CharacterSnapshot,
}

/// The content of the JSON.
pub enum Parsed {
    Own(Box<CharacterSnapshot>),
    Foe(Map<String, Value>),
}

/// The document, indented.
pub fn render(snapshot: CharacterSnapshot) -> String {
    let document = Document { rollbook_character: VERSION, character: snapshot };
    // Serialising cannot fail: all keys are strings.
    serde_json::to_string_pretty(&document).unwrap_or_default()
}

/// Reads a document; of a list, the entry named `which`.
pub fn read(text: &str, which: Option<&str>) -> Result<Parsed, Refusal> {
    let value: Value = serde_json::from_str(text).map_err(|error| unreadable(&error))?;
    let fields = match value {
        // A page of a data set's server.
        Value::Object(mut fields) if !fields.contains_key("name") => match fields.remove(PAGE) {
            Some(Value::Array(all)) => one_of(all, which)?,
            _ => fields,
        },
        Value::Object(fields) => fields,
        Value::Array(all) => one_of(all, which)?,
        _ => return Err(unreadable(&"it is neither an object nor a list")),
    };
    if !fields.contains_key(MARK) {
        return Ok(Parsed::Foe(fields));
    }
    let document: Document = serde_json::from_value(Value::Object(fields)).map_err(|error| unreadable(&error))?;
    match document.rollbook_character {
        VERSION => Ok(Parsed::Own(Box::new(document.character))),
        other => {
            let summary =
                format!("{MARK} is {other}, and this program reads {VERSION}. Export it again, or update Rollbook.");
            Err(Refusal::new(Code::InvalidDocument, summary))
        }
    }
}

fn one_of(all: Vec<Value>, which: Option<&str>) -> Result<Map<String, Value>, Refusal> {
    let name = |value: &Value| value.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    let names: Vec<String> = all.iter().map(name).collect();
    let mut objects = all.into_iter().filter_map(|value| match value {
        Value::Object(fields) => Some(fields),
        _ => None,
    });
    let found = match which {
        Some(which) => {
            objects.find(|fields| fields.get("name").and_then(Value::as_str).is_some_and(|name| same(name, which)))
        }
        None if names.len() == 1 => objects.next(),
        None => None,
    };
    found.ok_or_else(|| {
        let listed = listed(names.iter().map(String::as_str), 200);
        let suggestions = which.map_or_else(Vec::new, |which| suggest(which, names.iter().map(String::as_str)));
        let summary = match which {
            _ if names.is_empty() => "The list is empty: nobody is in it.".to_owned(),
            Some(which) => format!("Nobody in the list is called \"{}\". There is {listed}.", quoted(which)),
            None => format!("The list holds {} entries. Send name as one of: {listed}.", names.len()),
        };
        Refusal::new(Code::WhichEntry, summary).did_you_mean(suggestions)
    })
}

fn unreadable(what: &dyn std::fmt::Display) -> Refusal {
    let what = shortened(&what.to_string(), 200);
    Refusal::new(Code::InvalidDocument, format!("The JSON cannot be read: {what}. export shows what one looks like."))
}
