//! A door: what the protocol needs of a tool, without its types.

use std::future::Future;
use std::pin::Pin;
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::synonyms::Synonyms;
use super::{
    apply_damage, bind, get_character, get_rules, manage_character, manage_combat, manage_session, odds, reply,
    roll_dice, roll_multiple, schema, skill_check,
};
use crate::game::limits::{self, LIMITS};
use crate::game::refusal::{Detail, Refusal};
use crate::names::fold;
use crate::session::{Answer, CallError, Caller, Host, Request};
use crate::store::{canonical, chain};

/// A tool: its words, its parameters, its reply, and what it does.
pub trait Tool: 'static {
    const NAME: &'static str;
    const TITLE: &'static str;
    /// Under 2000 bytes.
    const DESCRIPTION: &'static str;
    /// Needed so often that clients should load it at once.
    const HOT: bool;
    const READ_ONLY: bool;
    const DESTRUCTIVE: bool;
    /// What a refusal ends with: that nothing happened; empty where nothing could have.
    const UNTOUCHED: &'static str = "Nothing was changed.";
    /// Other names of parameters, see [`Synonyms::parameters`].
    const ALIASES: &'static [(&'static str, &'static str)] = &[];
    /// Hints for words that are none of a parameter's own, see [`Synonyms::words`].
    const WORDS: &'static [(&'static str, &'static str, &'static str)] = &[];
    type Params: DeserializeOwned + JsonSchema + Send;
    type Reply: JsonSchema;

    /// What is wrong with arguments beyond their types, so that a caller who sent one of a wrong type hears of the others
    /// in the same breath. Not called where all types are right: then the call itself says it.
    fn faults(_: &Map<String, Value>) -> Vec<Detail> {
        Vec::new()
    }

    /// Carries one call out.
    fn call(host: &Host, call: Call, params: Self::Params) -> impl Future<Output = Result<Answer, CallError>> + Send;
}

/// What every call may bring besides its tool's parameters.
#[derive(Debug, Default)]
pub struct Call {
    pub campaign: Option<String>,
    pub request: Request,
}

type Run = for<'a> fn(
    &'a Host,
    Map<String, Value>,
    Caller,
) -> Pin<Box<dyn Future<Output = Result<Map<String, Value>, CallError>> + Send + 'a>>;

/// A tool with its types left behind.
pub struct Door {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    pub hot: bool,
    pub read_only: bool,
    pub destructive: bool,
    pub input: Map<String, Value>,
    pub output: Map<String, Value>,
    run: Run,
}

impl Door {
    /// Binds the arguments and makes the call.
    pub async fn call(&self, host: &Host, arguments: Map<String, Value>) -> Result<Map<String, Value>, CallError> {
        self.call_for(Caller::default(), host, arguments).await
    }

    /// The same for a caller who may leave before the call's turn comes; then nothing is rolled or changed.
    pub async fn call_for(
        &self,
        caller: Caller,
        host: &Host,
        arguments: Map<String, Value>,
    ) -> Result<Map<String, Value>, CallError> {
        (self.run)(host, arguments, caller).await
    }

    fn of<T: Tool>() -> Door {
        Door {
            name: T::NAME,
            title: T::TITLE,
            description: T::DESCRIPTION,
            hot: T::HOT,
            read_only: T::READ_ONLY,
            destructive: T::DESTRUCTIVE,
            input: schema::input::<T::Params>(T::READ_ONLY),
            output: schema::output::<T::Reply>(T::READ_ONLY),
            run: |host, arguments, caller| {
                Box::pin(async move {
                    run::<T>(host, arguments, caller).await.map_err(|error| match error {
                        CallError::Refusal(refusal) => refusal.finished(T::UNTOUCHED).into(),
                        failure => failure,
                    })
                })
            },
        }
    }
}

/// Every tool, in the order it is listed.
pub fn doors() -> &'static [Door] {
    static DOORS: LazyLock<Vec<Door>> = LazyLock::new(|| {
        vec![
            Door::of::<roll_dice::RollDice>(),
            Door::of::<roll_multiple::RollMultiple>(),
            Door::of::<skill_check::SkillCheck>(),
            Door::of::<apply_damage::ApplyDamage>(),
            Door::of::<get_character::GetCharacter>(),
            Door::of::<manage_character::ManageCharacter>(),
            Door::of::<manage_combat::ManageCombat>(),
            Door::of::<manage_session::ManageSession>(),
            Door::of::<get_rules::GetRules>(),
            Door::of::<odds::Odds>(),
        ]
    });
    &DOORS
}

/// The tool of that name.
pub fn door(name: &str) -> Option<&'static Door> {
    doors().iter().find(|door| door.name == name)
}

async fn run<T: Tool>(
    host: &Host,
    arguments: Map<String, Value>,
    caller: Caller,
) -> Result<Map<String, Value>, CallError> {
    let input =
        door(T::NAME).map(|door| &door.input).ok_or_else(|| CallError::Failure(format!("no door for {}", T::NAME)))?;
    let synonyms = Synonyms { parameters: T::ALIASES, words: T::WORDS };
    let mut bound = bind::bind(input, &synonyms, arguments).map_err(|mut unbound| {
        let more = T::faults(&unbound.arguments).into_iter();
        let known = unbound.bad.clone();
        unbound.bad.extend(more.filter(|more| known.iter().all(|bad| bad.parameter != more.parameter)));
        unbound.refusal()
    })?;
    // What the caller knows already is no part of what it asks for.
    let after = bound.arguments.remove("after").and_then(|after| after.as_u64());
    let hash = match bound.arguments.contains_key("request_id") {
        true => hash(&bound.arguments)?,
        // Nobody can ask for this call again.
        false => [0; 32],
    };
    let (mut call, rest) = envelope::<T>(bound.arguments, hash)?;
    call.request.after = after;
    call.request.caller = caller;
    let params: T::Params = serde_json::from_value(Value::Object(rest))
        .map_err(|error| Refusal::new("invalid_parameters", format!("{}: {error}.", T::NAME)))?;
    host.turn_page().await;
    let mut answer = T::call(host, call, params).await.map_err(|error| as_sent(error, &bound.renamed))?;
    bound.notes.append(&mut answer.notes);
    bound.notes.extend(host.news().await);
    Ok(reply::finish(answer, bound.notes))
}

/// A refusal in the names that were really sent: who sent `damage` is not told to send `amount`.
fn as_sent(error: CallError, renamed: &[(String, String)]) -> CallError {
    let CallError::Refusal(mut refusal) = error else { return error };
    for (sent, meant) in renamed {
        refusal.summary = refusal.summary.replace(&format!("Send {meant}="), &format!("Send {sent}="));
        for detail in refusal.details.iter_mut().filter(|detail| detail.parameter == *meant) {
            detail.parameter.clone_from(sent);
        }
    }
    CallError::Refusal(refusal)
}

/// What tells two calls with one request_id apart.
fn hash(arguments: &Map<String, Value>) -> Result<[u8; 32], CallError> {
    let bytes = canonical::bytes(arguments).map_err(|error| CallError::Failure(error.to_string()))?;
    Ok(chain::sha256(&bytes))
}

/// Takes what is common to all tools out of the arguments.
fn envelope<T: Tool>(mut arguments: Map<String, Value>, hash: [u8; 32]) -> Result<(Call, Map<String, Value>), Refusal> {
    let mut text = |name: &str| match arguments.remove(name) {
        Some(Value::String(text)) => Some(text),
        _ => None,
    };
    let (campaign, request_id) = (text("campaign"), text("request_id"));
    if let Some(request_id) = &request_id {
        limits::text("request_id", request_id, LIMITS.request_id)?;
        if fold(request_id).is_empty() {
            let summary = "request_id is empty, so it could not tell two calls apart. Send request_id=\"round 3, Aria's attack\", any text \
                           that is this call's alone, or leave it out.";
            return Err(Refusal::new("invalid_parameters", summary));
        }
    }
    let request = Request {
        tool: T::NAME,
        request_id,
        arguments: hash,
        after: None,
        refers: None,
        later: false,
        last_turn: false,
        caller: Caller::default(),
        accepts_loss: false,
    };
    Ok((Call { campaign, request }, arguments))
}

#[cfg(test)]
mod tests {
    use super::doors;

    #[test]
    fn the_readme_lists_every_tool_in_order_and_says_which_write() {
        let readme = include_str!("../../README.md");
        let rows: Vec<(&str, &str)> = readme
            .lines()
            .filter_map(|line| line.strip_prefix("| `"))
            .map(|row| (row.split('`').next().unwrap(), row.trim_end_matches([' ', '|']).rsplit("| ").next().unwrap()))
            .collect();
        let tools: Vec<(&str, &str)> =
            doors().iter().map(|door| (door.name, if door.read_only { "reads" } else { "writes" })).collect();
        assert_eq!(rows, tools);
    }
}
