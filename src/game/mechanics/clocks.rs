//! Clocks and shared tracks: those of the rules, and those made in play.

use crate::game::mechanics::health::Vitality;
use crate::game::mechanics::tracks::from_rule;
use crate::game::record::state::{Character, Clock, State, Track};
use crate::names::{Found, find, fold, same};
use crate::rules::{Direction, System, Track as TrackRule};

/// What a call names for everything that the company shares.
pub const COMPANY: &str = "company";

/// All that are not done with, hidden ones too: those of the rules in their order, then the others by name.
pub fn open(state: &State, system: &System) -> Vec<Clock> {
    all(state, system).into_iter().filter(|own| !own.closed).collect()
}

/// The same with those that are done with.
pub fn all(state: &State, system: &System) -> Vec<Clock> {
    let rules = || system.company.iter().flat_map(|company| &company.tracks);
    let row = |rule: &TrackRule| state.clocks.values().find(|own| same(&own.name, &rule.name)).cloned();
    let declared = rules().filter_map(|rule| row(rule).or_else(|| declared(state, system, rule)));
    let made = state.clocks.values().filter(|own| !rules().any(|rule| same(&rule.name, &own.name)));
    declared.chain(made.cloned()).collect()
}

/// Those of these that a name means; "the Alarm" is Alarm.
pub fn named(all: Vec<Clock>, name: &str) -> Found<Clock> {
    let names: Vec<String> = all.iter().map(|own| own.name.clone()).collect();
    let found = |name: &str| find(name, names.iter().map(String::as_str).zip(all.iter().cloned()));
    match (found(name), fold(name).strip_prefix("the ")) {
        (Found::Nothing, Some(bare)) => found(bare),
        (found, _) => found,
    }
}

/// One that the rules declare, as it begins.
fn declared(state: &State, system: &System, rule: &TrackRule) -> Option<Clock> {
    let company = system.company.as_deref()?;
    let Track { name, value, min, max, .. } = from_rule(state, company, &Character::default(), rule)?;
    let down = rule.counts == Direction::Down;
    Some(Clock { name, value, min, max, down, hidden: rule.hidden, closed: false })
}

/// As the rules' triggers watch it.
pub fn as_track(clock: &Clock) -> Track {
    let Clock { name, value, min, max, .. } = clock.clone();
    Track { character: 0, name, value, min, max, fixed: true }
}

/// What is shared, as the rules' triggers move it.
pub fn vitality(state: &State, system: &System) -> Vitality {
    let mut vitality = Vitality::of(state, 0);
    open(state, system).iter().for_each(|own| vitality.set_track(&as_track(own)));
    vitality
}

/// "Flooding 3/6", "The watch 8/8, full (hidden)".
pub fn line(clock: &Clock) -> String {
    let end = clock.end().map_or(String::new(), |end| format!(", {end}"));
    let hidden = if clock.hidden { " (hidden)" } else { "" };
    format!("{}{end}{hidden}", clock.render())
}
