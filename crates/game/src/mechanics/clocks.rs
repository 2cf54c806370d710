//! Clocks and shared tracks: those of the rules, and those made in play.

use crate::limits::LIMITS;
use crate::record::state::{Clock, State, Track};
use rollbook_dice::Formula;
use rollbook_rules::{Direction, GAME_TIME, Start, System, Track as TrackRule};
use rollbook_text::names::{Found, find, fold, same};

/// What a call names for everything that the company shares.
pub const COMPANY: &str = "company";
/// What the line of a hidden clock ends with.
pub const HIDDEN: &str = " (hidden)";

/// All that are not done with, hidden ones too: those of the rules in order, then others by name.
pub fn open(state: &State, system: &System) -> Vec<Clock> {
    all(state, system)
        .into_iter()
        .filter(|clock| !clock.closed)
        .collect()
}

pub(crate) fn all(state: &State, system: &System) -> Vec<Clock> {
    let rules = || system.company.iter().flat_map(|company| &company.tracks);
    let row = |rule: &TrackRule| {
        state
            .clocks
            .values()
            .find(|clock| same(&clock.name, &rule.name))
            .cloned()
    };
    let declared = rules().filter_map(|rule| row(rule).or_else(|| declared(rule)));
    let is_made = |clock: &&Clock| {
        clock.name != GAME_TIME && !rules().any(|rule| same(&rule.name, &clock.name))
    };
    declared
        .chain(state.clocks.values().filter(is_made).cloned())
        .collect()
}

/// Those of these that a name means; "the Alarm" is Alarm.
pub fn named(all: Vec<Clock>, name: &str) -> Found<Clock> {
    let names: Vec<String> = all.iter().map(|clock| clock.name.clone()).collect();
    let found = |name: &str| {
        find(
            name,
            names.iter().map(String::as_str).zip(all.iter().cloned()),
        )
    };
    match (found(name), fold(name).strip_prefix("the ")) {
        (Found::Nothing, Some(bare)) => found(bare),
        (found, _) => found,
    }
}

fn declared(rule: &TrackRule) -> Option<Clock> {
    let number = |formula: &Formula| formula.bind(&mut |_| None).ok()?.constant();
    let (min, max, value) = beginning(rule, number, 0)?;
    let down = rule.counts == Direction::Down;
    Some(Clock {
        name: rule.name.clone(),
        value,
        min,
        max,
        down,
        hidden: rule.hidden,
        closed: false,
    })
}

/// Minimum, maximum (`by` is added) and value with which a rule begins a track, by its formulas.
pub fn beginning(
    rule: &TrackRule,
    number: impl Fn(&Formula) -> Option<i64>,
    by: i64,
) -> Option<(i64, Option<i64>, i64)> {
    let min = number(&rule.min)?;
    let max = rule.max.as_ref().map_or(Some(None), |max| {
        Some(Some(number(max)?.saturating_add(by).max(min)))
    })?;
    let value = match &rule.start {
        Start::Full => max.unwrap_or(min),
        Start::Empty => min,
        Start::At(start) => number(start)?,
    };
    Some((min, max, value.max(min).min(max.unwrap_or(i64::MAX))))
}

/// As the rules begin the one of this name.
pub fn clock_of_rules(system: &System, name: &str) -> Option<Clock> {
    system
        .company
        .as_ref()?
        .tracks
        .iter()
        .find(|rule| same(&rule.name, name))
        .and_then(declared)
}

/// The nearest value that a clock can have; without an end what numbers may be.
pub fn nearest(clock: &Clock, value: i64) -> i64 {
    clock.clamp(value.clamp(-LIMITS.number, LIMITS.number))
}

/// The one that an expression of the rules names; not one that players do not see: it would show.
pub fn value_of(state: &State, system: &System, name: &str) -> Option<Clock> {
    let rule = system
        .company
        .as_ref()?
        .tracks
        .iter()
        .find(|rule| same(&rule.name, name))?;
    let row = state
        .clocks
        .values()
        .find(|clock| same(&clock.name, name))
        .cloned();
    row.or_else(|| declared(rule)).filter(|row| !row.hidden)
}

/// As the rules' triggers watch it.
pub fn as_track(clock: &Clock) -> Track {
    let Clock {
        name,
        value,
        min,
        max,
        ..
    } = clock.clone();
    Track {
        name,
        value,
        min,
        max,
        fixed: true,
        ..Track::default()
    }
}

/// The one with this whole name, unless it is done with.
pub fn open_one(state: &State, system: &System, name: &str) -> Option<Clock> {
    let row = state
        .clocks
        .get(name)
        .or_else(|| state.clocks.values().find(|clock| same(&clock.name, name)));
    row.cloned()
        .or_else(|| clock_of_rules(system, name))
        .filter(|row| !row.closed)
}

/// "Flooding 3/6", "The watch 8/8, full (hidden)".
pub fn line(clock: &Clock) -> String {
    let end = clock.end().map_or(String::new(), |end| format!(", {end}"));
    let hidden = if clock.hidden { HIDDEN } else { "" };
    format!("{}{end}{hidden}", clock.render())
}
