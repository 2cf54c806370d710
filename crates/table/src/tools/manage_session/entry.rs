//! An entry in full, as its call answered it, for players as they saw it; a roll with its effects.

use serde_json::{Map, Value, json};

use super::params::Params;
use super::reply::{Applied, Compared, Reply};
use crate::session::live::{View, no_entry, rolled_for};
use crate::session::{Answer, Common};
use crate::tools::apply_damage::{self, TrackReply};
use crate::tools::reply::fields;
use crate::tools::roll_reply::RollReply;
use crate::tools::{roll_dice, roll_multiple, skill_check};
use rollbook_game::record::change::{Change, Images};
use rollbook_game::record::entry::Entry;
use rollbook_game::record::event::{CheckEvent, DamageEvent, Event, Health};
use rollbook_game::record::instant::iso;
use rollbook_game::record::state::Track;
use rollbook_game::refusal::{Code, Refusal};
use rollbook_game::table::Written;
use rollbook_game::view::Audience;
use rollbook_game::view::number::EntryNumber;
use rollbook_game::view::recap::{LoggedEntry, undone_calls};
use rollbook_game::view::visibility::{Projection, VisibleEntry, is_fully_public, visible_entry};

pub fn number(params: &Params) -> Result<EntryNumber, Refusal> {
    params.entry.ok_or_else(|| {
        let summary =
            "Which entry? Send entry with the number that a reply gave as log: entry=128.";
        Refusal::new(Code::InvalidParameters, summary)
    })
}

/// The entry that the call names, as it was read.
pub fn found<'v>(view: &'v View, params: &Params) -> Result<&'v LoggedEntry, Refusal> {
    let number = number(params)?;
    view.past
        .entry
        .as_ref()
        .ok_or_else(|| no_entry(number, view.head.seq))
}

pub fn shown(view: &View, params: &Params) -> Result<Answer<Reply>, Refusal> {
    let logged = found(view, params)?;
    let (common, reply) = shown_to(view, logged, params.audience.unwrap_or(Audience::Gm));
    let is_whole = reply.is_some();
    let answer = Answer::new(common, reply.map(Reply::Entry));
    Ok(Answer { is_whole, ..answer })
}

/// An entry as this audience sees it; without fields where it sees nothing.
pub fn shown_to(
    view: &View,
    logged: &LoggedEntry,
    audience: Audience,
) -> (Common, Option<Map<String, Value>>) {
    match audience {
        Audience::Gm => to_gm(view, logged),
        Audience::Player => match &view.past.opened {
            Some(by) => opened(logged, by),
            None => to_players(logged),
        },
    }
}

/// What players see of it since it was opened: the opening's sentence, and all rolls.
fn opened(logged: &LoggedEntry, by: &LoggedEntry) -> (Common, Option<Map<String, Value>>) {
    let Event::Revealed(event) = &by.entry.event else {
        return to_players(logged);
    };
    let seen = event
        .opened()
        .and_then(|entry| visible_entry(&entry, Audience::Gm, true));
    let Some((seen, shown)) = seen.zip(by.players.as_ref()) else {
        return to_players(logged);
    };
    let text = shown.text.clone();
    let (common, mut reply) = to_players(&LoggedEntry {
        players: Some(VisibleEntry { text, ..seen }),
        ..logged.clone()
    });
    reply
        .iter_mut()
        .for_each(|reply| drop(reply.insert("visibility".to_owned(), json!("revealed"))));
    (common, reply)
}

fn to_gm(view: &View, logged: &LoggedEntry) -> (Common, Option<Map<String, Value>>) {
    let (entry, seq) = (&logged.entry, logged.seq);
    let text = entry.sentence(Audience::Gm, true).unwrap_or_default();
    // What was secret then may be known by now, so both must agree that players see all of it.
    let whole = is_fully_public(entry, view.state)
        && logged
            .players
            .as_ref()
            .is_some_and(|seen| seen.rolls == entry.rolls);
    let players = Projection {
        seen: logged.players.clone(),
        whole,
    };
    let written = Written {
        seq,
        entry: entry.clone(),
        players,
    };
    let common = Common {
        player_text: logged.players.as_ref().map(|seen| seen.text.clone()),
        log: Some(seq),
        rule: entry.rule.clone(),
        ..Common::of(text)
    };
    let mut reply = fields(&full(&written));
    if let Event::Damage(event) = &entry.event {
        reply.extend(fields(&json!({"gained": event.gained, "lost": event.lost})));
    }
    reply.extend(fields(&json!({
        "kind": entry.event.kind(),
        "actor": entry.actor,
        "timestamp": iso(entry.at),
        "visibility": entry.shown_to(),
        "players_entry": view.past.players_number.map(EntryNumber::Players),
    })));
    (common, Some(reply))
}

/// What players saw of it, which was frozen when it was written. They know no entry by its number.
fn to_players(logged: &LoggedEntry) -> (Common, Option<Map<String, Value>>) {
    let Some(VisibleEntry {
        at,
        kind,
        visibility,
        actor,
        text,
        rolls,
        outcome,
        label,
        rule,
        ..
    }) = logged.players.clone()
    else {
        return (Common::of("Players see nothing of it."), None);
    };
    let shown = rolls.iter().filter_map(|record| {
        let nth = logged
            .entry
            .rolls
            .iter()
            .position(|roll| roll.roll_id == record.roll_id)?;
        Some(RollReply::record(&logged.entry, record, nth, true))
    });
    let common = Common {
        player_text: Some(text.clone()),
        rule,
        ..Common::of(text)
    };
    let reply = json!({
        "rolls": shown.collect::<Vec<RollReply>>(),
        "outcome": outcome.map(|outcome| outcome.as_str().replace(' ', "_")),
        "label": label,
        "kind": kind,
        "actor": actor,
        "timestamp": iso(at),
        "visibility": visibility.as_str(),
    });
    (common, Some(fields(&reply)))
}

/// The entry in the form in which its tool answers.
fn full(written: &Written) -> Value {
    let reply = match &written.entry.event {
        Event::Roll(_) | Event::TableRoll(_) => serde_json::to_value(roll_dice::Reply::of(written)),
        Event::RollSet(_) => serde_json::to_value(roll_multiple::Reply::of_entry(written)),
        Event::Check(event) => serde_json::to_value(skill_check::One::of_entry(
            written,
            CheckEvent::clone(event),
        )),
        Event::Damage(event) => serde_json::to_value(damage(written, event)),
        _ => Ok(json!({"rolls": RollReply::all(written).collect::<Vec<_>>()})),
    };
    reply.unwrap_or_default()
}

fn damage(written: &Written, event: &DamageEvent) -> apply_damage::Reply {
    let tracks = written.entry.changes.iter().filter_map(|change| {
        let Change::Track(Images {
            before,
            after: Some(after),
        }) = change
        else {
            return None;
        };
        let made = Track {
            value: after.min,
            ..after.clone()
        };
        Some(TrackReply::of(before.as_ref().unwrap_or(&made), after))
    });
    apply_damage::Reply::of_entry(event, tracks.collect(), event.health == Some(Health::Down))
}

pub fn compared(view: &View, params: &Params) -> Result<Answer<Reply>, Refusal> {
    let logged = found(view, params)?;
    if logged.entry.rolls.is_empty() {
        let asked = number(params)?;
        let summary = format!(
            "Entry {asked} has no roll, and none that it came from. Send the number that a roll or the damage from it gave as log."
        );
        return Err(Refusal::new(Code::UnknownEntry, summary));
    }
    let rolled: Vec<i64> = logged
        .entry
        .rolls
        .iter()
        .map(|record| record.roll.total)
        .collect();
    let undone = undone_calls(view.past.last.iter().map(|(seq, entry)| (*seq, entry)));
    let is_undone = |seq: u64| {
        undone
            .iter()
            .any(|(first, last)| (*first..=*last).contains(&seq))
    };
    let applied: Vec<Applied> = view
        .past
        .last
        .iter()
        .filter_map(|(seq, entry)| applied(*seq, entry, logged.seq, is_undone(*seq)))
        .collect();
    let explained: Vec<&str> = logged
        .entry
        .rolls
        .iter()
        .map(|record| record.roll.explanation.as_str())
        .collect();
    let uses = match applied.as_slice() {
        [] => "Nothing was applied of it.".to_owned(),
        uses => uses
            .iter()
            .map(|applied| applied.sentence(rolled.iter().sum()))
            .collect::<Vec<_>>()
            .join(" "),
    };
    let undone = if is_undone(logged.seq) {
        " Its call was undone."
    } else {
        ""
    };
    let attack = match rolled_for(&logged.entry.event) {
        Some(check) => {
            format!("Of the attack #{check} came #{}, which rolled", logged.seq)
        }
        None => format!("#{} rolled", logged.seq),
    };
    let summary = format!("{attack} {}.{undone} {uses}", explained.join("; "));
    Ok(Answer::new(
        Common::of(summary),
        Reply::Compared(Compared { rolled, applied }),
    ))
}

/// A wound or cure that came from the roll of that entry.
fn applied(seq: u64, entry: &Entry, roll: u64, undone: bool) -> Option<Applied> {
    let Event::Damage(damage) = &entry.event else {
        return None;
    };
    if damage.roll != Some(roll) {
        return None;
    }
    let moved = entry.changes.iter().filter_map(|change| {
        let Change::Track(images) = change else {
            return None;
        };
        Some((images.after.as_ref()?.value - images.before.as_ref()?.value).abs())
    });
    let steps = damage
        .steps
        .iter()
        .map(|step| format!("{} {} to {}", step.step, step.before, step.after))
        .collect();
    Some(Applied {
        entry: seq,
        target: damage.subject.name.clone(),
        amount: damage.amount,
        moved: moved.sum(),
        steps,
        undone,
    })
}

impl Applied {
    /// "#13 Jory: 4 of 5 (half 5 to 2), 2 moved."
    fn sentence(&self, rolled: i64) -> String {
        let Applied {
            entry,
            target,
            amount,
            moved,
            steps,
            undone,
        } = self;
        let apart = match amount.abs() - rolled {
            0 => "all of it".to_owned(),
            more @ 1.. => format!("{} sent, {more} more than rolled", amount.abs()),
            less => format!("{} sent, {} less than rolled", amount.abs(), less.abs()),
        };
        let steps = if steps.is_empty() {
            String::new()
        } else {
            format!(" ({})", steps.join(", "))
        };
        let undone = if *undone { " Undone." } else { "" };
        format!("#{entry} {target}: {apart}; tracks moved by {moved}{steps}.{undone}")
    }
}
