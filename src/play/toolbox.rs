//! The tools of the table, called in this process: the very ones that the server has.

use std::pin::Pin;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::model::CallResult;
use rollbook_game::record::state::State;
use rollbook_game::refusal::Choice;
use rollbook_table::session::{CallError, Caller, Host, Purpose, Readers};
use rollbook_table::tools::{
    Answered, CONFIRM, Registry, ToolCall, ToolEntry, ToolResult, declined, reply, tool_named,
};
use rollbook_text::names::shortened;

/// Bytes of a result that a model reads; what is longer is cut.
pub const RESULT_MAX: usize = 24_000;
/// Characters of a model's arguments that are shown to a person who is asked.
const ASKED_MAX: usize = 400;
/// What only programs send; and there is one campaign at this table.
const LEFT_OUT: [&str; 3] = ["campaign", "request_id", "after"];

/// What a call came to.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    Done(Map<String, Value>),
    /// Nothing was done; the reply says what to send instead.
    Refused(Map<String, Value>),
    Failed(String),
}

impl Outcome {
    fn of(result: &ToolResult) -> Outcome {
        let content = result.content.clone();
        if result.is_error {
            Outcome::Refused(content)
        } else {
            Outcome::Done(content)
        }
    }

    pub fn summary(&self) -> &str {
        match self {
            Outcome::Done(reply) | Outcome::Refused(reply) => text(reply, "summary"),
            Outcome::Failed(why) => why,
        }
    }

    /// What players may hear of it; nothing where nothing happened, or nobody may know.
    pub fn players(&self) -> Option<&str> {
        let Outcome::Done(reply) = self else {
            return None;
        };
        match (text(reply, "players"), text(reply, "player_text")) {
            ("same", _) => Some(text(reply, "summary")),
            (_, "") => None,
            (_, text) => Some(text),
        }
    }

    pub fn is_logged(&self) -> bool {
        matches!(self, Outcome::Done(reply) if reply.contains_key("log"))
    }

    fn result(&self, call: &ToolCall) -> CallResult {
        let (text, is_error) = match self {
            Outcome::Done(reply) => (Value::Object(reply.clone()).to_string(), false),
            Outcome::Refused(refusal) => (Value::Object(refusal.clone()).to_string(), true),
            Outcome::Failed(why) => (format!("The tool failed: {why}"), true),
        };
        CallResult {
            id: call.id.clone(),
            name: call.name.clone(),
            text: cut(text),
            is_error,
        }
    }
}

impl From<Answered> for Outcome {
    fn from(answered: Answered) -> Outcome {
        match answered {
            Ok(reply) => Outcome::Done(reply),
            Err(CallError::Refusal(refusal)) => Outcome::Refused(reply::refused(&refusal)),
            Err(CallError::Failure(why)) => Outcome::Failed(why),
        }
    }
}

pub fn text<'r>(reply: &'r Map<String, Value>, name: &str) -> &'r str {
    reply.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// A field's text between these; nothing where it is empty.
pub fn around(before: &str, text: &str, after: &str) -> String {
    if text.is_empty() {
        String::new()
    } else {
        format!("{before}{text}{after}")
    }
}

pub fn list<'r>(reply: &'r Map<String, Value>, name: &str) -> impl Iterator<Item = &'r Value> {
    reply
        .get(name)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
}

pub fn fields<const N: usize>(all: [(&str, Value); N]) -> Map<String, Value> {
    all.into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

/// Asks the person at the keyboard what yes or no answers.
pub type Asker = Arc<dyn Fn(String) -> Pin<Box<dyn Future<Output = bool> + Send>> + Send + Sync>;

/// The tools of one table.
#[derive(Clone)]
pub struct Toolbox {
    pub host: Arc<Host>,
    pub tools: Arc<Registry>,
    /// Asks the person before what cannot be taken back; no model answers in their place.
    pub asker: Option<Asker>,
}

impl Toolbox {
    /// Tools where nobody can be asked: the refusal names the word that confirms.
    pub fn new(host: Arc<Host>, tools: Registry) -> Toolbox {
        Toolbox {
            host,
            tools: Arc::new(tools),
            asker: None,
        }
    }

    /// Opens the campaign that is played.
    /// Errors: why it cannot be played, and what to do.
    pub async fn open(&self) -> Result<(), String> {
        self.state()
            .await
            .map(drop)
            .map_err(CallError::for_a_person)
    }

    /// The campaign as it is now.
    pub async fn state(&self) -> Result<State, CallError> {
        let (state, ..) = self
            .host
            .campaign(None, Purpose::Read)
            .await?
            .snapshot(&Caller::default())
            .await?;
        Ok(state)
    }

    /// The tools as a model gets them; without rules, those for rules are left out.
    pub fn for_model(&self) -> Vec<ToolEntry> {
        let is_narrative = self.host.adventure().reading.system.narrative;
        let shown = |tool: &Arc<ToolEntry>| {
            let mut entry = ToolEntry::clone(tool);
            let mut input = (*tool.input).clone();
            if let Some(properties) = input.get_mut("properties").and_then(Value::as_object_mut) {
                if !tool.is_external() {
                    LEFT_OUT
                        .iter()
                        .for_each(|name| drop(properties.remove(*name)));
                }
                if self.asks_before(tool) {
                    properties.remove(CONFIRM);
                }
            }
            entry.input = input.into();
            entry
        };
        let is_offered = |tool: &&Arc<ToolEntry>| !is_narrative || tool.name != "get_rules";
        self.tools
            .all()
            .iter()
            .filter(is_offered)
            .map(shown)
            .collect()
    }

    /// Makes a reply's calls in the order of [`Registry::batch`]; `done` gets each outcome.
    pub async fn batch(
        &self,
        calls: &[ToolCall],
        mut done: impl FnMut(&ToolCall, &Outcome),
    ) -> Vec<CallResult> {
        let sent: Vec<ToolCall> = calls.iter().map(|call| self.sent(call)).collect();
        let tell = |nth: usize, result: &ToolResult| {
            if let Some(call) = calls.get(nth)
                && self.question(result.choice.as_ref()).is_none()
            {
                done(call, &Outcome::of(result));
            }
        };
        let results = self
            .tools
            .batch(&self.host, &Caller::before(Readers::Gm), sent.clone(), tell)
            .await;
        let mut outcomes = Vec::new();
        for ((call, sent), result) in calls.iter().zip(sent).zip(&results) {
            let mut outcome = Outcome::of(result);
            // One question after the other, once nothing else of the reply happens any more.
            if let Some(choice) = self.question(result.choice.as_ref()) {
                let shown = shortened(&sent.arguments.to_string(), ASKED_MAX);
                let Value::Object(arguments) = sent.arguments else {
                    continue;
                };
                let before = format!("The model calls {} {shown}. ", call.name);
                outcome = self
                    .confirmed(Readers::Gm, &before, choice, &call.name, arguments)
                    .await;
                done(call, &outcome);
            }
            outcomes.push(outcome.result(call));
        }
        outcomes
    }

    /// Looks something up for the table itself, whichever tools it offers.
    pub async fn look(&self, tool: &str, arguments: Map<String, Value>) -> Outcome {
        match tool_named(tool) {
            Some(entry) => entry.call(&self.host, arguments).await.into(),
            None => Outcome::Failed(format!("there is no tool {tool}")),
        }
    }

    /// A call as a model wrote it, without the word that only a person has.
    fn sent(&self, call: &ToolCall) -> ToolCall {
        let mut sent = call.clone();
        if let Value::String(text) = &call.arguments
            && let Ok(arguments) = serde_json::from_str(text)
        {
            sent.arguments = arguments;
        }
        if let Some(arguments) = sent.arguments.as_object_mut()
            && self
                .tools
                .get(&call.name)
                .is_some_and(|tool| self.asks_before(tool))
        {
            arguments.remove(CONFIRM);
        }
        sent
    }

    /// Makes a call that a person typed, before these.
    pub async fn call(
        &self,
        readers: Readers,
        tool: &str,
        arguments: Map<String, Value>,
    ) -> Outcome {
        let made = self.made(readers, tool, arguments.clone()).await;
        if let Err(CallError::Refusal(refusal)) = &made
            && let Some(choice) = self.question(refusal.aside.choice.as_ref())
        {
            return self.confirmed(readers, "", choice, tool, arguments).await;
        }
        made.into()
    }

    async fn made(&self, readers: Readers, tool: &str, arguments: Map<String, Value>) -> Answered {
        self.tools
            .for_seat(None, tool)?
            .call_for(Caller::before(readers), &self.host, arguments)
            .await
    }

    fn asks_before(&self, tool: &ToolEntry) -> bool {
        self.asker.is_some() && tool.asks_first()
    }

    /// The question that has to be asked before a call, where somebody can be asked.
    fn question<'q>(&self, choice: Option<&'q Choice>) -> Option<&'q Choice> {
        choice.filter(|choice| self.asker.is_some() && choice.parameter == CONFIRM)
    }

    async fn confirmed(
        &self,
        readers: Readers,
        before: &str,
        choice: &Choice,
        tool: &str,
        mut arguments: Map<String, Value>,
    ) -> Outcome {
        match &self.asker {
            Some(asker) if asker(format!("{before}{}", choice.question)).await => {}
            _ => return Outcome::Refused(reply::refused(&declined())),
        }
        arguments.insert(
            CONFIRM.to_owned(),
            choice.options.first().map_or("", String::as_str).into(),
        );
        self.made(readers, tool, arguments).await.into()
    }
}

/// At most so many bytes, whole characters.
pub fn cut(mut text: String) -> String {
    if text.len() > RESULT_MAX {
        text.truncate(text.floor_char_boundary(RESULT_MAX));
        text.push_str("… (cut: ask for less)");
    }
    text
}
