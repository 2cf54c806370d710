//! A tool without its types: what a registry holds, a protocol lists and a caller calls.

use std::borrow::Cow;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use super::confirm::{self, Confirm};
use super::cooling::Cooling;
use super::schema::ToolSchema;
use super::synonyms::Synonyms;
use super::tool::{Category, Tool};
use super::{bind, envelope, player, schema};
use crate::session::meter::Ended;
use crate::session::{CallError, Caller, Host};
use rollbook_game::refusal::{Code, Refusal};

/// How long a call of a tool may take, unless the tool says otherwise.
pub const TIME_LIMIT: Duration = Duration::from_secs(30);

/// What a call answers: the reply's fields, or why there is none.
pub type Answered = Result<Map<String, Value>, CallError>;

/// A call that runs.
pub type Answering<'a> = Pin<Box<dyn Future<Output = Answered> + Send + 'a>>;

type ExternalRun = dyn Fn(Map<String, Value>) -> Answering<'static> + Send + Sync;

#[derive(Clone)]
enum Run {
    /// One of Rollbook's own, at a table of the host.
    Builtin(for<'a> fn(&'a ToolEntry, &'a Host, Map<String, Value>, Caller) -> Answering<'a>),
    /// Somebody else's, which is handed nothing but its arguments.
    External(Arc<ExternalRun>),
}

/// A tool as it is listed and called.
#[derive(Clone)]
pub struct ToolEntry {
    pub name: Cow<'static, str>,
    pub title: Cow<'static, str>,
    pub description: Cow<'static, str>,
    /// A [`Category`] of Rollbook's own, or the name under which somebody else's tools are mounted.
    pub category: Cow<'static, str>,
    pub hot: bool,
    search_hint: &'static str,
    pub read_only: bool,
    pub destructive: bool,
    pub time_limit: Duration,
    pub input: ToolSchema,
    /// Empty where the tool does not say what it answers.
    pub output: ToolSchema,
    pub(super) synonyms: Synonyms,
    /// As a player's seat has it: the whole tool's parameters.
    pub(super) of_player: Option<ToolSchema>,
    asks_first: bool,
    cooling: Option<Arc<Cooling>>,
    off: Arc<[Off]>,
    untouched: &'static str,
    run: Run,
}

/// The words and schemas of a tool that is not one of Rollbook's own.
#[derive(Debug, Clone, Default)]
pub struct External {
    pub name: String,
    pub title: String,
    pub description: String,
    pub category: String,
    pub input: Map<String, Value>,
    /// That of what it answers; empty where it does not say.
    pub output: Map<String, Value>,
    pub read_only: bool,
    pub destructive: bool,
}

/// How a tool is written down for whoever calls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Mcp,
    /// As chat APIs take it: `{"type": "function", "function": {name, description, parameters}}`.
    Function,
    /// As the Anthropic Messages API takes it: `{name, description, input_schema}`.
    Anthropic,
}

/// Tells Claude Code to load a tool at once instead of when it is searched for.
const ALWAYS_LOAD: &str = "anthropic/alwaysLoad";
/// Words under which Claude Code finds a tool that it has not loaded.
const SEARCH_HINT: &str = "anthropic/searchHint";
/// Tells Claude Code how long a result may be before it puts it into a file instead.
const RESULT_MAX: &str = "anthropic/maxResultSizeChars";
/// As much as it allows: many rolls or a long recap stay in the conversation. Hot tools are short.
const RESULT_CHARS: u64 = 500_000;

impl ToolEntry {
    pub(super) fn of<T: Tool>() -> ToolEntry {
        ToolEntry {
            name: T::NAME.into(),
            title: T::TITLE.into(),
            description: T::DESCRIPTION.into(),
            category: T::CATEGORY.as_str().into(),
            hot: T::HOT,
            search_hint: T::SEARCH_HINT,
            read_only: T::READ_ONLY,
            destructive: T::DESTRUCTIVE,
            time_limit: TIME_LIMIT,
            input: ToolSchema::of(input::<T>),
            output: ToolSchema::of(|| schema::output::<T::Reply>(T::READ_ONLY)),
            synonyms: Synonyms {
                tool: T::NAME,
                parameters: T::ALIASES,
                words: T::WORDS,
            },
            of_player: None,
            asks_first: T::CONFIRM.is_some(),
            cooling: None,
            off: Arc::default(),
            untouched: T::UNTOUCHED,
            run: Run::Builtin(envelope::run::<T>),
        }
    }

    /// An external tool. It gets its arguments as sent, and neither campaign nor caller. Its answer
    /// has a `summary`. A late one is dropped; one that destroys takes its own name as `confirm`.
    pub fn external(
        mut about: External,
        run: impl Fn(Map<String, Value>) -> Answering<'static> + Send + Sync + 'static,
    ) -> ToolEntry {
        // One that has a confirmation of its own asks for itself.
        let asks_first = about.destructive && confirm::declare(&mut about.input);
        ToolEntry {
            name: about.name.into(),
            title: about.title.into(),
            description: about.description.into(),
            category: about.category.into(),
            hot: false,
            search_hint: "",
            read_only: about.read_only,
            destructive: about.destructive,
            time_limit: TIME_LIMIT,
            input: about.input.into(),
            output: about.output.into(),
            synonyms: Synonyms {
                tool: "",
                parameters: &[],
                words: &[],
            },
            of_player: None,
            asks_first,
            cooling: None,
            off: Arc::default(),
            untouched: "",
            run: Run::External(Arc::new(run)),
        }
    }

    /// The same tool in a registry that lacks those.
    pub(super) fn beside(&self, off: Arc<[Off]>) -> ToolEntry {
        ToolEntry {
            off,
            ..self.clone()
        }
    }

    /// The same tool with another time limit.
    pub fn limited(mut self, time_limit: Duration) -> ToolEntry {
        self.time_limit = time_limit;
        self
    }

    /// The same tool, which one caller may call only so long after the last time.
    pub fn cooling_down(mut self, time: Duration) -> ToolEntry {
        self.cooling = Some(Arc::new(Cooling::new(time)));
        self
    }

    /// How long a caller must wait between two calls.
    pub fn cool_down(&self) -> Option<Duration> {
        self.cooling.as_ref().map(|cooling| cooling.time)
    }

    /// Whether a person is asked before some of its calls.
    pub fn asks_first(&self) -> bool {
        self.asks_first
    }

    /// Whether it is somebody else's tool.
    pub fn is_external(&self) -> bool {
        matches!(self.run, Run::External(_))
    }

    /// The category, where it is one of Rollbook's own.
    pub fn own_category(&self) -> Option<Category> {
        Category::named(&self.category).filter(|_| !self.is_external())
    }

    /// The tool as a player's seat has it; `None` where it has not.
    pub(super) fn narrowed(&self) -> Option<ToolEntry> {
        if self.is_external() {
            return None;
        }
        let input = player::input(&self.name, &self.input)?;
        let description =
            player::description(&self.name).map_or_else(|| self.description.clone(), Cow::from);
        Some(ToolEntry {
            description,
            input: input.into(),
            of_player: Some(self.input.clone()),
            ..self.clone()
        })
    }

    /// Its name, description and parameters, as that kind of client takes them.
    pub fn schema(&self, form: Form) -> Value {
        let (name, description, input) = (&self.name, &self.description, &*self.input);
        match form {
            Form::Mcp => self.listed(),
            Form::Function => json!({
                "type": "function",
                "function": {"name": name, "description": description, "parameters": input},
            }),
            Form::Anthropic => {
                json!({"name": name, "description": description, "input_schema": input})
            }
        }
    }

    /// As the protocol lists it, without what that takes for granted; a client reads all of this.
    fn listed(&self) -> Value {
        let mut annotations = Map::from_iter([
            ("title".to_owned(), json!(self.title)),
            ("destructiveHint".to_owned(), self.destructive.into()),
            ("openWorldHint".to_owned(), self.is_external().into()),
        ]);
        let mut tool = Map::from_iter([
            ("name".to_owned(), json!(self.name)),
            ("title".to_owned(), json!(self.title)),
            ("description".to_owned(), json!(self.description)),
            (
                "inputSchema".to_owned(),
                Value::Object((*self.input).clone()),
            ),
        ]);
        if self.read_only {
            annotations.insert("readOnlyHint".to_owned(), true.into());
        }
        tool.insert("annotations".to_owned(), Value::Object(annotations));
        if !self.output.is_empty() {
            tool.insert(
                "outputSchema".to_owned(),
                Value::Object((*self.output).clone()),
            );
        }
        let mut meta = Map::new();
        if self.hot {
            meta.insert(ALWAYS_LOAD.to_owned(), true.into());
        } else {
            meta.insert(RESULT_MAX.to_owned(), RESULT_CHARS.into());
        }
        if !self.search_hint.is_empty() {
            meta.insert(SEARCH_HINT.to_owned(), self.search_hint.into());
        }
        tool.insert("_meta".to_owned(), Value::Object(meta));
        Value::Object(tool)
    }

    /// Calls it as the GM. Errors: the tool's, and those of [`ToolEntry::call_for`].
    pub async fn call(&self, host: &Host, arguments: Map<String, Value>) -> Answered {
        self.call_for(Caller::default(), host, arguments).await
    }

    /// The same for a caller who may leave before the call's turn, or whose time ends; then nothing
    /// is rolled or changed. Errors: the tool's; `too_soon`; `timed_out` after its time limit.
    pub async fn call_for(
        &self,
        caller: Caller,
        host: &Host,
        arguments: Map<String, Value>,
    ) -> Answered {
        let since = Instant::now();
        let too_soon = self
            .cooling
            .as_ref()
            .and_then(|cooling| cooling.enter(&self.name, &caller).err());
        let answer = match (too_soon, &self.run) {
            (Some(too_soon), _) => Err(too_soon.into()),
            (None, Run::External(run)) => self.call_external(&**run, &caller, arguments).await,
            (None, Run::Builtin(run)) => {
                let gone = caller.gone.child_token();
                let mut call = run(
                    self,
                    host,
                    arguments,
                    Caller {
                        gone: gone.clone(),
                        ..caller.clone()
                    },
                );
                let (answer, is_late) = match tokio::time::timeout(self.time_limit, &mut call).await
                {
                    Ok(answer) => (answer, false),
                    Err(_) => {
                        gone.cancel();
                        (call.await, true)
                    }
                };
                answer.map_err(|error| match error {
                    CallError::Refusal(refusal) => {
                        // What was refused was not done.
                        self.let_again(&caller);
                        let left = refusal.code == Code::Cancelled
                            && is_late
                            && !caller.gone.is_cancelled();
                        if left {
                            late(self.time_limit)
                        } else {
                            self.advised(refusal)
                        }
                        .into()
                    }
                    failure @ CallError::Failure(_) => failure,
                })
            }
        };
        let ended = match &answer {
            Ok(_) => Ended::Answered,
            Err(CallError::Refusal(refusal)) => Ended::Refused(refusal.code.as_str()),
            Err(CallError::Failure(_)) => Ended::Failed,
        };
        host.meter.called(&self.name, since, &ended);
        answer
    }

    async fn call_external(
        &self,
        run: &ExternalRun,
        caller: &Caller,
        mut arguments: Map<String, Value>,
    ) -> Answered {
        bind::check(&self.input, &arguments)?;
        if self.asks_first {
            let what = format!("{} of {} destroys something.", self.name, self.category);
            let confirm = Confirm {
                what,
                word: self.name.to_string(),
            };
            confirm.check(arguments.remove(confirm::PARAMETER).as_ref())?;
        }
        tokio::select! {
            answer = run(arguments) => answer,
            () = caller.gone.cancelled() => Err(left(&self.name).into()),
            () = tokio::time::sleep(self.time_limit) => Err(unanswered(&self.name, self.time_limit).into()),
        }
    }

    /// A refusal as this seat can follow it, and that nothing happened.
    fn advised(&self, refusal: Refusal) -> Refusal {
        let advised = match &self.of_player {
            Some(whole) => player::advised(&self.name, &self.input, whole, refusal),
            None => Off::explain(&self.off, refusal),
        };
        advised.for_reply(self.untouched)
    }

    /// Lets a caller call at once, however soon it is: the call belongs to the one before it.
    pub fn let_again(&self, caller: &Caller) {
        if let Some(cooling) = &self.cooling {
            cooling.forget(caller);
        }
    }
}

fn input<T: Tool>() -> Map<String, Value> {
    let mut input = schema::input::<T::Params>(T::READ_ONLY);
    if T::CONFIRM.is_some() {
        confirm::declare(&mut input);
    }
    input
}

fn late(limit: Duration) -> Refusal {
    let summary = format!(
        "The call took longer than {} seconds and was taken back. Nothing was rolled or changed. Send it again.",
        limit.as_secs_f64()
    );
    Refusal::new(Code::TimedOut, summary)
}

fn unanswered(name: &str, limit: Duration) -> Refusal {
    let summary = format!(
        "{name} did not answer within {} seconds; whether it did anything is not known. Send it again, or go on without it.",
        limit.as_secs_f64()
    );
    Refusal::new(Code::TimedOut, summary)
}

fn left(name: &str) -> Refusal {
    let summary =
        format!("The call of {name} was cancelled; whether it did anything is not known.");
    Refusal::new(Code::Cancelled, summary)
}

pub struct Off {
    name: &'static str,
    /// That it is off, and how it is switched on: a sentence each.
    pub what: String,
    pub how: String,
}

impl Off {
    /// Beside the tools of these categories.
    pub fn of(name: &'static str, category: &str, on: &[Category]) -> Off {
        let with: Vec<&str> = on
            .iter()
            .map(|category| category.as_str())
            .chain([category])
            .collect();
        let what =
            format!("{name} is a tool of {category}, which this server was started without.");
        Off {
            name,
            what,
            how: format!("Start it with --toolsets {}.", with.join(",")),
        }
    }

    /// A refusal that tells to send one of these says it is off; plain words (odds) do not count.
    pub fn explain(all: &[Off], mut refusal: Refusal) -> Refusal {
        let of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
        let named = |off: &&Off| {
            off.name.contains('_')
                && refusal
                    .summary
                    .split(|letter| !of_name(letter))
                    .any(|word| word == off.name)
        };
        if let Some(off) = all.iter().find(named) {
            refusal.summary = format!("{} {} {}", refusal.summary, off.what, off.how);
        }
        refusal
    }
}
