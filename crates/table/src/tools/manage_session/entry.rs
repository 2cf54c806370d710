//! One entry of the log in full, as its own call answered it; for players no more than they saw of it.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::params::Params;
use super::reply::{EntryReply, Reply};
use crate::session::live::{View, no_entry};
use crate::session::{Answer, Common};
use crate::tools::apply_damage::{self, TrackReply};
use crate::tools::roll_reply::RollReply;
use crate::tools::{echo, roll_dice, roll_multiple, skill_check};
use rollbook_game::record::change::{Change, Images};
use rollbook_game::record::entry::Entry;
use rollbook_game::record::event::{CheckEvent, DamageEvent, Event, Health, RollEvent, RollSet};
use rollbook_game::record::instant::iso;
use rollbook_game::record::state::Track;
use rollbook_game::refusal::{Code, Refusal};
use rollbook_game::table::Written;
use rollbook_game::view::Audience;
use rollbook_game::view::recap::LoggedEntry;
use rollbook_game::view::visibility::{Projection, VisibleEntry, is_fully_public, visible_entry};

/// The entry that is asked for.
pub fn number(params: &Params) -> Result<u64, Refusal> {
    params.entry.ok_or_else(|| {
        let summary = "Which entry? Send entry with the number that a reply gave as log: entry=128.";
        Refusal::new(Code::InvalidParameters, summary)
    })
}

/// The entry that the call names, as it was read.
pub fn found<'v>(view: &'v View, params: &Params) -> Result<&'v LoggedEntry, Refusal> {
    let seq = number(params)?;
    view.past.entry.as_ref().ok_or_else(|| no_entry(seq, view.head.seq))
}

/// The entry.
pub fn shown(view: &View, params: &Params) -> Result<Answer<Reply>, Refusal> {
    let told = found(view, params)?;
    let (common, reply) = shown_to(view, told, params.audience.map_or(Audience::Gm, Audience::from));
    let is_whole = reply.is_some();
    let answer = Answer::new(common, reply.map(|reply| Reply::Entry(Box::new(reply))));
    Ok(Answer { is_whole, ..answer })
}

/// An entry as this audience sees it; without fields where it sees nothing.
pub fn shown_to(view: &View, told: &LoggedEntry, audience: Audience) -> (Common, Option<EntryReply>) {
    match audience {
        Audience::Gm => to_gm(view, told),
        Audience::Player => match &view.past.opened {
            Some(by) => opened(told, by),
            None => to_players(told),
        },
    }
}

/// What players see of it since it was opened: the sentence of the entry that opened it, and all that was rolled.
fn opened(told: &LoggedEntry, by: &LoggedEntry) -> (Common, Option<EntryReply>) {
    let Event::Revealed(event) = &by.entry.event else { return to_players(told) };
    let seen = event.opened().and_then(|entry| visible_entry(&entry, Audience::Gm, true).map(VisibleEntry::into_owned));
    let Some((seen, own)) = seen.zip(by.players.as_ref()) else { return to_players(told) };
    let text = own.text.clone();
    let (common, reply) = to_players(&LoggedEntry { players: Some(VisibleEntry { text, ..seen }), ..told.clone() });
    (common, reply.map(|reply| EntryReply { visibility: "revealed".to_owned(), ..reply }))
}

fn to_gm(view: &View, told: &LoggedEntry) -> (Common, Option<EntryReply>) {
    let (entry, seq) = (&told.entry, told.seq);
    let text = visible_entry(entry, Audience::Gm, true).map_or(String::new(), |seen| seen.text);
    // What was secret then may be known by now, so both must agree that players see all of it.
    let whole =
        is_fully_public(entry, view.state) && told.players.as_ref().is_some_and(|seen| seen.rolls == entry.rolls);
    let players = Projection { seen: told.players.clone(), whole };
    let written = Written { seq, entry: entry.clone(), players };
    let common = Common {
        player_text: told.players.as_ref().map(|seen| seen.text.clone()),
        log: Some(seq),
        rule: entry.rule.clone(),
        ..Common::of(text)
    };
    let mut full = fields(&full(&written));
    if let Event::Damage(event) = &entry.event {
        full.insert("gained".to_owned(), json!(event.gained));
        full.insert("lost".to_owned(), json!(event.lost));
    }
    full.insert("parameters".to_owned(), echo::shortened(&parameters(entry)));
    let reply = EntryReply {
        kind: entry.event.kind().to_owned(),
        actor: Some(entry.actor.clone()),
        timestamp: iso(entry.at),
        visibility: entry.visibility.as_str().to_owned(),
        full,
    };
    (common, Some(reply))
}

/// What players saw of it, which was frozen when it was written. They know no entry by its number.
fn to_players(told: &LoggedEntry) -> (Common, Option<EntryReply>) {
    let Some(VisibleEntry { at, kind, visibility, actor, text, rolls, outcome, label, rule, .. }) =
        told.players.clone()
    else {
        return (Common::of("Players see nothing of it."), None);
    };
    let shown = rolls.iter().filter_map(|record| {
        let nth = told.entry.rolls.iter().position(|own| own.roll_id == record.roll_id)?;
        Some(RollReply::record(&told.entry, record, nth, true))
    });
    let shown: Vec<RollReply> = shown.collect();
    let outcome = outcome.map(|outcome| outcome.as_str().replace(' ', "_"));
    let full = fields(&json!({"rolls": shown, "outcome": outcome, "label": label}));
    let full = full.into_iter().filter(|(_, value)| !value.is_null()).collect();
    let common = Common { player_text: Some(text.clone()), rule, ..Common::of(text) };
    let visibility = visibility.as_str().to_owned();
    (common, Some(EntryReply { kind, actor, timestamp: iso(at), visibility, full }))
}

/// Rows of a stated check as a call sends them in order.
fn rows(stated: &[(String, String)]) -> Vec<BTreeMap<&str, &str>> {
    stated.iter().map(|(when, outcome)| BTreeMap::from([(when.as_str(), outcome.as_str())])).collect()
}

fn fields(reply: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(reply) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

/// The entry in the form in which its tool answers.
fn full(written: &Written) -> Value {
    let rolls = || json!({"rolls": RollReply::all(written).collect::<Vec<_>>()});
    let reply = match &written.entry.event {
        Event::Roll(_) | Event::TableRoll(_) => serde_json::to_value(roll_dice::Reply::of(written)),
        Event::RollSet(_) => serde_json::to_value(roll_multiple::Reply::of_entry(written)),
        Event::Check(event) => serde_json::to_value(skill_check::One::of_entry(written, CheckEvent::clone(event))),
        Event::Damage(event) => serde_json::to_value(damage(written, event)),
        _ => Ok(rolls()),
    };
    reply.unwrap_or_default()
}

fn damage(written: &Written, event: &DamageEvent) -> apply_damage::Reply {
    let tracks = written.entry.changes.iter().filter_map(|change| {
        let Change::Track(Images { before, after: Some(after) }) = change else { return None };
        let made = Track { value: after.min, ..after.clone() };
        Some(TrackReply::of(before.as_ref().unwrap_or(&made), after))
    });
    apply_damage::Reply::of_entry(event, tracks.collect(), event.health == Some(Health::Down))
}

/// What its call was asked, as far as the log says.
fn parameters(entry: &Entry) -> Map<String, Value> {
    let who = Some(&entry.actor).filter(|actor| *actor != "gm" && *actor != "system");
    let dice = |own: Value| {
        let mut all = fields(&own);
        all.insert("character".to_owned(), json!(who));
        all.insert("context".to_owned(), json!(entry.event.description().context));
        all.insert("visibility".to_owned(), json!(entry.visibility));
        all
    };
    let mut sent = match &entry.event {
        Event::Roll(RollEvent { input, .. }) => dice(json!({"expression": input})),
        Event::RollSet(RollSet { inputs, count, .. }) => {
            let rolls: Vec<Value> = inputs.iter().map(|input| json!({"expression": input})).collect();
            dice(json!({"rolls": rolls, "count": count}))
        }
        Event::TableRoll(event) => dice(json!({"table": event.drawn.first().map(|drawn| &drawn.table)})),
        Event::Check(event) => dice(json!({
            "check": event.check,
            "skill": event.skill,
            "attribute": event.attribute,
            "difficulty": event.difficulty,
            "roll": event.stated.as_ref().map(|own| &own.roll),
            "or_less": event.stated.as_ref().map(|own| own.or_less),
            "rows": event.stated.as_ref().map(|own| rows(&own.rows)),
            "override_reason": event.override_reason(),
            "target": event.against.as_ref().map(|own| &own.name),
            "values": event.said,
        })),
        Event::Damage(event) => fields(&json!({
            "target": event.subject.name,
            "amount": event.amount,
            "damage_type": event.damage_type,
            "parts": event.parts,
            "track": event.track,
            "roll": event.roll,
            "reason": event.reason,
        })),
        _ => Map::new(),
    };
    let says_nothing = |value: &Value| match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    };
    sent.retain(|_, value| !says_nothing(value));
    sent
}
