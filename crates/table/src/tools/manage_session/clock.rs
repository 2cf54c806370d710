//! Clocks and shared tracks, as `manage_session` makes and moves them.

use schemars::JsonSchema;
use serde::Serialize;

use super::params::Params;
use super::reply::Reply;
use crate::session::Answer;
use crate::tools::reply::common;
use rollbook_game::decide::clock::{self, ClockCall};
use rollbook_game::record::entry::Visibility;
use rollbook_game::record::state::Clock;
use rollbook_game::refusal::{Code, Refusal};
use rollbook_game::table::Table;

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
    /// The clock, and what it brought about.
    pub fn of(clock: &Clock, triggers: Vec<String>) -> ClockReply {
        let Clock { name, value, max, hidden, closed, .. } = clock.clone();
        ClockReply { name, value, max, hidden, done: closed, triggers }
    }
}

/// Makes, moves, shows, hides or ends one.
pub fn write(table: &mut Table, params: Params) -> Result<Answer<Reply>, Refusal> {
    let Some(name) = params.name.filter(|name| !name.trim().is_empty()) else {
        let summary = "clock needs name. Send name=\"Flooding\" with segments=6 to make it, with tick=1 to move it.";
        return Err(Refusal::new(Code::InvalidParameters, summary));
    };
    let call = ClockCall {
        name,
        segments: params.segments,
        tick: params.tick,
        value: params.value,
        visibility: params.visibility.map(Visibility::from),
        done: params.done.unwrap_or(false),
        reason: params.text.filter(|text| !text.trim().is_empty()),
        reason_parameter: "text",
        roll: None,
    };
    let moved = clock::decide(table, &call)?;
    let clock = ClockReply::of(&moved.after, moved.triggers);
    Ok(Answer::new(common(table), Reply::Clock { clock }))
}
