//! Plain JSON for scripts that speak no MCP: `POST /api/roll` takes the parameters of `roll_dice`,
//! `POST /api/roll_multiple` those of `roll_multiple`, `POST /api/odds` those of `odds`. The first
//! answers `{result, metadata}`, the second `{results, metadata}`, each of the results as the first
//! answers; refusals are `{error: {message, details}}`. `GET /api/openapi.json` describes them
//! (OpenAPI 3.1), `GET /api` is that for people: both for the seat that asks.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::{Extension, Json};
use serde_json::{Map, Value, json};

use super::gate::own_address;
use super::refused::TurnedAway;
use super::shared::Shared;
use rollbook_game::refusal::{Code, Detail, Refusal};
use rollbook_table::session::{CallError, Caller, Seat};
use rollbook_table::tools::{ToolEntry, reply};
use rollbook_text::names::for_markup;

/// The paths and the tools that they call.
const PATHS: [(&str, &str); 3] = [
    ("/api/roll", "roll_dice"),
    ("/api/roll_multiple", "roll_multiple"),
    ("/api/odds", "odds"),
];

/// Words for the parameters that the tools' own schemas leave without: assistants know those from
/// the instructions, and from a parameter beside them.
const WORDS: [(&str, &str); 24] = [
    ("advantage", "Rolls with advantage."),
    (
        "after",
        "The last entry that you know; the reply tells what came since.",
    ),
    ("at_most", "The chance of this total or less."),
    (
        "attribute",
        "Another attribute than the skill's own, or the attribute alone.",
    ),
    ("campaign", "Which campaign, when there are several."),
    (
        "character",
        "Whose roll or check; else the only player character's, or the GM's.",
    ),
    ("check", "A named check; the first when left out."),
    ("damage", "With target: what an attack deals, \"1d8+2\"."),
    ("damage_type", "slashing, cold, …"),
    (
        "detail",
        "brief leaves out what is seldom read; full is the default here.",
    ),
    (
        "difficulty",
        "What must be reached, or the rules' word for it.",
    ),
    ("disadvantage", "Rolls with disadvantage."),
    ("drop_highest", "Drop this many of the highest."),
    ("drop_lowest", "Drop this many of the lowest."),
    ("exactly", "The chance of this total."),
    ("keep_lowest", "Keep this many of the lowest."),
    ("modifier", "Added to the roll."),
    ("or_less", "Low is good: the difficulty must not be passed."),
    (
        "request_id",
        "Any text. The same call sent again with it acts once.",
    ),
    ("skill", "Of a check: as System.md names it."),
    ("steps", "Steps along the rules' dice chain."),
    ("target", "Whom the check is tried against."),
    ("visible", "false means for the GM alone."),
    (
        "values",
        "Other variables of the rule: {\"bonus\": \"1\", \"pool\": \"d8,d6\"}.",
    ),
];

type Seated = Option<Extension<Arc<Seat>>>;

pub(super) async fn roll(State(shared): State<Shared>, seat: Seated, body: Bytes) -> Response {
    answered(&shared, "roll_dice", seat, &body, |parameters, reply| {
        let metadata = metadata(&parameters, &reply);
        json!({"result": whole(reply), "metadata": metadata})
    })
    .await
}

pub(super) async fn roll_multiple(
    State(shared): State<Shared>,
    seat: Seated,
    body: Bytes,
) -> Response {
    answered(&shared, "roll_multiple", seat, &body, rolls).await
}

pub(super) async fn odds(State(shared): State<Shared>, seat: Seated, body: Bytes) -> Response {
    answered(&shared, "odds", seat, &body, |_, reply| {
        Value::Object(reply)
    })
    .await
}

/// Each roll with its parameters, beside what the call answers of all of them.
fn rolls(parameters: Map<String, Value>, mut reply: Map<String, Value>) -> Value {
    let metadata = metadata(&parameters, &reply);
    let asked = parameters
        .get("rolls")
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        .unwrap_or_default();
    let rolled = reply.remove("rolls");
    let rolled = rolled
        .iter()
        .filter_map(Value::as_array)
        .flatten()
        .enumerate();
    let results = rolled.map(|(nth, roll)| {
        let parameters = nth.checked_rem(asked.len()).and_then(|nth| asked.get(nth));
        json!({"result": roll, "metadata": {"parameters": parameters, "timestamp": roll.get("timestamp")}})
    });
    let results: Vec<Value> = results.collect();
    reply.insert("results".to_owned(), results.into());
    reply.insert("metadata".to_owned(), metadata);
    Value::Object(reply)
}

/// The reply to one roll. A player's has its dice in the list of what players see, and here they
/// are beside its total, as the GM's do.
fn whole(mut reply: Map<String, Value>) -> Map<String, Value> {
    match reply.remove("rolls") {
        Some(Value::Array(rolls)) => {
            let dice = rolls
                .into_iter()
                .next()
                .and_then(|roll| roll.as_object().cloned());
            reply.into_iter().chain(dice.unwrap_or_default()).collect()
        }
        _ => reply,
    }
}

/// What was asked for, and when the first die fell.
fn metadata(parameters: &Map<String, Value>, reply: &Map<String, Value>) -> Value {
    let first = reply
        .get("rolls")
        .and_then(Value::as_array)
        .and_then(|rolls| rolls.first()?.get("timestamp"));
    json!({"parameters": parameters, "timestamp": reply.get("timestamp").or(first)})
}

/// A refusal of a tool: its message, and every parameter that is wrong.
fn refused(refusal: &Refusal) -> Value {
    let mut details: Vec<Value> = refusal
        .details
        .iter()
        .map(|detail| json!({"parameter": detail.parameter, "issue": detail.issue, "valid_range": detail.valid_range}))
        .collect();
    if let Some(fault) = &refusal.fault {
        let range = format!("such as {}", fault.example);
        details.push(
            json!({"parameter": "expression", "issue": refusal.summary, "valid_range": range, "span": fault.span}),
        );
    }
    let mut error = reply::refused(refusal);
    error.remove("summary");
    error.insert("message".to_owned(), refusal.summary.clone().into());
    error.insert("details".to_owned(), details.into());
    json!({"error": error})
}

async fn answered(
    shared: &Shared,
    tool: &str,
    seat: Seated,
    body: &[u8],
    answer: impl FnOnce(Map<String, Value>, Map<String, Value>) -> Value,
) -> Response {
    let caller = Caller::of(seat.map(|Extension(seat)| seat));
    let entry = match shared.tools.for_seat(caller.seat.as_deref(), tool) {
        Ok(entry) => entry,
        Err(refusal) => {
            let code = refusal.code.as_str();
            return TurnedAway::new(StatusCode::NOT_FOUND, code, &refusal.summary).into_response();
        }
    };
    let Ok(Value::Object(mut arguments)) = serde_json::from_slice(body) else {
        let example = "{\"expression\": \"2d6+3\"}";
        let detail = Detail {
            parameter: "body".to_owned(),
            issue: "is no JSON object".to_owned(),
            valid_range: format!("an object such as {example}"),
        };
        let summary = format!("The body is no JSON object. Send one such as {example}.");
        let refusal = Refusal::new(Code::InvalidParameters, summary).details(vec![detail]);
        return (StatusCode::BAD_REQUEST, Json(refused(&refusal))).into_response();
    };
    let parameters = arguments.clone();
    arguments.entry("detail").or_insert_with(|| "full".into());
    match entry.call_for(caller, &shared.host, arguments).await {
        Ok(reply) => Json(answer(parameters, reply)).into_response(),
        Err(CallError::Refusal(refusal)) => {
            let mut response = (status(refusal.code), Json(refused(&refusal))).into_response();
            if refusal.code == Code::Busy {
                response
                    .headers_mut()
                    .insert(header::RETRY_AFTER, HeaderValue::from(1));
            }
            response
        }
        Err(CallError::Failure(reason)) => {
            tracing::error!(tool, "{reason}");
            let summary = "Rollbook could not carry this out; nothing was rolled or changed. Its log says why.";
            TurnedAway::new(StatusCode::INTERNAL_SERVER_ERROR, "failed", summary).into_response()
        }
    }
}

/// The status of a refusal: whether another request, another time or another database would help.
fn status(code: Code) -> StatusCode {
    match code {
        Code::Busy
        | Code::Closed
        | Code::Cancelled
        | Code::TimedOut
        | Code::Disk
        | Code::Moved
        | Code::Unreachable => StatusCode::SERVICE_UNAVAILABLE,
        Code::Damaged | Code::NewerSchema | Code::NotOpened => StatusCode::INTERNAL_SERVER_ERROR,
        Code::TooSoon => StatusCode::TOO_MANY_REQUESTS,
        Code::RequestIdConflict => StatusCode::CONFLICT,
        Code::UnknownCampaign => StatusCode::NOT_FOUND,
        _ => StatusCode::BAD_REQUEST,
    }
}

/// Who reads the description: a seat, which has a key, or anybody where a server has no keys.
struct Reader<'a> {
    tools: &'a [Arc<ToolEntry>],
    has_key: bool,
    /// The server's address as the reader knows it.
    address: String,
}

impl<'a> Reader<'a> {
    fn of(shared: &'a Shared, seat: &Seated, headers: &HeaderMap) -> Reader<'a> {
        let seat = seat.as_ref().map(|Extension(seat)| &**seat);
        let address = own_address(headers, shared.is_tls);
        Reader {
            tools: shared.tools.of_seat(seat),
            has_key: seat.is_some(),
            address,
        }
    }

    fn operations(&self) -> impl Iterator<Item = (&'static str, &ToolEntry)> {
        let tool = |name: &str| self.tools.iter().find(|tool| tool.name == name);
        PATHS
            .iter()
            .filter_map(move |(path, name)| Some((*path, &**tool(name)?)))
    }
}

/// What a tool takes, with words for every parameter.
fn input(tool: &ToolEntry) -> Map<String, Value> {
    let mut input = (*tool.input).clone();
    let properties = input.get_mut("properties").and_then(Value::as_object_mut);
    for (name, schema) in properties.into_iter().flatten() {
        let words = WORDS.iter().find(|(known, _)| known == name);
        if let (Some((_, words)), Some(schema)) = (words, schema.as_object_mut()) {
            schema
                .entry("description")
                .or_insert_with(|| (*words).into());
        }
    }
    input
}

pub(super) async fn described(
    State(shared): State<Shared>,
    seat: Seated,
    headers: HeaderMap,
) -> Response {
    Json(description(&Reader::of(&shared, &seat, &headers))).into_response()
}

/// The interface in OpenAPI 3.1, made of the tools' own schemas.
fn description(reader: &Reader<'_>) -> Value {
    let paths: Map<String, Value> = reader
        .operations()
        .map(|(path, tool)| (path.to_owned(), json!({"post": operation(tool)})))
        .collect();
    let about = "The key of a seat. A server that has no key yet takes requests without one.";
    let mut description = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Rollbook",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Dice and odds of the campaign's book of record, as plain JSON. Every roll is written to its log.",
        },
        "servers": [{"url": reader.address}],
        "security": [{"key": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer", "description": about}},
            "schemas": {"Refusal": {
                "type": "object",
                "required": ["error"],
                "properties": {"error": {
                    "type": "object",
                    "required": ["code", "message", "details"],
                    "properties": {
                        "code": {"type": "string", "description": "What is wrong, for programs."},
                        "message": {"type": "string", "description": "What is wrong and what to send instead, in words."},
                        "details": {
                            "type": "array",
                            "description": "Every parameter that is wrong.",
                            "items": {"type": "object", "required": ["parameter", "issue", "valid_range"]},
                        },
                    },
                }},
            }},
        },
    });
    if let (false, Some(security)) = (
        reader.has_key,
        description
            .get_mut("security")
            .and_then(Value::as_array_mut),
    ) {
        // Or none.
        security.push(json!({}));
    }
    description
}

/// What a route answers: the tool's reply, and around a roll what it was made of.
fn answer(tool: &ToolEntry) -> Value {
    let metadata = json!({
        "type": "object",
        "properties": {"parameters": {"type": "object"}, "timestamp": {"type": "string", "format": "date-time"}},
    });
    match &*tool.name {
        "roll_dice" => json!({
            "type": "object",
            "required": ["result", "metadata"],
            "properties": {"result": *tool.output, "metadata": metadata},
        }),
        "roll_multiple" => {
            let result = json!({"type": "object", "properties": {"result": {"type": "object"}, "metadata": metadata}});
            json!({
                "type": "object",
                "required": ["results", "metadata"],
                "properties": {"results": {"type": "array", "items": result}, "metadata": metadata},
            })
        }
        _ => json!(*tool.output),
    }
}

fn operation(tool: &ToolEntry) -> Value {
    let refusal = |about: &str| {
        let schema = json!({"$ref": "#/components/schemas/Refusal"});
        json!({"description": about, "content": {"application/json": {"schema": schema}}})
    };
    json!({
        "operationId": tool.name,
        "summary": tool.title,
        "description": tool.description,
        "requestBody": {"required": true, "content": {"application/json": {"schema": input(tool)}}},
        "responses": {
            "200": {"description": "The reply.", "content": {"application/json": {"schema": answer(tool)}}},
            "400": refusal("Refused; nothing was rolled or changed."),
            "401": refusal("A key is needed."),
            "403": refusal("The Host or the Origin is none that this server is asked for."),
            "404": refusal("There is no such campaign, or it is another than the key's."),
            "405": refusal("Only POST is served here."),
            "408": refusal("The body did not come in time."),
            "409": refusal("The request_id was used for another call."),
            "413": refusal("The body is too long."),
            "429": refusal("Too soon; Retry-After says when to come back."),
            "431": refusal("The head is too long."),
            "500": refusal("It could not be carried out; the server's log says why."),
            "503": refusal("Not now; send the same request again."),
        },
    })
}

pub(super) async fn page(
    State(shared): State<Shared>,
    seat: Seated,
    headers: HeaderMap,
) -> Response {
    let policy = HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'");
    let mut response = Html(written(&Reader::of(&shared, &seat, &headers))).into_response();
    response
        .headers_mut()
        .insert(header::CONTENT_SECURITY_POLICY, policy);
    response
}

/// The same for people: paths, parameters, an example each.
fn written(reader: &Reader<'_>) -> String {
    let mut page = String::from(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>Rollbook: plain JSON</title><style>body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;\
         color-scheme:light dark}table{border-collapse:collapse}td,th{border:1px solid;padding:.2rem .6rem;text-align:left;vertical-align:top}\
         pre{overflow:auto;border:1px solid;padding:.6rem}</style><h1>Rollbook: plain JSON</h1>\
         <p>For scripts; assistants use the protocol at <code>/mcp</code>. Every roll is written to the campaign's log. \
         For programs: <a href=\"/api/openapi.json\">openapi.json</a>.</p>",
    );
    let key = if reader.has_key {
        "-H 'Authorization: Bearer KEY' "
    } else {
        ""
    };
    page.push_str(match reader.has_key {
        true => "<p>Every request carries the key of a seat: <code>Authorization: Bearer KEY</code>.</p>",
        false => "<p>This server has no key yet. Once it has one, every request needs a key: <code>Authorization: Bearer KEY</code>.</p>",
    });
    for (path, tool) in reader.operations() {
        page.push_str(&format!(
            "<h2><code>POST {path}</code></h2><p>{}</p>",
            for_markup(&tool.description)
        ));
        page.push_str(&format!(
            "<pre>curl {key}-H 'Content-Type: application/json' -d '{}' {}{path}</pre>",
            if *tool.name == *"roll_multiple" {
                r#"{"rolls": [{"expression": "4d6kh3"}], "count": 6}"#
            } else {
                r#"{"expression": "2d6+3"}"#
            },
            reader.address
        ));
        page.push_str("<table><tr><th scope=\"col\">Parameter<th scope=\"col\">What it is");
        let input = input(tool);
        let properties = input.get("properties").and_then(Value::as_object);
        for (name, schema) in properties.into_iter().flatten() {
            let about = schema
                .get("description")
                .and_then(Value::as_str)
                .unwrap_or_default();
            page.push_str(&format!(
                "<tr><td><code>{}</code><td>{}",
                for_markup(name),
                for_markup(about)
            ));
        }
        page.push_str("</table>");
    }
    page.push_str("</html>\n");
    page
}
