//! Asking the person at the client: which character, which target, whether to do what cannot be
//! taken back.
//!
//! A refused call may say what a person could be asked ([`Choice`]); their answer is sent as one
//! more argument of the same call, which is then made again. A client that began with `initialize`
//! is asked while it waits (`elicitation/create`); one of 2026-07-28 gets the question as the
//! result (`input_required`) and sends the call again with the answer. A client that cannot ask
//! gets the refusal, which says what to send.
//!
//! In the same way a player is asked whether to follow a roll that the rules let them follow (push
//! it or not). The roll is made by then: a client of 2026-07-28 that sends the call again gets the
//! reply that was kept under a `request_id`, and nothing is rolled twice.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{
    ClientCapabilities, InputRequests, InputRequiredResult, InputResponses, ProtocolVersion,
    ServerRequest,
};
use rmcp::service::{PeerRequestOptions, RequestContext};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use rollbook_game::limits::LIMITS;
use rollbook_game::refusal::{Choice, Refusal};
use rollbook_store::chain::sha256;
use rollbook_table::session::{Host, Questions};
use rollbook_table::tools::declined;
use rollbook_text::names::printable;

type Context = RequestContext<RoleServer>;

/// How long a person may take to answer.
const ANSWER_LIMIT: Duration = Duration::from_secs(10 * 60);
/// Questions about one call.
const QUESTIONS_MAX: usize = 4;
/// Things to choose from.
const OPTIONS_MAX: usize = 100;
/// The question whether a roll is followed, and the answer that it is not.
const FOLLOW: &str = "follow_up";
const LEAVE_IT: &str = "leave it";

/// The questions about one call.
pub struct Asking {
    known: Known,
    /// What may be asked.
    questions: Questions,
    /// What the person would do with the roll that was made, where they were asked.
    follow: Option<Reply>,
    /// The person would not choose, so nothing more is asked.
    is_over: bool,
}

/// What a client sends back with an answer.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Known {
    /// What was answered before, by parameter.
    answers: BTreeMap<String, String>,
    /// The id under which the reply to the roll is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<String>,
}

/// What came of a question.
pub enum Asked {
    /// What to send as that parameter.
    Answer(String, String),
    /// The client asks, and sends the call again.
    Later(InputRequiredResult),
    Declined(Refusal),
    /// Nobody was asked, or nobody answered.
    Nobody,
}

/// What a person did with a question.
enum Reply {
    Chose(String),
    Declined,
    Left,
}

impl Asking {
    /// The questions about a call that is sent, or sent again with what was answered; the answers
    /// are put into its arguments. They are worth no more than arguments that the client sends
    /// itself, so nothing has to prove that they were asked for. Errors: The refusal, where the
    /// person declined.
    pub fn begin(
        arguments: &mut Map<String, Value>,
        responses: Option<&InputResponses>,
        state: Option<&str>,
        questions: Questions,
    ) -> Result<Asking, Refusal> {
        let known = state
            .and_then(|state| serde_json::from_str(state).ok())
            .unwrap_or_default();
        let mut asking = Asking {
            known,
            questions,
            follow: None,
            is_over: false,
        };
        for (parameter, response) in responses.into_iter().flatten() {
            match reply(response, parameter) {
                answer if parameter == FOLLOW => asking.follow = Some(answer),
                Reply::Chose(word) => drop(asking.known.answers.insert(parameter.clone(), word)),
                Reply::Declined => return Err(declined()),
                Reply::Left => asking.is_over = true,
            }
        }
        let answers = asking.known.answers.iter();
        arguments.extend(
            answers.map(|(parameter, word)| (parameter.clone(), Value::from(word.as_str()))),
        );
        if let Some(id) = &asking.known.request_id {
            arguments
                .entry("request_id")
                .or_insert_with(|| id.as_str().into());
        }
        Ok(asking)
    }

    /// Gives a check an id, where its player may be asked about the roll by its result.
    pub fn remember(
        &mut self,
        tool: &str,
        host: &Host,
        arguments: &mut Map<String, Value>,
        context: &Context,
    ) {
        static CALLS: AtomicU64 = AtomicU64::new(0);
        let may_follow = || {
            host.adventure()
                .reading
                .system
                .checks
                .iter()
                .any(|check| !check.follow_ups.is_empty())
        };
        let is_kept = arguments.contains_key("again") || arguments.contains_key("request_id");
        let asks = self.questions == Questions::All;
        if asks
            && tool == "skill_check"
            && !is_kept
            && matches!(Era::of(context), Some(Era::ByResult))
            && may_follow()
        {
            let (process, nth) = (std::process::id(), CALLS.fetch_add(1, Ordering::Relaxed));
            let id = format!("asked {} {process} {nth}", host.now());
            arguments.insert("request_id".to_owned(), id.as_str().into());
            self.known.request_id = Some(id);
        }
    }

    /// The call that follows a roll as its player wants; `None` where they were not asked, or leave
    /// it.
    pub fn follow_up(&self, arguments: &Map<String, Value>) -> Option<Map<String, Value>> {
        match &self.follow {
            Some(Reply::Chose(again)) => followed(again, arguments),
            Some(Reply::Declined | Reply::Left) | None => None,
        }
    }

    /// Asks the player of a roll that was just made whether it is followed: the call that does, or
    /// the question for the client.
    pub async fn ask_to_follow(
        &mut self,
        made: &Map<String, Value>,
        arguments: &Map<String, Value>,
        context: &Context,
    ) -> Option<Result<Map<String, Value>, InputRequiredResult>> {
        let offered: Vec<String> = serde_json::from_value(made.get("follow_ups")?.clone()).ok()?;
        if offered.is_empty() || self.follow.is_some() || self.questions != Questions::All {
            return None;
        }
        let summary = made
            .get("summary")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let question = format!("{summary} Follow the roll?");
        let options = offered.into_iter().chain([LEAVE_IT.to_owned()]).collect();
        let choice = Choice {
            parameter: FOLLOW.to_owned(),
            question,
            options,
        };
        match self.ask(&choice, &Map::new(), context).await {
            Asked::Answer(_, again) => followed(&again, arguments).map(Ok),
            Asked::Later(question) => Some(Err(question)),
            Asked::Declined(_) | Asked::Nobody => None,
        }
    }

    /// Asks a person, where the client can, and where the answer would be an argument of its own.
    pub async fn ask(
        &mut self,
        choice: &Choice,
        arguments: &Map<String, Value>,
        context: &Context,
    ) -> Asked {
        let is_plain = !choice.parameter.contains(['.', '['])
            && arguments
                .get(&choice.parameter)
                .is_none_or(|sent| sent.is_string() || sent.is_null());
        // Another answer to the same question would be refused, too.
        let is_known = self
            .known
            .answers
            .get(&choice.parameter)
            .is_some_and(|answer| choice.options.contains(answer));
        if self.questions == Questions::None
            || self.is_over
            || is_known
            || !is_plain
            || self.known.answers.len() >= QUESTIONS_MAX
            || choice.options.len() > OPTIONS_MAX
        {
            return Asked::Nobody;
        }
        let Some(era) = Era::of(context) else {
            return Asked::Nobody;
        };
        let request = json!({"method": "elicitation/create", "params": question(choice)});
        let answer = match era {
            Era::ByResult => return self.later(choice, request),
            Era::Directly => directly(request, context).await,
        };
        match answer.map(|answer| reply(&answer, &choice.parameter)) {
            // The roll is made, so a word that was not offered only leaves it.
            Some(Reply::Chose(word))
                if choice.parameter != FOLLOW || choice.options.contains(&word) =>
            {
                self.known
                    .answers
                    .insert(choice.parameter.clone(), word.clone());
                Asked::Answer(choice.parameter.clone(), word)
            }
            Some(Reply::Declined) => Asked::Declined(declined()),
            Some(Reply::Chose(_) | Reply::Left) | None => {
                self.is_over = true;
                Asked::Nobody
            }
        }
    }

    fn later(&self, choice: &Choice, request: Value) -> Asked {
        let Ok(request) = serde_json::from_value(request) else {
            return Asked::Nobody;
        };
        let is_empty = self.known.answers.is_empty() && self.known.request_id.is_none();
        let state = if is_empty {
            None
        } else {
            serde_json::to_string(&self.known).ok()
        };
        let requests = InputRequests::from([(choice.parameter.clone(), request)]);
        Asked::Later(InputRequiredResult::new(Some(requests), state))
    }
}

/// The call that follows a roll, with what belongs to any call; a call sent twice follows it once.
fn followed(again: &str, first: &Map<String, Value>) -> Option<Map<String, Value>> {
    if again == LEAVE_IT {
        return None;
    }
    let kept = ["campaign", "detail"]
        .into_iter()
        .filter_map(|name| Some((name.to_owned(), first.get(name)?.clone())));
    let mut call: Map<String, Value> = kept.collect();
    call.insert("again".to_owned(), again.into());
    if let Some(id) = first.get("request_id").and_then(Value::as_str) {
        let followed_id = format!("{id}, followed");
        let fits = followed_id.chars().count() <= LIMITS.request_id;
        let followed_id = if fits {
            followed_id
        } else {
            format!(
                "{}, followed",
                base16ct::lower::encode_string(&sha256(id.as_bytes()))
            )
        };
        call.insert("request_id".to_owned(), followed_id.into());
    }
    Some(call)
}

/// The reply to a roll that is made, where following it was refused.
pub fn not_followed(mut made: Map<String, Value>, refusal: &Refusal) -> Map<String, Value> {
    if let Some(Value::String(summary)) = made.get_mut("summary") {
        summary.push_str(" The roll stands; following it was refused: ");
        summary.push_str(&refusal.summary);
    }
    made
}

/// How a client is asked.
enum Era {
    Directly,
    ByResult,
}

impl Era {
    /// `None` where the client does not show forms.
    fn of(context: &Context) -> Option<Era> {
        let shows_forms = |able: &ClientCapabilities| {
            able.elicitation
                .as_ref()
                .is_some_and(|form| form.form.is_some() || form.url.is_none())
        };
        if context
            .protocol_version()
            .is_some_and(|version| version >= ProtocolVersion::V_2026_07_28)
        {
            return context
                .meta
                .client_capabilities()
                .filter(shows_forms)
                .map(|_| Era::ByResult);
        }
        context
            .peer
            .peer_info()
            .filter(|client| shows_forms(&client.capabilities))
            .map(|_| Era::Directly)
    }
}

/// The form: one list to choose from.
fn question(choice: &Choice) -> Value {
    let title = choice.parameter.replace('_', " ");
    let field = json!({"type": "string", "title": title, "enum": choice.options});
    let properties = Map::from_iter([(choice.parameter.clone(), field)]);
    json!({
        "mode": "form",
        "message": printable(&choice.question),
        "requestedSchema": {"type": "object", "properties": properties, "required": [choice.parameter]},
    })
}

/// What the client answers; `None` where it does not.
async fn directly(request: Value, context: &Context) -> Option<Value> {
    let request: ServerRequest = serde_json::from_value(request).ok()?;
    let options = PeerRequestOptions::with_timeout(ANSWER_LIMIT);
    let asked = async {
        let sent = context
            .peer
            .send_request_with_option(request, options)
            .await?;
        sent.await_response().await
    };
    let answer = tokio::select! {
        answer = asked => answer,
        () = context.ct.cancelled() => return None,
    };
    match answer {
        Ok(answer) => serde_json::to_value(&answer).ok(),
        Err(error) => {
            tracing::debug!("the client's person could not be asked: {error}");
            None
        }
    }
}

fn reply(answer: &Value, parameter: &str) -> Reply {
    let chosen = answer
        .get("content")
        .and_then(|content| content.get(parameter))
        .and_then(Value::as_str);
    match (answer.get("action").and_then(Value::as_str), chosen) {
        (Some("accept"), Some(word)) => Reply::Chose(word.to_owned()),
        (Some("decline"), _) => Reply::Declined,
        _ => Reply::Left,
    }
}
