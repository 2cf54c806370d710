//! Time in the game, as `manage_session` lets it pass.

use super::params::Params;
use super::reply::{Reply, TimeReply};
use crate::session::Answer;
use crate::tools::reply::common;
use rollbook_game::decide::time;
use rollbook_game::mechanics::duration::now;
use rollbook_game::moment::moment_words;
use rollbook_game::record::event::Event;
use rollbook_game::refusal::{Code, Refusal};
use rollbook_game::table::Table;
use rollbook_rules::span_words;

/// Lets time pass.
pub fn write(table: &mut Table, params: Params) -> Result<Answer<Reply>, Refusal> {
    let Some(words) = params.time.filter(|words| !words.trim().is_empty()) else {
        let summary =
            "advance needs time, as it passes in the game. Send time=\"10 minutes\", \"2 hours\" or \"until 18:00\".";
        return Err(Refusal::new(Code::InvalidParameters, summary));
    };
    time::advance(table, &words, params.text.filter(|text| !text.trim().is_empty()))?;
    let events = table.own_entries().filter_map(|written| match &written.entry.event {
        Event::Time(event) => Some(event),
        _ => None,
    });
    let (mut seconds, mut ended) = (0, Vec::new());
    for event in events {
        seconds += event.to - event.from;
        ended.extend(event.ended.iter().map(|own| own.label()));
    }
    let time = TimeReply { now: moment_words(now(table.state, table.system())), passed: span_words(seconds), ended };
    Ok(Answer::new(common(table), Reply::Time { time }))
}
