//! What every reply has in common.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::schema::Object;
use crate::dice::Roll;
use crate::game::record::entry::{RollRecord, Visibility};
use crate::game::record::instant::iso;
use crate::game::refusal::{Code, Refusal};
use crate::game::table::{Table, Written};
use crate::game::view::Audience;
use crate::game::view::visibility::project;
use crate::session::Answer;

/// The fields of every reply that schemas declare.
///
/// Others come where they have something to say and are not declared, because a client reads every tool's schema at its
/// start: `entries` (first and last of the call),
/// `rule` (the one that decided), `replayed` (answered before; nothing was done now), `campaign` (which, when it is not
/// the server's default), `history_lost` (the log lacks entries that it had), `noted` (arguments read otherwise than written, or without effect; rules that changed) and
/// `since` (what came after the entry the caller knows).
#[derive(JsonSchema)]
#[expect(dead_code, reason = "the fields are the schema")]
pub struct Common {
    /// What happened, in words, for the GM.
    summary: String,
    /// What may be said to the players; absent when nothing may.
    player_text: Option<String>,
    /// The entry's number.
    log: Option<u64>,
    /// Proof of the log so far.
    receipt: Option<String>,
    /// The obvious next call.
    next: Option<String>,
}

/// The common fields of a call that wrote: sentences, numbers, the rule. The receipt is added when it is sealed.
pub fn common(table: &Table) -> Map<String, Value> {
    let mut reply = Map::new();
    let own: Vec<&Written> = table.own_entries().collect();
    let told: Vec<String> = own
        .iter()
        .filter_map(|written| project(&written.entry, table.state, Audience::Gm).seen.map(|seen| seen.text))
        .collect();
    reply.insert("summary".to_owned(), Value::from(joined(&told)));
    let players: Vec<String> =
        own.iter().filter_map(|written| written.players.seen.as_ref().map(|seen| seen.text.clone())).collect();
    if !players.is_empty() {
        reply.insert("player_text".to_owned(), Value::from(joined(&players)));
    }
    if let (Some(first), Some(last)) = (own.first(), own.last()) {
        reply.insert("log".to_owned(), Value::from(first.seq));
        if last.seq != first.seq {
            reply.insert("entries".to_owned(), Value::from(vec![first.seq, last.seq]));
        }
        if !table.notes().is_empty() {
            reply.insert("noted".to_owned(), Value::from(table.notes().to_vec()));
        }
        if let Some(rule) = own.iter().find_map(|written| written.entry.rule.clone()) {
            reply.insert("rule".to_owned(), Value::from(rule));
        }
    }
    reply
}

/// Sentences told at the beginning of a long call, and at its end.
const TOLD_MAX: (usize, usize) = (16, 4);

/// The sentences of a call; of a long one (a horde enters the fight) the first and the last, because the last say what is now.
fn joined(told: &[String]) -> String {
    let (first, last) = TOLD_MAX;
    let Some(left_out) = told.len().checked_sub(first + last).filter(|count| *count > 0) else { return told.join(" ") };
    let begin: Vec<&str> = told.iter().take(first).map(String::as_str).collect();
    let end: Vec<&str> = told.iter().skip(first + left_out).map(String::as_str).collect();
    format!("{} … and {left_out} more … {}", begin.join(" "), end.join(" "))
}

/// Puts a reply's own fields beside the common ones.
pub fn with<T: Serialize>(mut common: Map<String, Value>, own: &T) -> Map<String, Value> {
    if let Ok(Value::Object(own)) = serde_json::to_value(own) {
        common.extend(own);
    }
    common
}

/// Adds what is not part of the stored answer: that it is a replay, what was noted, what came since.
pub fn finish(answer: Answer, notes: Vec<String>) -> Map<String, Value> {
    let mut reply = answer.reply;
    if answer.replayed {
        reply.insert("replayed".to_owned(), Value::Bool(true));
    }
    if !notes.is_empty() {
        let mut noted: Vec<Value> = notes.into_iter().map(Value::from).collect();
        if let Some(Value::Array(decided)) = reply.remove("noted") {
            noted.extend(decided);
        }
        reply.insert("noted".to_owned(), Value::from(noted));
    }
    if let Some(lost) = answer.history_lost {
        let summary = reply.get("summary").and_then(Value::as_str).unwrap_or_default();
        reply.insert("summary".to_owned(), Value::from(format!("{lost} {summary}").trim_end()));
        reply.insert("history_lost".to_owned(), Value::from(lost));
    }
    if !answer.since.is_empty() {
        let since: Vec<String> = answer.since.into_iter().map(|(seq, text)| format!("#{seq} {text}")).collect();
        reply.insert("since".to_owned(), Value::from(since));
    }
    reply
}

/// A refusal as callers read it.
pub fn refused(refusal: &Refusal) -> Map<String, Value> {
    let mut fields = match serde_json::to_value(refusal) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    };
    fields.insert("rolled".to_owned(), Value::Bool(false));
    fields
}

/// A roll as replies show it.
#[derive(Serialize, JsonSchema)]
pub struct RollReply {
    // UUID.
    pub roll_id: String,
    // ISO-8601, UTC.
    pub timestamp: String,
    // Canonical notation.
    pub expression: String,
    /// In order of the draws: dice {count, sides, dice, kept, subtotal} or constant {value}; beyond 100 dice without them.
    #[schemars(with = "Vec<Object>")]
    pub terms: Value,
    // Every face in the order of the draws.
    pub individual_rolls: Vec<i64>,
    pub total: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub successes: Option<i64>,
    // One line of arithmetic.
    pub explanation: String,
    /// {source, nonce}
    #[schemars(with = "Object")]
    pub rng: Value,
    pub visibility: String,
    // Players see the dice.
    pub visible: bool,
}

impl RollReply {
    /// The first roll of an entry.
    pub fn of(written: &Written) -> Option<RollReply> {
        written.entry.rolls.first().map(|record| RollReply::record(written, record))
    }

    /// One roll of an entry.
    pub fn record(written: &Written, record: &RollRecord) -> RollReply {
        RollReply {
            roll_id: record.roll_id.clone(),
            timestamp: iso(written.entry.at),
            expression: record.roll.expression.clone(),
            terms: terms(&record.roll),
            individual_rolls: record.roll.faces(),
            total: record.roll.total,
            successes: record.roll.successes,
            explanation: record.roll.explanation.clone(),
            rng: serde_json::json!({"source": record.source, "nonce": record.nonce}),
            visibility: written.entry.visibility.as_str().to_owned(),
            visible: written.players.whole,
        }
    }
}

/// Dice shown one by one; a reply has room for no more, and the log has them all.
const DICE_SHOWN_MAX: usize = 100;

fn terms(roll: &Roll) -> Value {
    let mut terms = serde_json::to_value(&roll.terms).unwrap_or_default();
    if roll.dice().len() > DICE_SHOWN_MAX {
        without_dice(&mut terms);
    }
    terms
}

fn without_dice(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(without_dice),
        Value::Object(fields) => {
            fields.remove("dice");
            fields.remove("kept");
            fields.values_mut().for_each(without_dice);
        }
        _ => {}
    }
}

/// `visible: false` is the GM's eyes only, unless the named visibility says which part players do see.
///
/// # Errors
/// When the two contradict each other: then nobody can say whether a secret was meant.
pub fn visibility(named: Option<Visibility>, visible: Option<bool>) -> Result<Option<Visibility>, Refusal> {
    match (named, visible) {
        (Some(named), Some(visible))
            if visible != (named == Visibility::Public) && (visible || named == Visibility::Public) =>
        {
            let summary = format!(
                "visible={visible} and visibility=\"{}\" contradict each other. Send visibility alone: \"public\", \"outcome_only\", \
                 \"blind\" or \"gm\".",
                named.as_str()
            );
            Err(Refusal::new(Code::InvalidParameters, summary))
        }
        (Some(named), _) => Ok(Some(named)),
        (None, Some(true)) => Ok(Some(Visibility::Public)),
        (None, Some(false)) => Ok(Some(Visibility::Gm)),
        (None, None) => Ok(None),
    }
}
