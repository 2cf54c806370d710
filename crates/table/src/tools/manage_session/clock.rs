//! Clocks and shared tracks, as `manage_session` makes and moves them, and the game's time.

use schemars::JsonSchema;
use serde::Serialize;

use super::params::{Params, whole_or_hidden};
use super::reply::{Reply, TimeReply};
use crate::session::Answer;
use crate::tools::reply::{common, shown};
use rollbook_game::decide::clock::{self, ClockCall};
use rollbook_game::decide::time;
use rollbook_game::mechanics::duration::now;
use rollbook_game::moment::moment_words;
use rollbook_game::record::event::Event;
use rollbook_game::record::state::Clock;
use rollbook_game::refusal::{Code, Refusal};
use rollbook_game::table::Table;
use rollbook_rules::span_words;
use rollbook_text::names::quoted;

/// A clock after the call.
#[derive(Serialize, JsonSchema)]
pub struct ClockReply {
    name: String,
    value: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<i64>,
    hidden: bool,
    done: bool,
    /// What the rules brought about, in the author's words.
    triggers: Vec<String>,
}

impl ClockReply {
    pub fn of(clock: &Clock, triggers: Vec<String>) -> ClockReply {
        let Clock {
            name,
            value,
            max,
            hidden,
            closed,
            ..
        } = clock.clone();
        ClockReply {
            name,
            value,
            max,
            hidden,
            done: closed,
            triggers,
        }
    }
}

pub fn write(table: &mut Table, params: Params) -> Result<Answer<Reply>, Refusal> {
    let Some(name) = params.name.filter(|name| !name.trim().is_empty()) else {
        let summary = "clock needs name. Send name=\"Flooding\" with segments=6 to make it, with tick=1 to move it.";
        return Err(Refusal::new(Code::InvalidParameters, summary));
    };
    let (visibility, reader) = shown(table.state, params.visibility.as_ref(), None)?;
    if let Some(reader) = reader {
        let summary = format!(
            "A clock is for everybody or for you: {} cannot see it alone. Send visibility=\"public\" or \"gm\".",
            quoted(&reader.name)
        );
        return Err(Refusal::new(Code::InvalidParameters, summary));
    }
    let visibility = whole_or_hidden(visibility)?;
    let call = ClockCall {
        name,
        segments: params.segments,
        tick: params.tick,
        value: params.value,
        visibility,
        done: params.done.unwrap_or(false),
        reason: params.text.filter(|text| !text.trim().is_empty()),
        reason_parameter: "text",
        roll: None,
    };
    let moved = clock::decide(table, &call)?;
    let clock = ClockReply::of(&moved.after, moved.triggers);
    Ok(Answer::new(common(table), Reply::Clock { clock }))
}

pub fn advance(table: &mut Table, params: Params) -> Result<Answer<Reply>, Refusal> {
    let Some(words) = params.time.filter(|words| !words.trim().is_empty()) else {
        let summary = "advance needs time, as it passes in the game. Send time=\"10 minutes\", \"2 hours\" or \"until 18:00\".";
        return Err(Refusal::new(Code::InvalidParameters, summary));
    };
    time::advance(
        table,
        &words,
        params.text.filter(|text| !text.trim().is_empty()),
    )?;
    let events = table
        .call_entries()
        .filter_map(|written| match &written.entry.event {
            Event::Time(event) => Some(event),
            _ => None,
        });
    let (mut seconds, mut ended) = (0, Vec::new());
    for event in events {
        seconds += event.to - event.from;
        ended.extend(event.ended.iter().map(|effect| effect.label()));
    }
    let time = TimeReply {
        now: moment_words(now(table.state, table.system())),
        passed: span_words(seconds),
        ended,
    };
    Ok(Answer::new(common(table), Reply::Time { time }))
}
