//! Time passes, by a call, a rest or a fight's rounds: it ends what is over and moves by the rules.

use crate::limits::{self, LIMITS};
use crate::mechanics::{duration, duration::has_turns, effects};
use crate::moment::{moment_words, next_moment};
use crate::record::change::{Change, Images};
use crate::record::event::{EffectOn, Event, TimeEvent};
use crate::record::state::{Clock, Condition};
use crate::refusal::{Code, Refusal, Result};
use crate::table::{Draft, Table};
use crate::{decide::clock, record::entry::Visibility};
use rollbook_rules::call::span;
use rollbook_rules::{SPAN_MAX, TriggerWhen, span_words};
use rollbook_text::names::quoted;

/// Lets time pass that the GM names: `2 hours`, `until day 3, 06:30`. Refused: what is no later
/// time; a reason that is too long or names a character whom players do not see.
pub fn advance(table: &mut Table, words: &str, reason: Option<String>) -> Result<()> {
    reason.as_ref().map_or(Ok(()), |reason| {
        limits::text("text", reason, LIMITS.context)
    })?;
    table.check_text(Visibility::Public, "text", reason.as_deref())?;
    let now = duration::now(table.state, table.system());
    let until = words.trim().strip_prefix("until ").unwrap_or(words.trim());
    let seconds = span(words).or_else(|| next_moment(until, now).map(|at| at - now));
    let fits =
        |seconds: &i64| *seconds <= SPAN_MAX && now.saturating_add(*seconds) <= duration::LAST;
    let Some(seconds) = seconds.filter(fits) else {
        let (now, most) = (moment_words(now), span_words(SPAN_MAX));
        let summary = format!(
            "time=\"{}\" is no time that can pass; it is {now} in the game. Send time=\"10 minutes\", \"2 hours\", \"1 day and 4 hours\" (at most {most}), \
             \"until 18:00\" or \"until day 3, 06:30\".",
            quoted(words)
        );
        return Err(Refusal::new(Code::InvalidParameters, summary));
    };
    let fight = table.state.running_combat();
    if seconds >= LONG && fight.is_some_and(|fight| has_turns(table.system(), fight)) {
        let summary = format!(
            "A fight goes on, whose rounds pass by themselves, and {} are none that pass in it. Is it over? Send manage_combat \
             action=\"end\" first, then this again.",
            span_words(seconds)
        );
        return Err(Refusal::new(Code::CombatRunning, summary));
    }
    pass(table, "gm", seconds, reason);
    Ok(())
}

/// So many seconds pass in no fight, and a rest of so many is none that anybody takes there.
pub(crate) const LONG: i64 = 600;

pub(crate) fn pass(table: &mut Table, actor: &str, seconds: i64, reason: Option<String>) {
    let before = duration::row(table.state);
    let from = before.value;
    let to = from.saturating_add(seconds).min(duration::LAST);
    let after = Clock {
        value: to,
        ..before.clone()
    };
    let in_fight = duration::now(table.state, table.system()).saturating_sub(from);
    let due = duration::due(table.state, to.saturating_add(in_fight));
    let is_seen = |row: &Condition| {
        let who = table.state.characters.get(&row.character);
        !row.hidden && who.is_some_and(|who| table.state.is_met(who.id, who.kind))
    };
    let (seen, unseen): (Vec<Condition>, Vec<Condition>) = due.into_iter().partition(is_seen);
    let row = Images {
        before: table
            .state
            .clocks
            .contains_key(&before.name)
            .then_some(before),
        after: Some(after),
    };
    end(
        table,
        actor,
        TimeEvent {
            from,
            to,
            reason,
            ended: Vec::new(),
        },
        Some(row),
        seen,
    );
    if !unseen.is_empty() {
        end(
            table,
            actor,
            TimeEvent {
                from: to,
                to,
                reason: None,
                ended: Vec::new(),
            },
            None,
            unseen,
        );
    }
    for passing in &table.system().passing {
        if let TriggerWhen::Each(seconds) = passing.when
            && let times @ 1.. = to.div_euclid(seconds) - from.div_euclid(seconds)
            && let Err(refusal) = clock::pass(table, passing, times, &moment_words(to))
        {
            table.note([refusal.summary]);
        }
    }
}

/// Logs time that passed, where its row changes, and what ends; without a row it is the GM's alone.
fn end(
    table: &mut Table,
    actor: &str,
    event: TimeEvent,
    row: Option<Images<Clock>>,
    over: Vec<Condition>,
) {
    let visibility = if row.is_some() {
        Visibility::Public
    } else {
        Visibility::Gm
    };
    let hidden = row.is_none();
    let ended = effects::effects_on(table.state, &over)
        .into_iter()
        .map(|row| EffectOn { hidden, ..row })
        .collect();
    let since = table.next_id();
    let ends = effects::end_conditions(table.state, table.system(), over, since);
    let changes = row.map(Change::Clock).into_iter().chain(ends).collect();
    table.log(Draft {
        visibility,
        ..Draft::new(actor, Event::Time(TimeEvent { ended, ..event }), changes)
    });
}
