//! The calls of one answer of a model, made side by side.
//!
//! In one campaign they act as if sent one by one: a write waits for what was sent before it, and
//! what was sent after waits for it. Others do not wait. A failure leaves the others alone.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::entry::{Answered, ToolEntry};
use super::registry::Registry;
use super::reply;
use crate::session::{CallError, Caller, Host};
use rollbook_game::refusal::{Choice, Code, Refusal};
use rollbook_text::names::{fold, quoted};

/// A model's call of a tool, as it came.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// The model's own id of the call, which its result bears, too.
    pub id: String,
    pub name: String,
    /// An object, or one as text; nothing at all counts as an empty one.
    pub arguments: Value,
}

/// What a model gets for a call.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolResult {
    pub id: String,
    pub name: String,
    /// The reply's fields; of an error `code`, `summary` and what else helps to send a better call.
    pub content: Map<String, Value>,
    pub is_error: bool,
    /// What a person could be asked, so that the call goes on with their answer.
    pub choice: Option<Choice>,
}

impl ToolResult {
    /// What happened, in words; empty where somebody else's tool has no word for it.
    pub fn summary(&self) -> &str {
        self.content
            .get("summary")
            .and_then(Value::as_str)
            .unwrap_or_default()
    }
}

struct Ready {
    nth: usize,
    tool: Arc<ToolEntry>,
    arguments: Map<String, Value>,
}

impl Registry {
    /// Makes a batch's calls; answers in order. `done` gets each result with the place of its call.
    pub async fn batch(
        &self,
        host: &Arc<Host>,
        caller: &Caller,
        calls: Vec<ToolCall>,
        mut done: impl FnMut(usize, &ToolResult),
    ) -> Vec<ToolResult> {
        let named: Vec<(String, String)> = calls
            .iter()
            .map(|call| (call.id.clone(), call.name.clone()))
            .collect();
        let mut results: Vec<Option<ToolResult>> = named.iter().map(|_| None).collect();
        let result = |nth: usize, answer: Answered| {
            let (id, name) = named.get(nth).cloned().unwrap_or_default();
            let is_error = answer.is_err();
            let (content, choice) = match answer {
                Ok(reply) => (reply, None),
                Err(CallError::Refusal(refusal)) => {
                    (reply::refused(&refusal), refusal.aside.choice)
                }
                Err(CallError::Failure(reason)) => {
                    tracing::error!(tool = name, "{reason}");
                    (failed(), None)
                }
            };
            ToolResult {
                id,
                name,
                content,
                is_error,
                choice,
            }
        };
        let (send, mut answers) = mpsc::unbounded_channel();
        let mut lanes: BTreeMap<String, Vec<Ready>> = BTreeMap::new();
        for (nth, call) in calls.into_iter().enumerate() {
            match self.ready(nth, caller, call) {
                Ok(ready) => lanes
                    .entry(ready.lane(host, caller))
                    .or_default()
                    .push(ready),
                // The other end is below.
                Err(refusal) => drop(send.send((nth, Err(refusal.into())))),
            }
        }
        let mut running = JoinSet::new();
        for lane in lanes.into_values() {
            running.spawn(run(lane, host.clone(), caller.clone(), send.clone()));
        }
        drop(send);
        while let Some((nth, answer)) = answers.recv().await {
            let answered = result(nth, answer);
            done(nth, &answered);
            if let Some(place) = results.get_mut(nth) {
                *place = Some(answered);
            }
        }
        let unanswered = |nth| {
            result(
                nth,
                Err(CallError::Failure("nobody answered the call".to_owned())),
            )
        };
        results
            .into_iter()
            .enumerate()
            .map(|(nth, result)| result.unwrap_or_else(|| unanswered(nth)))
            .collect()
    }

    fn ready(&self, nth: usize, caller: &Caller, call: ToolCall) -> Result<Ready, Refusal> {
        let tool = self.for_seat(caller.seat.as_deref(), &call.name)?.clone();
        Ok(Ready {
            nth,
            arguments: arguments(&call)?,
            tool,
        })
    }
}

impl Ready {
    /// What it waits in line for: the campaign, or somebody else's tools mounted together.
    fn lane(&self, host: &Host, caller: &Caller) -> String {
        if self.tool.is_external() {
            return format!("external {}", self.tool.category);
        }
        let named = self.arguments.get("campaign").and_then(Value::as_str);
        let campaign = caller
            .seat
            .as_ref()
            .map(|seat| seat.campaign.as_str())
            .or(named);
        format!(
            "campaign {}",
            campaign.map_or_else(|| fold(&host.default_campaign()), fold)
        )
    }
}

fn arguments(call: &ToolCall) -> Result<Map<String, Value>, Refusal> {
    match &call.arguments {
        Value::Object(arguments) => return Ok(arguments.clone()),
        Value::Null => return Ok(Map::new()),
        Value::String(text) if text.trim().is_empty() => return Ok(Map::new()),
        Value::String(text) => {
            if let Ok(arguments) = serde_json::from_str(text) {
                return Ok(arguments);
            }
        }
        Value::Bool(_) | Value::Number(_) | Value::Array(_) => {}
    }
    let summary = format!(
        "The arguments of {} are no JSON object. Send an object such as {{\"expression\": \"2d6+3\"}}, or {{}} for none.",
        quoted(&call.name)
    );
    Err(Refusal::new(Code::InvalidParameters, summary))
}

type Results = mpsc::UnboundedSender<(usize, Answered)>;

/// Makes the calls of one lane: those side by side that stand together in a stage.
async fn run(lane: Vec<Ready>, host: Arc<Host>, caller: Caller, results: Results) {
    for stage in stages(lane, |ready| !ready.tool.read_only) {
        let mut together = JoinSet::new();
        for Ready {
            nth,
            tool,
            arguments,
        } in stage
        {
            let (host, caller, results) = (host.clone(), caller.clone(), results.clone());
            together.spawn(async move {
                // In a task of its own, so that a panic is this call's alone.
                let made =
                    tokio::spawn(async move { tool.call_for(caller, &host, arguments).await })
                        .await;
                let answer =
                    made.unwrap_or_else(|error| Err(CallError::Failure(error.to_string())));
                // Whoever asked may be gone.
                let _ = results.send((nth, answer));
            });
        }
        while together.join_next().await.is_some() {}
    }
}

/// Parts a line: each write stands alone, and what is between two writes stands together.
fn stages<T>(line: Vec<T>, writes: impl Fn(&T) -> bool) -> Vec<Vec<T>> {
    let mut stages: Vec<Vec<T>> = Vec::new();
    let mut is_open = false;
    for one in line {
        let is_write = writes(&one);
        match stages.last_mut().filter(|_| is_open && !is_write) {
            Some(stage) => stage.push(one),
            None => stages.push(vec![one]),
        }
        is_open = !is_write;
    }
    stages
}

fn failed() -> Map<String, Value> {
    let summary = "Rollbook could not carry this out. Its log says why.";
    Map::from_iter([
        ("code".to_owned(), json!("failed")),
        ("summary".to_owned(), json!(summary)),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_an_object_or_one_as_text() {
        let read = |arguments: Value| {
            let call = ToolCall {
                id: "1".to_owned(),
                name: "roll_dice".to_owned(),
                arguments,
            };
            super::arguments(&call)
                .map(Value::Object)
                .map_err(|refusal| refusal.code.as_str())
        };
        assert_eq!(read(json!({"a": 1})), Ok(json!({"a": 1})));
        assert_eq!(read(json!("{\"a\": 1}")), Ok(json!({"a": 1})));
        for none in [json!(null), json!(""), json!({})] {
            assert_eq!(read(none), Ok(json!({})));
        }
        for bad in [json!([1]), json!("a"), json!(3), json!(true), json!("[]")] {
            assert_eq!(read(bad), Err("invalid_parameters"));
        }
    }
}
