//! The tools' schemas: made from the Rust types, then made lean, because a client reads all at its
//! start: no `$ref`, no `null`, no `oneOf` where an `enum` says the same.

use std::ops::Deref;
use std::sync::{Arc, LazyLock};

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

use crate::session::Common;

/// A tool's JSON schema, made when it is first asked for: a server greets its client without any.
#[derive(Clone)]
pub struct ToolSchema(Arc<LazyLock<Map<String, Value>, Make>>);

type Make = Box<dyn FnOnce() -> Map<String, Value> + Send>;

impl ToolSchema {
    pub fn of(make: fn() -> Map<String, Value>) -> ToolSchema {
        ToolSchema(Arc::new(LazyLock::new(Box::new(make))))
    }
}

impl From<Map<String, Value>> for ToolSchema {
    fn from(known: Map<String, Value>) -> ToolSchema {
        ToolSchema(Arc::new(LazyLock::new(Box::new(|| known))))
    }
}

impl Deref for ToolSchema {
    type Target = Map<String, Value>;

    fn deref(&self) -> &Map<String, Value> {
        &self.0
    }
}

/// An object whose fields its description lists, which is enough for a reply.
pub type Object = Map<String, Value>;

/// The parameters with those common to all: `campaign`; to write, `request_id` and `after`.
pub fn input<P: JsonSchema>(read_only: bool) -> Map<String, Value> {
    let mut schema = lean(generated::<P>());
    let mut properties = match schema.remove("properties") {
        Some(Value::Object(properties)) => properties,
        _ => Map::new(),
    };
    // The names of actions need no description.
    properties
        .get_mut("action")
        .and_then(Value::as_object_mut)
        .map(|action| action.remove("description"));
    // The server's instructions explain them once for all tools.
    properties.insert("campaign".to_owned(), json!({"type": "string"}));
    properties.insert(
        "detail".to_owned(),
        json!({"type": "string", "enum": ["brief", "full"]}),
    );
    if !read_only {
        properties.insert(
            "request_id".to_owned(),
            json!({"type": "string", "maxLength": 200}),
        );
        properties.insert("after".to_owned(), json!({"type": "integer", "minimum": 0}));
    }
    schema.insert("properties".to_owned(), Value::Object(properties));
    schema.insert("additionalProperties".to_owned(), Value::Bool(false));
    // The tool's own description says more than its type's.
    schema.remove("description");
    schema
}

/// The schema of a reply: its fields and the common ones. Only `summary` is required and anything
/// else allowed, so that a refusal fits. A field that its name explains has a plain comment.
pub fn output<R: JsonSchema>(read_only: bool) -> Map<String, Value> {
    let mut properties = Map::new();
    // The server's instructions explain the common fields once.
    for (name, schema) in fields(generated::<Common>()) {
        // One that wrote nothing has but this of them.
        if read_only && name != "summary" {
            continue;
        }
        let mut schema = shallow(schema);
        schema
            .as_object_mut()
            .and_then(|schema| schema.remove("description"));
        properties.insert(name, schema);
    }
    properties.extend(fields(generated::<R>()).map(|(name, schema)| (name, shallow(schema))));
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), Value::Object(properties));
    schema.insert("required".to_owned(), json!(["summary"]));
    schema
}

/// Drops the descriptions of a list's items: another tool has them.
pub fn without_descriptions(schema: &mut Schema) {
    let items = schema
        .get_mut("items")
        .and_then(|items| items.get_mut("properties"))
        .and_then(Value::as_object_mut);
    for field in items
        .into_iter()
        .flat_map(|fields| fields.values_mut())
        .filter_map(Value::as_object_mut)
    {
        field.remove("description");
    }
}

/// The fields of a reply; of one that is one of several, those of all.
fn fields(mut schema: Map<String, Value>) -> impl Iterator<Item = (String, Value)> {
    let alternatives = match schema.remove("anyOf") {
        Some(Value::Array(alternatives)) => alternatives,
        _ => vec![Value::Object(schema)],
    };
    let objects = alternatives
        .into_iter()
        .filter_map(|alternative| match alternative {
            Value::Object(schema) => lean(schema).remove("properties"),
            _ => None,
        });
    objects.flat_map(|properties| match properties {
        Value::Object(fields) => fields,
        _ => Map::new(),
    })
}

fn generated<T: JsonSchema>() -> Map<String, Value> {
    let settings =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    match settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value()
    {
        Value::Object(schema) => schema,
        _ => Map::new(),
    }
}

fn lean(mut schema: Map<String, Value>) -> Map<String, Value> {
    for key in ["$schema", "title", "format", "default"] {
        schema.remove(key);
    }
    if let Some(inner) = only_alternative(&mut schema) {
        for (key, value) in inner {
            schema.entry(key).or_insert(value);
        }
    }
    constants(&mut schema);
    if let Some(Value::Array(mut types)) = schema.get("type").cloned() {
        types.retain(|kind| kind != "null");
        let (key, says) = match types.as_slice() {
            [only] => ("type", only.clone()),
            _ => ("anyOf", alternatives(&types, &mut schema)),
        };
        schema.remove("type");
        schema.insert(key.to_owned(), says);
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    schema
        .into_iter()
        .map(|(key, value)| (key.clone(), lean_value(&key, value)))
        .collect()
}

fn lean_value(key: &str, value: Value) -> Value {
    match (key, value) {
        ("properties", Value::Object(properties)) => {
            let lean_property = |(name, schema)| match schema {
                Value::Object(schema) => (name, Value::Object(lean(schema))),
                other => (name, other),
            };
            Value::Object(properties.into_iter().map(lean_property).collect())
        }
        // What the items are, the list itself says.
        ("items" | "additionalProperties", Value::Object(mut schema)) => {
            schema.remove("description");
            Value::Object(lean(schema))
        }
        // The lines of a doc comment are one text.
        ("description", Value::String(text)) => Value::String(text.replace('\n', " ")),
        (_, other) => other,
    }
}

/// A schema for each of several types, with what the whole one says of it: some clients take no
/// list of types.
fn alternatives(types: &[Value], whole: &mut Map<String, Value>) -> Value {
    let alternative = |kind: &Value| {
        let says: &[&str] = match kind.as_str() {
            Some("array") => &["items"],
            Some("object") => &["properties", "additionalProperties"],
            _ => &[],
        };
        let says = says.iter().filter_map(|key| whole.remove_entry(*key));
        let kind = ("type".to_owned(), kind.clone());
        Value::Object(lean(says.chain([kind]).collect()))
    };
    types.iter().map(alternative).collect()
}

/// `anyOf: [X, null]` is an optional X.
fn only_alternative(schema: &mut Map<String, Value>) -> Option<Map<String, Value>> {
    let Some(Value::Array(alternatives)) = schema.remove("anyOf") else {
        return None;
    };
    alternatives
        .into_iter()
        .find_map(|alternative| match alternative {
            Value::Object(alternative) if alternative.get("type") != Some(&json!("null")) => {
                Some(alternative)
            }
            _ => None,
        })
}

/// `oneOf` constants are an `enum`; what each means goes into the description.
fn constants(schema: &mut Map<String, Value>) {
    let Some(Value::Array(variants)) = schema.get("oneOf") else {
        return;
    };
    let constants: Option<Vec<Value>> = variants
        .iter()
        .flat_map(
            |variant| match variant.get("enum").and_then(Value::as_array) {
                Some(values) => values.iter().cloned().map(Some).collect(),
                None => vec![variant.get("const").cloned()],
            },
        )
        .collect();
    if let Some(constants) = constants {
        schema.remove("oneOf");
        schema.insert("type".to_owned(), json!("string"));
        schema.insert("enum".to_owned(), Value::Array(constants));
    }
}

/// The schema of a reply's field: its type and description, without its inner fields.
fn shallow(schema: Value) -> Value {
    let Value::Object(mut schema) = schema else {
        return schema;
    };
    for key in [
        "properties",
        "required",
        "minimum",
        "maximum",
        "additionalProperties",
        "minItems",
        "maxItems",
        "enum",
    ] {
        schema.remove(key);
    }
    if let Some(items) = schema.remove("items") {
        schema.insert("items".to_owned(), shallow(items));
    }
    if !schema.contains_key("type") {
        schema.insert("type".to_owned(), json!("object"));
    }
    Value::Object(schema)
}

/// Whether an item of a list is a call of the tool itself, of which the schema shows the usual.
pub(super) fn is_call(item: &Map<String, Value>) -> bool {
    item.contains_key("properties") && is_free(item)
}

pub(super) fn is_free(schema: &Map<String, Value>) -> bool {
    schema.get("additionalProperties") == Some(&Value::Bool(true))
}

/// The field that a bare word in the place of an object means: who, or what to roll.
pub(super) fn meant_field(schema: &Map<String, Value>) -> Option<&'static str> {
    let properties = schema.get("properties")?;
    ["name", "expression", "character"]
        .into_iter()
        .find(|field| properties.get(field).is_some())
}

pub(super) fn type_of(schema: &Map<String, Value>) -> Option<&str> {
    schema.get("type")?.as_str()
}

pub(super) fn any_of(schema: &Map<String, Value>) -> impl Iterator<Item = &Map<String, Value>> {
    let all = schema.get("anyOf").and_then(Value::as_array);
    all.into_iter().flatten().filter_map(Value::as_object)
}

pub(super) fn kind(schema: &Map<String, Value>) -> String {
    let several: Vec<String> = any_of(schema).map(kind).collect();
    if !several.is_empty() {
        return several.join(" or ");
    }
    let one = match schema.get("type").and_then(Value::as_str) {
        Some("integer") if schema.contains_key("minimum") || schema.contains_key("maximum") => {
            "a whole number in range"
        }
        Some("integer") => "a whole number",
        Some("boolean") => "true or false",
        Some("array") => "a list",
        Some("object") => "an object",
        _ => "text",
    };
    one.to_owned()
}

pub(super) fn wanted(schema: &Map<String, Value>) -> String {
    match (
        schema.get("type").and_then(Value::as_str),
        schema.get("minimum"),
        schema.get("maximum"),
    ) {
        (Some("integer"), Some(low), Some(high)) => format!("{low} to {high}"),
        (Some("integer"), Some(low), None) => format!("{low} or more"),
        (Some("integer"), ..) => "a whole number".to_owned(),
        (Some("string"), ..) => match schema.get("enum").and_then(Value::as_array) {
            Some(words) => words
                .iter()
                .filter_map(Value::as_str)
                .collect::<Vec<_>>()
                .join(", "),
            None => "text".to_owned(),
        },
        (Some("object"), ..)
            if schema
                .get("additionalProperties")
                .is_some_and(Value::is_object) =>
        {
            "names with their values: {\"Name\": 1}".to_owned()
        }
        _ => kind(schema),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_without_parameters_of_its_own_takes_the_common_ones() {
        #[derive(JsonSchema)]
        struct Nothing {}
        for read_only in [true, false] {
            let schema = input::<Nothing>(read_only);
            let mut names: Vec<&String> =
                schema["properties"].as_object().unwrap().keys().collect();
            names.sort();
            let common: &[&str] = if read_only {
                &["campaign", "detail"]
            } else {
                &["after", "campaign", "detail", "request_id"]
            };
            assert_eq!(names, common);
            assert_eq!(
                (&schema["type"], &schema["additionalProperties"]),
                (&json!("object"), &json!(false))
            );
        }
    }
}
