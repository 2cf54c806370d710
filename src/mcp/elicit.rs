//! Asking the person behind the client: which character, which target, whether to do what cannot be taken back.
//!
//! A refused call may say what a person could be asked ([`Choice`]); their answer is sent as one more argument of the same call, which is then
//! made again. A client that began with `initialize` is asked while it waits (`elicitation/create`); one of 2026-07-28 gets the question as
//! the result (`input_required`) and sends the call again with the answer. A client that cannot ask gets the refusal, which says what to
//! send.

use std::collections::BTreeMap;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{
    ClientCapabilities, InputRequests, InputRequiredResult, InputResponses, ProtocolVersion, ServerRequest,
};
use rmcp::service::{PeerRequestOptions, RequestContext};
use serde_json::{Map, Value, json};

use crate::game::refusal::{Choice, Code, Refusal};
use crate::names::printable;

/// How long a person may take to answer.
const ANSWER_LIMIT: Duration = Duration::from_secs(10 * 60);
/// Questions about one call.
const QUESTIONS_MAX: usize = 4;
/// Things to choose from.
const OPTIONS_MAX: usize = 100;

/// The questions about one call.
pub struct Asking {
    /// What was answered, by parameter.
    answers: BTreeMap<String, String>,
    /// The person would not choose, so nothing more is asked.
    is_over: bool,
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
    /// The questions about a call that is sent, or sent again with what was answered; the answers are put into its arguments. They are
    /// worth no more than arguments that the client sends itself, so nothing has to prove that they were asked for.
    ///
    /// # Errors
    /// The refusal, where the person declined.
    pub fn begin(
        arguments: &mut Map<String, Value>,
        responses: Option<&InputResponses>,
        state: Option<&str>,
    ) -> Result<Asking, Refusal> {
        let answers = state.and_then(|state| serde_json::from_str(state).ok()).unwrap_or_default();
        let mut asking = Asking { answers, is_over: false };
        for (parameter, response) in responses.into_iter().flatten() {
            match reply(response, parameter) {
                Reply::Chose(word) => drop(asking.answers.insert(parameter.clone(), word)),
                Reply::Declined => return Err(declined()),
                Reply::Left => asking.is_over = true,
            }
        }
        arguments
            .extend(asking.answers.iter().map(|(parameter, word)| (parameter.clone(), Value::from(word.as_str()))));
        Ok(asking)
    }

    /// Asks a person, where the client can, and where the answer would be an argument of its own.
    pub async fn ask(
        &mut self,
        choice: &Choice,
        arguments: &Map<String, Value>,
        context: &RequestContext<RoleServer>,
    ) -> Asked {
        let is_plain = !choice.parameter.contains(['.', '['])
            && arguments.get(&choice.parameter).is_none_or(|sent| sent.is_string() || sent.is_null());
        // Another answer to the same question would be refused, too.
        let is_known = self.answers.get(&choice.parameter).is_some_and(|own| choice.options.contains(own));
        if self.is_over
            || is_known
            || !is_plain
            || self.answers.len() >= QUESTIONS_MAX
            || choice.options.len() > OPTIONS_MAX
        {
            return Asked::Nobody;
        }
        let Some(era) = Era::of(context) else { return Asked::Nobody };
        let request = json!({"method": "elicitation/create", "params": question(choice)});
        let answer = match era {
            Era::ByResult => return self.later(choice, request),
            Era::Directly => directly(request, context).await,
        };
        match answer.map(|answer| reply(&answer, &choice.parameter)) {
            Some(Reply::Chose(word)) => {
                self.answers.insert(choice.parameter.clone(), word.clone());
                Asked::Answer(choice.parameter.clone(), word)
            }
            Some(Reply::Declined) => Asked::Declined(declined()),
            Some(Reply::Left) | None => {
                self.is_over = true;
                Asked::Nobody
            }
        }
    }

    fn later(&self, choice: &Choice, request: Value) -> Asked {
        let Ok(request) = serde_json::from_value(request) else { return Asked::Nobody };
        let state = if self.answers.is_empty() { None } else { serde_json::to_string(&self.answers).ok() };
        let requests = InputRequests::from([(choice.parameter.clone(), request)]);
        Asked::Later(InputRequiredResult::new(Some(requests), state))
    }
}

/// How a client is asked.
enum Era {
    Directly,
    ByResult,
}

impl Era {
    /// `None` where the client does not show forms.
    fn of(context: &RequestContext<RoleServer>) -> Option<Era> {
        let shows_forms = |able: &ClientCapabilities| {
            able.elicitation.as_ref().is_some_and(|own| own.form.is_some() || own.url.is_none())
        };
        if context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28) {
            return context.meta.client_capabilities().filter(shows_forms).map(|_| Era::ByResult);
        }
        context.peer.peer_info().filter(|client| shows_forms(&client.capabilities)).map(|_| Era::Directly)
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
async fn directly(request: Value, context: &RequestContext<RoleServer>) -> Option<Value> {
    let request: ServerRequest = serde_json::from_value(request).ok()?;
    let options = PeerRequestOptions::with_timeout(ANSWER_LIMIT);
    let asked = async {
        let sent = context.peer.send_request_with_option(request, options).await?;
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
    let chosen = answer.get("content").and_then(|content| content.get(parameter)).and_then(Value::as_str);
    match (answer.get("action").and_then(Value::as_str), chosen) {
        (Some("accept"), Some(word)) => Reply::Chose(word.to_owned()),
        (Some("decline"), _) => Reply::Declined,
        _ => Reply::Left,
    }
}

fn declined() -> Refusal {
    let summary = "The person who was asked declined. Nothing was rolled or changed. Ask them what they want instead.";
    Refusal::new(Code::Declined, summary)
}
