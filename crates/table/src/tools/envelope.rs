//! What tools share: arguments are bound, a request is recognised, notes are added to the reply.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::bind::{self, Bound, Unbound};
use super::confirm;
use super::echo;
use super::entry::{Answered, Answering, ToolEntry};
use super::player;
use super::reply;
use super::roll_reply;
use super::tool::{Call, Tool};
use crate::session::live::brief as brief_for_player;
use crate::session::{Answer, CallError, Caller, Commit, Common, Host, ReplyDetail, Request, Seat};
use rollbook_game::limits::{self, LIMITS};
use rollbook_game::refusal::{Code, Detail, Refusal};
use rollbook_rules::{Check, System};
use rollbook_store::{canonical, chain};
use rollbook_text::names::{fold, printable, quoted, same};

/// Binds the arguments by the tool's schema, makes the call, and adds the notes to its reply.
pub(super) fn run<'a, T: Tool>(
    entry: &'a ToolEntry,
    host: &'a Host,
    arguments: Map<String, Value>,
    caller: Caller,
) -> Answering<'a> {
    Box::pin(async move {
        let adventure = host.adventure();
        let maps = |name: &str| maps(&adventure.reading.system, name);
        let mut bound =
            bind::bind(&entry.input, &entry.synonyms, &maps, arguments).map_err(|unbound| {
                let faults = T::faults(&unbound.arguments);
                let sent = unbound.arguments.clone();
                faulty(entry, host, unbound, faults, T::advise_by_rules).completed(T::NAME, sent)
            })?;
        let raw = bound.arguments.clone();
        if let Some(confirm) = T::CONFIRM {
            // A call and the same call confirmed are one request.
            let sent = bound.arguments.remove(confirm::PARAMETER);
            confirm(&bound.arguments).map_or(Ok(()), |confirm| confirm.check(sent.as_ref()))?;
        }
        let (mut call, echoed) = called(entry, host, &mut bound, caller, T::NAME)?;
        // The reply is put into words while the disk is at work.
        let commit = Commit::default();
        call.request.commit = Some(commit.clone());
        let (detail, seat) = (call.detail, call.request.caller.seat.clone());
        let shape = Shape {
            detail,
            seat,
            echoed,
            brief: T::BRIEF,
            summary: T::summary,
        };
        let sent = Value::Object(std::mem::take(&mut bound.arguments));
        let params: T::Params = serde_json::from_value(sent).map_err(|error| {
            Refusal::new(Code::InvalidParameters, format!("{}: {error}.", T::NAME))
        })?;
        host.reload_if_changed().await;
        bound.notes.extend(read_as_modifier(
            &bound.renamed,
            &host.adventure().reading.system,
        )?);
        let answer = T::call(host, call, params).await.map(|answer| {
            let Answer {
                common,
                fields,
                notes,
                is_whole,
            } = answer;
            let answer = Answer {
                notes,
                is_whole,
                ..Answer::<()>::new(common, None)
            };
            (answer, serde_json::to_value(fields))
        });
        let answer = answer.map_err(|error| ready_to_be_played(host, error));
        let reply = replied(entry, host, bound, shape, answer).await;
        let reply = commit.done().await.and(reply);
        reply.map_err(|error| match error {
            CallError::Refusal(refusal) => refusal.completed(T::NAME, raw).into(),
            failure @ CallError::Failure(_) => failure,
        })
    })
}

/// Where nobody was made yet, the character that the adventure has under the name that was sent.
fn ready_to_be_played(host: &Host, error: CallError) -> CallError {
    let CallError::Refusal(refusal) = error else {
        return error;
    };
    let is_empty = refusal.code == Code::NoCharacter;
    let named = refusal.aside.unknown.as_deref().filter(|_| is_empty);
    let from = named.and_then(|name| Some((name, host.adventure().ready_made_named(name)?)));
    let Some((name, from)) = from else {
        return refusal.into();
    };
    let summary = format!(
        "There is no \"{}\" in this campaign yet. The adventure has one ready to be played.",
        quoted(name)
    );
    let create = json!({"action": "create", "from": printable(&from)});
    let refusal = Refusal { summary, ..refusal };
    refusal.send_call("manage_character", &create, "").into()
}

/// The parameters under which the rules have a name.
fn maps(system: &System, name: &str) -> Vec<&'static str> {
    let asks = |check: &Check| check.variables().iter().any(|asked| same(asked, name));
    let has = [
        ("attributes", system.attribute(name).is_ok()),
        ("skills", system.skill(name).is_ok()),
        (
            "tracks",
            system.tracks.iter().any(|track| same(&track.name, name)),
        ),
        ("values", system.checks.iter().any(asks)),
    ];
    has.into_iter()
        .filter_map(|(map, has)| has.then_some(map))
        .collect()
}

/// All that is wrong with the arguments, with what the rules and the caller's seat say to it.
fn faulty(
    entry: &ToolEntry,
    host: &Host,
    mut unbound: Unbound,
    mut more: Vec<Detail>,
    advise_by_rules: fn(&System, &mut Detail),
) -> Refusal {
    more.retain(|more| {
        unbound
            .bad
            .iter()
            .all(|bad| bad.parameter != more.parameter)
    });
    if !more.is_empty() {
        unbound.attempt = None;
    }
    unbound.bad.append(&mut more);
    let adventure = host.adventure();
    unbound
        .bad
        .iter_mut()
        .for_each(|bad| advise_by_rules(&adventure.reading.system, bad));
    if let Some(whole) = &entry.of_player {
        player::withheld(whole, &mut unbound.bad);
    }
    unbound.refusal()
}

/// The call, for which the tool's own arguments are left; with those that a full reply echoes.
fn called(
    entry: &ToolEntry,
    host: &Host,
    bound: &mut Bound,
    caller: Caller,
    tool: &'static str,
) -> Result<(Call, Option<Value>), CallError> {
    // What the caller knows already and how much it reads do not tell requests apart.
    let detail = bound
        .arguments
        .remove("detail")
        .and_then(|detail| serde_json::from_value(detail).ok());
    let detail = detail.unwrap_or(host.detail);
    if let Some(character) = caller.player() {
        player::seat(tool, character, &mut bound.arguments)?;
    }
    let after = bound
        .arguments
        .remove("after")
        .and_then(|after| after.as_u64());
    let call_id = caller
        .call_id
        .as_deref()
        .filter(|id| !entry.read_only && tells_apart(id));
    let hash = match bound.arguments.contains_key("request_id") || call_id.is_some() {
        true => hash(&bound.arguments)?,
        // Without an id the call cannot be sent again.
        false => [0; 32],
    };
    let mut text = |name: &str| match bound.arguments.remove(name) {
        Some(Value::String(text)) => Some(text),
        _ => None,
    };
    let (campaign, request_id) = (text("campaign"), text("request_id"));
    if let Some(request_id) = &request_id {
        limits::text("request_id", request_id, LIMITS.request_id)?;
        if fold(request_id).is_empty() {
            let summary = "request_id is empty, so it could not tell two calls apart. Send request_id=\"round 3, Aria's attack\", any text \
                           that is this call's alone, or leave it out.";
            return Err(Refusal::new(Code::InvalidParameters, summary).into());
        }
    }
    let campaign = match &caller.seat {
        Some(seat) => Some(seated(entry, seat, campaign)?),
        None => campaign,
    };
    let implied = request_id.is_none() && call_id.is_some();
    let mut request_id = request_id.or(call_id.map(str::to_owned));
    if let Some(seat) = caller.seat.as_ref().filter(|seat| seat.is_player()) {
        // Two players may send the same id, and so may the GM.
        request_id = request_id.map(|id| format!("{}: {id}", seat.key));
    }
    let echoes = detail == ReplyDetail::Full && !entry.read_only;
    let echoed = echoes.then(|| echo::shortened(&bound.arguments));
    let request = Request {
        tool,
        request_id,
        implied,
        arguments: hash,
        after,
        caller,
        ..Request::default()
    };
    Ok((
        Call {
            campaign,
            request,
            detail,
        },
        echoed,
    ))
}

type Summary = fn(&[(String, String)], &Map<String, Value>) -> Option<String>;

/// What the reply to a call looks like.
struct Shape {
    detail: ReplyDetail,
    seat: Option<Arc<Seat>>,
    echoed: Option<Value>,
    brief: &'static [&'static str],
    summary: Summary,
}

/// The reply, with the notes and as much as the caller reads; or the error in the caller's words.
async fn replied(
    entry: &ToolEntry,
    host: &Host,
    mut bound: Bound,
    shape: Shape,
    answer: Result<(Answer<()>, serde_json::Result<Value>), CallError>,
) -> Answered {
    let Shape {
        detail,
        seat,
        echoed,
        brief,
        summary,
    } = shape;
    let (mut answer, fields) = answer.map_err(|error| match error {
        CallError::Refusal(refusal) if seat.is_some() && refusal.code == Code::UnknownCampaign => {
            Seat::has_moved().into()
        }
        error => as_sent(error, &bound.renamed),
    })?;
    bound.notes.append(&mut answer.notes);
    bound.notes.extend(host.notices().await);
    let Answer {
        mut common,
        is_whole,
        ..
    } = answer;
    common.noted.splice(..0, bound.notes);
    let fields = match fields {
        Ok(Value::Object(fields)) => fields,
        Ok(Value::Null) => Map::new(),
        other => {
            return Err(CallError::Failure(format!(
                "the reply of {} is no JSON object: {other:?}",
                entry.name
            )));
        }
    };
    if cfg!(debug_assertions) && !is_apart(&common, &fields) {
        return Err(CallError::Failure(format!(
            "a field of {} has the name of a common one",
            entry.name
        )));
    }
    if seat.is_some() {
        // A seat is at one table, so there is nothing to tell apart.
        common.campaign = None;
    }
    let mut reply = reply::fields(&common);
    reply.extend(fields);
    let text = summary(&bound.renamed, &reply);
    let mut reply: Map<String, Value> = match detail {
        ReplyDetail::Brief if is_whole && seat.is_some_and(|seat| seat.is_player()) => {
            brief_for_player(reply)
        }
        ReplyDetail::Brief if !is_whole => self::brief(reply, brief),
        ReplyDetail::Brief | ReplyDetail::Full => {
            // What asked for an entry of the log is no part of the entry.
            let echoed = echoed
                .filter(|_| !is_whole)
                .map(|echoed| ("parameters".to_owned(), echoed));
            echoed.into_iter().chain(reply).collect()
        }
    };
    reply.extend(text.map(|text| ("summary".to_owned(), text.into())));
    Ok(if detail == ReplyDetail::Full {
        named_otherwise(reply)
    } else {
        reply
    })
}

/// A full reply to what was logged, with other programs' names for its text and its entry.
fn named_otherwise(mut reply: Map<String, Value>) -> Map<String, Value> {
    let entry = reply.get("log").and_then(Value::as_u64);
    if let Some((entry, summary)) = entry.zip(reply.get("summary").cloned()) {
        reply.insert("message".to_owned(), summary);
        reply.insert("logId".to_owned(), roll_reply::log_id(entry).into());
    }
    reply
}

/// Fields of every reply that a brief one leaves out; the log has them under its number.
const LEFT_OUT: [&str; 4] = ["entries", "rule", "player_text", "reader"];

/// A reply without what is seldom read: only the tool's `brief` fields that say something.
fn brief(reply: Map<String, Value>, kept: &[&str]) -> Map<String, Value> {
    let players = players(&reply);
    let common = |name: &str| Common::FIELDS.contains(&name) && !LEFT_OUT.contains(&name);
    let kept = reply.into_iter().filter(|(name, value)| {
        name == "summary" || (common(name) || kept.contains(&name.as_str())) && !says_nothing(value)
    });
    kept.chain(players).collect()
}

/// What players learn: as a text of their own only where that differs from the GM's.
fn players(reply: &Map<String, Value>) -> Option<(String, Value)> {
    let of = |text: &str| Some(("players".to_owned(), text.into()));
    match reply.get("player_text") {
        Some(text) if Some(text) == reply.get("summary") => of("same"),
        Some(text) => Some(("player_text".to_owned(), text.clone())),
        None if reply.contains_key("log") => match reply.get("reader").and_then(Value::as_str) {
            Some(reader) => of(&format!("only {reader}")),
            None => of("nothing"),
        },
        // Nothing happened, so there is nothing that players could learn or not.
        None => None,
    }
}

fn says_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::String(text) => text.is_empty(),
        Value::Bool(true) | Value::Number(_) => false,
    }
}

/// The campaign of the caller's key. Errors: the call names another, or this seat lacks the tool.
fn seated(entry: &ToolEntry, seat: &Seat, campaign: Option<String>) -> Result<String, Refusal> {
    if let Some(other) = campaign.filter(|name| fold(name) != fold(&seat.campaign)) {
        let summary = format!(
            "This key is for campaign \"{}\", not for \"{}\". Leave campaign out, or call with a key of that campaign.",
            quoted(&seat.campaign),
            quoted(&other)
        );
        return Err(Refusal::new(Code::UnknownCampaign, summary));
    }
    if seat.is_player() != entry.of_player.is_some() {
        return Err(Refusal::new(
            Code::NotForPlayers,
            "A player's seat does not have this tool. Ask the GM.",
        ));
    }
    Ok(seat.campaign.clone())
}

/// Whether no field has a common one's name; a status alone names its campaign by itself.
fn is_apart(common: &Common, fields: &Map<String, Value>) -> bool {
    let is_its_own = |name: &str| name == "campaign" && common.campaign.is_none();
    Common::FIELDS
        .iter()
        .all(|name| !fields.contains_key(*name) || is_its_own(name))
}

/// Says that a bonus counts as the modifier. Errors: a check has a number of that name.
fn read_as_modifier(renamed: &[(String, String)], system: &System) -> Result<Vec<String>, Refusal> {
    let read = renamed.iter().filter(|(_, meant)| meant == "modifier").map(|(sent, _)| {
        let Some(check) = system.checks.iter().find(|check| check.names(sent)) else {
            return Ok(format!("{sent} is read as modifier"));
        };
        let summary = format!(
            "{sent} could be the modifier or the {{{sent}}} of {}. Send values={{\"{sent}\": 1}} for the latter, else modifier=1.",
            check.name
        );
        Err(Refusal::new(Code::InvalidParameters, summary))
    });
    read.collect()
}

/// A refusal with the names that were sent: `damage` and not `amount`, if that was sent.
fn as_sent(error: CallError, renamed: &[(String, String)]) -> CallError {
    let CallError::Refusal(mut refusal) = error else {
        return error;
    };
    for (sent, meant) in renamed {
        refusal.summary = refusal
            .summary
            .replace(&format!("Send {meant}="), &format!("Send {sent}="));
        if let Some(choice) = refusal
            .aside
            .choice
            .as_mut()
            .filter(|choice| choice.parameter == *meant)
        {
            choice.parameter.clone_from(sent);
        }
        for detail in refusal
            .details
            .iter_mut()
            .filter(|detail| detail.parameter == *meant)
        {
            detail.parameter.clone_from(sent);
        }
    }
    CallError::Refusal(refusal)
}

/// The hash of the arguments, by which two calls with one request_id are told apart.
fn hash(arguments: &Map<String, Value>) -> Result<[u8; 32], CallError> {
    let bytes =
        canonical::bytes(arguments).map_err(|error| CallError::Failure(error.to_string()))?;
    Ok(chain::sha256(&bytes))
}

/// Whether a client's id can be a request_id. The caller did not write it: a bad one is ignored.
fn tells_apart(id: &str) -> bool {
    limits::text("request_id", id, LIMITS.request_id).is_ok() && !fold(id).is_empty()
}
