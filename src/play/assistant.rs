//! The chat loop: a model is asked, its calls are made, their results go back, until it is done.
//!
//! Every call gets a result, a refused or an impossible one too. Nothing that a model does makes an
//! answer endless: calls, tokens and time are bounded, and after the last call it is asked once
//! more, without tools.

use std::time::{Duration, Instant};

use super::memory::{self, Conversation};
use super::model::{CallResult, Message, Model, ModelError, Reply, Request, Stop, Usage};
use super::toolbox::{Outcome, Toolbox};
use rollbook_table::tools::{ToolCall, ToolEntry};

const ATTEMPTS: u32 = 4; // How often a request is sent that was not answered for now
/// How long to wait before asking again, where the API does not say; doubled each time.
const WAIT: Duration = Duration::from_secs(2);
/// What a call answers that was not made any more.
const USED_UP: &str =
    "Not done: this answer may make no more calls. Say now what the results mean, without calling.";
const CUT_MAX: u32 = 3; // How many replies in a row may be cut in the middle of their calls
/// What a call answers that stood in a reply which was cut.
const CUT: &str = "Not done: the reply was cut at its greatest length, so none of its calls was made. Send the calls again, with fewer \
                   words or fewer calls in one reply.";
/// What a call answers whose answer was broken off.
const BROKEN_OFF: &str = "The person broke the answer off, and it is not known whether this was done. Look before you do it again.";

/// What is said to the model when its calls or its tokens are used up.
const LAST: &str =
    "At the table: no more tools now. Say in a few sentences what happened and what stands open.";

/// How much one answer of a model may take. Each bound ends an answer in good order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Tools that it may call; then it says what it has, without tools.
    pub calls: u32,
    pub tokens: u32,
    /// Time from the question to the last word.
    pub time: Duration,
    /// Tokens that the model reads and writes together at most; what is older is put in short.
    pub context: u32,
}

impl Limits {
    pub const CALLS: u32 = 25;
    pub const TOKENS: u32 = 16_000;
    pub const SECONDS: u32 = 300;
    /// Tokens of a single reply at most; today's models can write so many.
    pub const REPLY_TOKENS: u32 = 16_000;
    /// Tokens that a last reply has, though the answer has none left.
    pub const LAST_TOKENS: u32 = 1_000;
    /// The least context in which the rules of play and the tools have room.
    pub const CONTEXT_MIN: u32 = 16_000;

    /// Tokens that the next reply may have, when the answer has written so many: what is left, at
    /// most 16,000 and a quarter of the context, which the conversation leaves free.
    pub fn reply_tokens(&self, written: u64) -> u32 {
        let left = self
            .tokens
            .saturating_sub(u32::try_from(written).unwrap_or(u32::MAX));
        left.clamp(Limits::LAST_TOKENS, Limits::REPLY_TOKENS)
            .min(self.context / 4)
    }
}

/// What happens while a model answers, in its order. `cli` draws it.
#[derive(Debug)]
pub enum Event<'a> {
    Text(&'a str),
    Begun {
        tool: &'a str,
    },
    /// What a call came to; of several made side by side each as it comes.
    Ended {
        tool: &'a str,
        outcome: &'a Outcome,
    },
    /// Asked again in so many seconds; words since the last call are void.
    Again {
        seconds: u64,
        why: String,
        is_void: bool,
    },
    /// So many messages were put in short, to make room.
    Shortened(usize),
    /// The bound that the answer ran into, in words; the model may still say what it has.
    Reached(String),
    /// The model wrote more than one reply may have, and its last words are missing.
    CutOff,
    Refused,
    Wordless,
    Over(Usage),
}

/// A model that runs a game with the table's tools.
pub struct Assistant {
    model: Model,
    limits: Limits,
    system: String,
    tools: Vec<ToolEntry>,
    conversation: Conversation,
    meanwhile: Vec<String>, // What the person did with commands since the model was last asked
}

/// What gets the events.
pub type Watcher<'w> = &'w mut dyn FnMut(Event<'_>);

struct Spent {
    began: Instant,
    calls: u32,
    usage: Usage,
    may_call: bool,
}

impl Assistant {
    /// A game assistant without a conversation yet; `system` is read before everything else.
    pub fn new(model: Model, limits: Limits, system: String, toolbox: &Toolbox) -> Assistant {
        let (tools, conversation) = (toolbox.for_model(), Conversation::default());
        Assistant {
            model,
            limits,
            system,
            tools,
            conversation,
            meanwhile: Vec::new(),
        }
    }

    pub fn model(&self) -> &str {
        self.model.name()
    }

    /// Keeps for the next question what was done at the table meanwhile.
    pub fn add_meanwhile(&mut self, what: &str) {
        self.meanwhile.push(format!("At the table: {what}"));
    }

    /// Answers the person. It may be dropped at any time: what was called stays called. Errors:
    /// when the model does not answer; its calls are in the conversation, which may go on.
    pub async fn answer(
        &mut self,
        text: &str,
        toolbox: &Toolbox,
        on: Watcher<'_>,
    ) -> Result<String, ModelError> {
        // After an answer that was broken off each call has a result, too.
        if let Some(Message::Model { calls, .. }) = self.conversation.messages.last()
            && !calls.is_empty()
        {
            let results = calls
                .iter()
                .map(|call| not_done(call, BROKEN_OFF))
                .collect();
            self.conversation.messages.push(Message::Results(results));
        }
        if self.conversation.messages.is_empty() {
            self.conversation
                .messages
                .push(Message::User(memory::memory(toolbox, false).await));
        }
        self.meanwhile.push(text.to_owned());
        let question = std::mem::take(&mut self.meanwhile).join("\n");
        self.conversation.messages.push(Message::User(question));
        let mut spent = Spent {
            began: Instant::now(),
            calls: 0,
            usage: Usage::default(),
            may_call: true,
        };
        let (mut text, mut cut) = (String::new(), 0);
        loop {
            let Some(reply) = self.ask(toolbox, &spent, on).await? else {
                let seconds = self.limits.time.as_secs();
                let reached =
                    format!("{seconds} s are over, as long as an answer may take (--max-seconds)");
                on(Event::Reached(reached));
                break;
            };
            spent.usage.read += reply.usage.read;
            spent.usage.written += reply.usage.written.max(u64::from(!reply.text.is_empty()));
            let is_wordless = reply.text.trim().is_empty();
            // What a model says before and after its calls are sentences of one answer.
            text.push_str(if is_wordless || text.is_empty() {
                ""
            } else {
                "\n"
            });
            text.push_str(reply.text.trim());
            let calls = if spent.may_call {
                reply.calls
            } else {
                Vec::new()
            };
            if !is_wordless || !calls.is_empty() {
                self.conversation.messages.push(Message::Model {
                    text: reply.text,
                    calls: calls.clone(),
                });
                self.conversation
                    .count(reply.usage.read + reply.usage.written);
            }
            if calls.is_empty() {
                match reply.stop {
                    Stop::Length => on(Event::CutOff),
                    Stop::Refused => on(Event::Refused),
                    // What was said before the last calls may be all that there is to say.
                    Stop::Done if is_wordless && (text.is_empty() || !spent.may_call) => {
                        on(Event::Wordless)
                    }
                    Stop::Done => {}
                }
                break;
            }
            let results = if reply.stop == Stop::Length {
                cut += 1;
                calls.iter().map(|call| not_done(call, CUT)).collect()
            } else {
                cut = 0;
                self.carry_out(&calls, &mut spent, toolbox, on).await
            };
            self.conversation.messages.push(Message::Results(results));
            let is_cut_off = (cut >= CUT_MAX).then_some(Event::CutOff);
            for end in self
                .used_up(&spent)
                .map(Event::Reached)
                .into_iter()
                .chain(is_cut_off)
            {
                on(end);
                spent.may_call = false;
            }
            if !spent.may_call {
                self.conversation
                    .messages
                    .push(Message::User(LAST.to_owned()));
            }
        }
        on(Event::Over(spent.usage));
        Ok(text)
    }

    /// What is used up, so that the model is asked for its last words.
    fn used_up(&self, spent: &Spent) -> Option<String> {
        let Limits { calls, tokens, .. } = self.limits;
        if spent.calls >= calls {
            return Some(format!(
                "{calls} calls are made, as many as an answer may make (--max-calls)"
            ));
        }
        let is_written = spent.usage.written >= u64::from(tokens);
        is_written.then(|| {
            format!("{tokens} tokens are written, as many as an answer may have (--max-tokens)")
        })
    }

    /// Puts the conversation in short; answers whether there was anything to leave out.
    async fn shorten(&mut self, toolbox: &Toolbox, is_too_long: bool, on: Watcher<'_>) -> bool {
        let (context, other) = (self.limits.context, self.overhead());
        let shortened = self
            .conversation
            .shorten(toolbox, context, other, is_too_long)
            .await;
        if let Some(dropped) = shortened.filter(|dropped| *dropped > 0) {
            on(Event::Shortened(dropped));
        }
        shortened.is_some()
    }

    /// Bytes that every request has beside the conversation.
    fn overhead(&self) -> usize {
        let schema =
            |tool: &ToolEntry| serde_json::to_string(&*tool.input).map_or(0, |text| text.len());
        let tools = self
            .tools
            .iter()
            .map(|tool| tool.description.len() + schema(tool));
        self.system.len() + tools.sum::<usize>()
    }

    /// Asks the model, again where the API allows it; `None` when the time is over.
    async fn ask(
        &mut self,
        toolbox: &Toolbox,
        spent: &Spent,
        on: Watcher<'_>,
    ) -> Result<Option<Reply>, ModelError> {
        let deadline = spent.began + self.limits.time;
        if Instant::now() >= deadline {
            return Ok(None);
        }
        if self
            .conversation
            .is_full(self.limits.context, self.overhead())
        {
            self.shorten(toolbox, false, on).await;
        }
        let (mut attempt, mut wait, mut was_shortened) = (0, WAIT, false);
        loop {
            attempt += 1;
            let request = Request {
                system: &self.system,
                messages: &self.conversation.messages,
                tools: &self.tools,
                may_call: spent.may_call,
                tokens_max: self.limits.reply_tokens(spent.usage.written),
                context: self.limits.context,
            };
            let mut has_begun = false;
            let mut piece = |text: &str| {
                has_begun = true;
                if !text.is_empty() {
                    on(Event::Text(text));
                }
            };
            let error = match self.model.ask(request, deadline, &mut piece).await {
                Ok(reply) => return Ok(Some(reply)),
                Err(error) => error,
            };
            let is_late = matches!(error, ModelError::Silent { .. } | ModelError::Slow { .. });
            if is_late && has_begun && Instant::now() >= deadline {
                return Ok(None);
            }
            if matches!(error, ModelError::TooLong { .. }) && !was_shortened {
                was_shortened = true;
                if self.shorten(toolbox, true, on).await {
                    continue;
                }
            }
            let pause = error.seconds().map_or(wait, Duration::from_secs);
            if !error.passes() || attempt >= ATTEMPTS || Instant::now() + pause >= deadline {
                return Err(error);
            }
            on(Event::Again {
                seconds: pause.as_secs(),
                why: error.cause(),
                is_void: has_begun,
            });
            tokio::time::sleep(pause).await;
            wait *= 2;
        }
    }

    async fn carry_out(
        &self,
        calls: &[ToolCall],
        spent: &mut Spent,
        toolbox: &Toolbox,
        on: Watcher<'_>,
    ) -> Vec<CallResult> {
        let left = self.limits.calls.saturating_sub(spent.calls) as usize;
        let (made, refused) = calls.split_at(left.min(calls.len()));
        spent.calls += u32::try_from(made.len()).unwrap_or(u32::MAX);
        made.iter()
            .for_each(|call| on(Event::Begun { tool: &call.name }));
        let done = |call: &ToolCall, outcome: &Outcome| {
            on(Event::Ended {
                tool: &call.name,
                outcome,
            })
        };
        let mut results = toolbox.batch(made, done).await;
        results.extend(refused.iter().map(|call| not_done(call, USED_UP)));
        results
    }
}

fn not_done(call: &ToolCall, why: &str) -> CallResult {
    CallResult {
        id: call.id.clone(),
        name: call.name.clone(),
        text: why.to_owned(),
        is_error: true,
    }
}
