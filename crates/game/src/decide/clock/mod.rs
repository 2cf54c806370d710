//! Clocks and shared tracks: made in play, moved, shown or hidden, done with; and what the rules bring about on their way.

mod moves;

use crate::limits::{self, LIMITS};
use crate::mechanics::clocks::{self, COMPANY};
use crate::mechanics::{lookup, several};
use crate::record::change::{Change, Images};
use crate::record::entry::Visibility;
use crate::record::event::{ClockAct, ClockEvent, Event};
use crate::record::state::Clock;
use crate::refusal::{Code, Detail, Refusal};
use crate::table::{Draft, Table};
use crate::view::secrets;
use rollbook_rules::{GAME_TIME, Trigger};
use rollbook_text::diagnostic::Place;
use rollbook_text::names::{quoted, same, suggest};

pub use moves::{Rewind, apply_effect, move_left, moved_in, pass, rest, rewind};

/// What the caller asked for.
#[derive(Debug, Default, Clone)]
pub struct ClockCall {
    pub name: String,
    /// Makes it.
    pub segments: Option<i64>,
    /// How far its number goes up, or down where it is below 0.
    pub tick: Option<i64>,
    /// The number that it gets.
    pub value: Option<i64>,
    /// Who sees it from now on: `Public` or `Gm`.
    pub visibility: Option<Visibility>,
    /// Takes it off the lists.
    pub done: bool,
    pub reason: Option<String>,
    /// The parameter in which the reason was sent.
    pub reason_parameter: &'static str,
    /// The entry whose roll decided how far it moves.
    pub roll: Option<u64>,
}

/// Why a clock moves, and who sees it.
#[derive(Debug, Clone, Default)]
pub struct Cause {
    pub reason: Option<String>,
    /// The entry whose roll decided how far.
    pub roll: Option<u64>,
    /// The line of the rules that moves it.
    pub place: Option<Place>,
    /// Who sees the move of a clock that players see.
    pub seen: Visibility,
}

/// A clock before and after a call; before is none of one that was made.
#[derive(Debug, Clone)]
pub struct ClockMove {
    pub before: Option<Clock>,
    pub after: Clock,
    /// The texts of the triggers that fired, of those that they moved, too.
    pub triggers: Vec<String>,
}

/// Does all that the call says to one clock, and logs each part as an entry.
/// Refused: when it would change nothing, or the name means no clock or several.
pub fn decide(table: &mut Table, call: &ClockCall) -> Result<ClockMove, Refusal> {
    check_call(call)?;
    let before = find(table, call)?;
    // One that is made anew is seen by those who saw it.
    let old = clocks::all(table.state, table.system()).into_iter().find(|clock| same(&clock.name, &call.name));
    let known = before.as_ref().or(old.as_ref());
    let was_hidden = known.is_some_and(|known| known.hidden);
    let visibility = call.visibility.unwrap_or(if was_hidden { Visibility::Gm } else { Visibility::Public });
    let texts = [("name", Some(&call.name)), (call.reason_parameter, call.reason.as_ref())];
    for (parameter, text) in texts.into_iter().filter(|_| !table.is_player) {
        let (text, named) = (text.map(String::as_str), known.map(|known| known.name.as_str()));
        secrets::check_text_of_clock(table.state, table.system(), visibility, parameter, text, named)?;
    }
    let hidden = visibility == Visibility::Gm;
    let cause = Cause { reason: call.reason.clone(), roll: call.roll, ..Cause::default() };
    let mut triggers = Vec::new();
    let mut clock = match before.clone() {
        None => make(table, call, hidden, &cause)?,
        Some(clock) => {
            let value = call.value.or_else(|| call.tick.map(|tick| clock.value.saturating_add(tick)));
            let target = value.map(|value| within_ends(table, &clock, value));
            check_changes(&clock, call, target, hidden)?;
            let target = target.filter(|target| *target != clock.value);
            let mut after = Clock { hidden, ..clock.clone() };
            if after != clock {
                // The reason is that of the move, where there is one.
                let reason = call.reason.clone().filter(|_| target.is_none());
                log(table, &after, if hidden { ClockAct::Hidden } else { ClockAct::Revealed }, reason);
            }
            if let Some(target) = target {
                triggers = moves::move_to(table, &after, target, &cause);
                after.value = target;
            }
            after
        }
    };
    // A trigger may have moved it on.
    let now = |table: &Table, clock: Clock| table.state.clocks.get(&clock.name).cloned().unwrap_or(clock);
    if call.done {
        let reason = call.reason.clone().filter(|_| table.call_entries().next().is_none());
        clock = Clock { closed: true, ..now(table, clock) };
        log(table, &clock, ClockAct::Closed, reason);
    }
    Ok(ClockMove { before, after: now(table, clock), triggers })
}

fn check_call(call: &ClockCall) -> Result<(), Refusal> {
    limits::name("name", &call.name)?;
    for (parameter, number) in [("tick", call.tick), ("value", call.value)] {
        limits::number(parameter, number.unwrap_or(0))?;
    }
    let reason = call.reason.as_ref();
    reason.map_or(Ok(()), |reason| limits::text(call.reason_parameter, reason, LIMITS.context))?;
    if let Some(segments) = call.segments.filter(|segment| !(1..=LIMITS.number).contains(segment)) {
        let valid_range = format!("1 to {}", LIMITS.number);
        let summary = format!("segments: {segments}; a clock has {valid_range}. Send segments=6.");
        let detail = Detail { parameter: "segments".to_owned(), issue: segments.to_string(), valid_range };
        return Err(Refusal::new(Code::LimitExceeded, summary).details(vec![detail]));
    }
    if call.tick.is_some() && call.value.is_some() {
        let summary = "tick moves the clock from where it is, value sets it. Send one of the two.";
        return Err(Refusal::new(Code::InvalidParameters, summary));
    }
    Ok(())
}

/// The clock that the call names; none where it makes a new one.
fn find(table: &Table, call: &ClockCall) -> Result<Option<Clock>, Refusal> {
    let (state, system) = (&*table.state, table.system());
    let open = clocks::open(state, system);
    if let Some(segments) = call.segments {
        let Some(clock) = open.iter().find(|clock| same(&clock.name, &call.name)) else { return Ok(None) };
        let summary = format!(
            "{0} is there already, at {1}. Send tick=1 to move it; done=true takes it away, and then name=\"{0}\" segments={segments} makes \
             it anew.",
            clock.name,
            clock.render_value()
        );
        return Err(Refusal::new(Code::DuplicateName, summary).did_you_mean(vec![clock.name.clone()]));
    }
    let names: Vec<String> = open.iter().map(|clock| clock.name.clone()).collect();
    let found = clocks::named(open, &call.name);
    if let Some(clock) = lookup::one("name", &call.name, found, |clock| clock.name)? {
        return Ok(Some(clock));
    }
    let suggestions = suggest(&call.name, names.iter().map(String::as_str));
    let known = match (suggestions.first(), names.is_empty()) {
        (Some(first), _) => format!(" Near: {}. Send name=\"{first}\", or", suggestions.join(", ")),
        (None, false) => format!(" There are {}. Send one of these, or", names.join(", ")),
        (None, true) => " Send".to_owned(),
    };
    let name = quoted(&call.name);
    let summary = format!("No clock and no shared track is called \"{name}\".{known} segments=6 to make it.");
    Err(Refusal::new(Code::UnknownTrack, summary).did_you_mean(suggestions))
}

/// A number beyond an end goes as far as that end, and the reply says so.
fn within_ends(table: &mut Table, clock: &Clock, value: i64) -> i64 {
    let nearest = clocks::nearest(clock, value);
    let end = if value > nearest { "no higher" } else { "no lower" };
    let note = || format!("{} goes {end} than {nearest}, so {value} is taken as {nearest}", clock.name);
    table.note((nearest != value).then(note));
    nearest
}

/// Refuses a call that changes nothing.
fn check_changes(clock: &Clock, call: &ClockCall, target: Option<i64>, hidden: bool) -> Result<(), Refusal> {
    if target.is_some_and(|target| target != clock.value) || call.done || clock.hidden != hidden {
        return Ok(());
    }
    let (name, value) = (&clock.name, clock.render_value());
    let summary = match (target, call.visibility) {
        (Some(_), _) => {
            let least = clock.min;
            let ends = clock.max.map_or(format!("no lower than {least}"), |max| format!("from {least} to {max}"));
            format!("{name} is at {value} already and goes {ends}. Send another number.")
        }
        (None, Some(_)) if hidden => format!("{name} is hidden from players already."),
        (None, Some(_)) => format!("Players see {name} already."),
        (None, None) => format!(
            "{name} is at {value}. Send tick=1 to move it, value=2 to set it, visibility=\"gm\" or \"public\", or done=true."
        ),
    };
    Err(Refusal::new(Code::NoEffect, summary))
}

/// Makes one in play. It begins empty; one that begins full is used up, like supplies. One that the rules know, too, goes their way.
fn make(table: &mut Table, call: &ClockCall, hidden: bool, cause: &Cause) -> Result<Clock, Refusal> {
    let max = call.segments.unwrap_or_default();
    let name = call.name.trim().to_owned();
    let state = &*table.state;
    if same(&name, GAME_TIME) {
        let summary = format!(
            "{GAME_TIME} is what the game itself counts. manage_session action=\"advance\" time=\"2 hours\" lets it pass; send another name for \
             the clock."
        );
        return Err(Refusal::new(Code::DuplicateName, summary));
    }
    if lookup::by_name(state, &name).is_some() || same(&name, COMPANY) || several::is_side(state, &name) {
        let summary = format!("\"{}\" is the name of somebody here. Send another name for the clock.", quoted(&name));
        return Err(Refusal::new(Code::DuplicateName, summary));
    }
    let old = clocks::all(state, table.system()).into_iter().find(|clock| same(&clock.name, &name));
    limits::count("clocks of a campaign", state.clocks.len() + usize::from(old.is_none()), LIMITS.campaign_clocks)?;
    let rules = clocks::clock_of_rules(table.system(), &name);
    let begins = if rules.as_ref().is_some_and(|rule| rule.down) { max } else { 0 };
    // One that was done with keeps its spelling, so that it is the same row.
    let name = old.map_or(name, |clock| clock.name);
    let before = table.state.clocks.get(&name).cloned();
    let clock = Clock { name, value: begins, min: 0, max: Some(max), down: false, hidden, closed: false };
    let value = call.value.or(call.tick).map_or(begins, |value| within_ends(table, &clock, value));
    let clock = Clock { value, down: rules.map_or(value == max, |rule| rule.down), ..clock };
    log_from(table, (before, clock.value), &clock, ClockAct::Made, cause, &[]);
    Ok(clock)
}

/// Logs one act that leaves its number as it is. Those who do not see the clock see nothing of it.
fn log(table: &mut Table, after: &Clock, act: ClockAct, reason: Option<String>) {
    // One that the rules declare has no row before its first change.
    let before = table.state.clocks.get(&after.name).cloned();
    let from = before.as_ref().map_or(after.value, |clock| clock.value);
    log_from(table, (before, from), after, act, &Cause { reason, ..Cause::default() }, &[]);
}

fn log_from(
    table: &mut Table,
    (before, from): (Option<Clock>, i64),
    after: &Clock,
    act: ClockAct,
    cause: &Cause,
    fired: &[&Trigger],
) {
    let event = ClockEvent {
        name: after.name.clone(),
        act,
        from,
        to: after.value,
        max: after.max,
        end: after.end().filter(|_| act == ClockAct::Moved).map(str::to_owned),
        triggers: fired.iter().map(|trigger| trigger.text.clone()).collect(),
        reason: cause.reason.clone(),
        roll: cause.roll,
    };
    let rule = fired.last().map(|trigger| &trigger.place).or(cause.place.as_ref()).map(ToString::to_string);
    let visibility = if after.hidden { Visibility::Gm } else { cause.seen };
    let changes = vec![Change::Clock(Images { before, after: Some(after.clone()) })];
    table.log(Draft { visibility, rule, ..Draft::new("gm", Event::Clock(event), changes) });
}
