//! A table with a scripted model: dice that were set before, a fake API, and what happened while
//! the model answered.

use std::sync::Arc;
use std::time::Duration;

use rollbook::play::assistant::Assistant;
use rollbook::play::assistant::Event;
use rollbook::play::assistant::Limits;
use rollbook::play::model::{Choice, Model};
use rollbook::play::toolbox::{Asker, Toolbox};
use rollbook_table::session::adventure::Adventure;
use rollbook_table::session::{Host, Readers};
use rollbook_table::tools::Registry;
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use super::fake::{Answer, Fake};
use crate::process::LOCKHOUSE;
use crate::table::{NOW, Script, Scripted, sabeth};

/// The key that every fake gets; it must stand in no text.
pub const KEY: &str = "sk-secret-of-the-test";

/// A table and the model at it.
pub struct Seat {
    pub toolbox: Toolbox,
    pub assistant: Assistant,
    pub script: Script,
    _folder: TempDir,
}

/// The bounds that a test has when it says nothing of them.
pub fn limits() -> Limits {
    Limits {
        calls: 25,
        tokens: 16_000,
        time: Duration::from_secs(20),
        context: 120_000,
    }
}

/// The model behind that fake.
pub fn choice(fake: &Fake) -> Choice {
    Choice::parse(
        &format!("{}:scripted", fake.api.facts().name),
        Some(&fake.endpoint),
        |_| Some(KEY.to_owned()),
    )
    .expect("a choice")
}

impl Seat {
    /// At a table where Sabeth sits.
    pub async fn at(fake: &Fake, limits: Limits) -> Seat {
        Seat::with(fake, limits, Registry::default()).await
    }

    /// The same with these tools.
    pub async fn with(fake: &Fake, limits: Limits, tools: Registry) -> Seat {
        Seat::made(fake, limits, tools, None).await
    }

    /// The same with these tools and a person who can be asked.
    pub async fn with_person(fake: &Fake, limits: Limits, tools: Registry, person: Asker) -> Seat {
        Seat::made(fake, limits, tools, Some(person)).await
    }

    async fn made(fake: &Fake, limits: Limits, tools: Registry, person: Option<Asker>) -> Seat {
        rollbook::migrations::MIGRATIONS.hand_down();
        let folder = TempDir::new().expect("a folder");
        let adventure = Adventure::read(LOCKHOUSE.as_ref()).expect("the adventure");
        let script = Script::default();
        let dice = script.clone();
        let chance = move || Ok(Box::new(Scripted::new(dice.clone())) as Box<_>);
        let host = Host::new(
            adventure,
            folder.path().join("campaigns.db").as_path(),
            None,
            Box::new(chance),
            || NOW,
        );
        let mut toolbox = Toolbox::new(Arc::new(host.thrown_away()), tools);
        toolbox.asker = person;
        toolbox
            .call(Readers::Gm, "manage_character", object(sabeth()))
            .await;
        let model = Model::new(choice(fake)).expect("a model");
        let assistant = Assistant::new(model, limits, "You run the game.".to_owned(), &toolbox);
        Seat {
            toolbox,
            assistant,
            script,
            _folder: folder,
        }
    }

    /// Says something; answers what the model wrote, or why it did not, and what happened
    /// meanwhile, a line each.
    pub async fn says(&mut self, words: &str) -> (Result<String, String>, Vec<String>) {
        let mut happened: Vec<String> = Vec::new();
        let mut on = |event: Event<'_>| happened.push(line(&event));
        let answered = self.assistant.answer(words, &self.toolbox, &mut on).await;
        (
            answered.map_err(|error| error.to_string()),
            joined(happened),
        )
    }

    /// How many entries the log has.
    pub async fn log_length(&self) -> u64 {
        let call = json!({"action": "status", "detail": "full"});
        self.seen("manage_session", call).await["log_length"]
            .as_u64()
            .expect("a number")
    }

    /// What a reading call answers.
    pub async fn seen(&self, tool: &str, arguments: Value) -> Value {
        let entry = self.toolbox.tools.get(tool).expect("a tool");
        Value::Object(
            entry
                .call(&self.toolbox.host, object(arguments))
                .await
                .expect("an answer"),
        )
    }
}

/// The fields of an object.
pub fn object(value: Value) -> Map<String, Value> {
    let Value::Object(fields) = value else {
        panic!("an object: {value}")
    };
    fields
}

fn line(event: &Event<'_>) -> String {
    match event {
        Event::Text(text) => format!("text {text}"),
        Event::Begun { tool, .. } => format!("begun {tool}"),
        Event::Ended { tool, outcome, .. } => format!("ended {tool}: {}", outcome.summary()),
        Event::Again {
            seconds,
            why,
            is_void,
        } => {
            format!(
                "again in {seconds}: {why}{}",
                if *is_void { " (void)" } else { "" }
            )
        }
        Event::Shortened(many) => format!("shortened {many}"),
        Event::Reached(limit) => format!("reached {limit}"),
        Event::CutOff => "cut off".to_owned(),
        Event::Refused => "refused".to_owned(),
        Event::Wordless => "wordless".to_owned(),
        Event::Over(usage) => format!("over, {} read and {} written", usage.read, usage.written),
    }
}

/// Pieces of text that follow each other are one.
fn joined(lines: Vec<String>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for line in lines {
        match (all.last_mut(), line.strip_prefix("text ")) {
            (Some(last), Some(text)) if last.starts_with("text ") => last.push_str(text),
            _ => all.push(line),
        }
    }
    all
}

/// The results that a request brought, as text, the last message's.
pub fn results(body: &Value) -> Vec<String> {
    let messages = body["messages"].as_array().expect("messages");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let last = messages.last().expect("a message");
    if let Some(blocks) = last["content"].as_array() {
        let blocks = blocks.iter().filter(|block| block["type"] == "tool_result");
        return blocks.map(|block| text(&block["content"])).collect();
    }
    let tools = messages
        .iter()
        .rev()
        .take_while(|message| message["role"] == "tool");
    let mut all: Vec<String> = tools.map(|tool| text(&tool["content"])).collect();
    all.reverse();
    all
}

/// All that a request says, as text.
pub fn whole(body: &Value) -> String {
    body["messages"].to_string()
}

/// Whether the model may call tools.
pub fn may_call(body: &Value) -> bool {
    body.get("tools").is_some() && body["tool_choice"]["type"] != "none"
}

/// Every answer as an [`Answer`].
pub fn answers<const N: usize>(all: [super::fake::Reply; N]) -> impl Iterator<Item = Answer> {
    all.into_iter().map(Answer::from)
}
