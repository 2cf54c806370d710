//! The game's time: how far it is, and what has lasted its time. It is kept as a clock that no list shows, in seconds since the game
//! began; the rounds of a fight pass it when the fight is over, and count meanwhile.

use crate::record::state::{Clock, Combat, Condition, State, Until};
use rollbook_rules::GAME_TIME;
use rollbook_rules::System;

/// The latest moment: some thirty thousand years.
pub const LAST: i64 = 1_000_000_000_000;

/// Its row; one that is made where no time has passed.
pub fn row(state: &State) -> Clock {
    let new = || Clock { name: GAME_TIME.to_owned(), ..Clock::default() };
    state.clocks.get(GAME_TIME).cloned().unwrap_or_else(new)
}

/// The moment that it is, with the rounds of a fight that goes on.
pub fn now(state: &State, system: &System) -> i64 {
    let past = state.running_combat().map_or(0, |combat| combat.round.saturating_sub(1));
    row(state).value.saturating_add(rounds(system, past).unwrap_or(0))
}

/// The moment at which this round of a fight is over, where the rules say how long a round is.
pub fn end_of_round(state: &State, system: &System, combat: &Combat) -> Option<i64> {
    Some(row(state).value.saturating_add(rounds(system, combat.round)?))
}

/// Seconds of so many rounds, where the rules say how long one is.
pub fn rounds(system: &System, many: u32) -> Option<i64> {
    Some(i64::from(many).saturating_mul(system.round.as_ref()?.what))
}

/// Whether time is counted: it has passed, or the rules say what passes it.
pub fn is_counted(state: &State, system: &System) -> bool {
    let rules = || {
        let rests = || system.rests.iter().any(|rest| rest.lasts().is_some());
        !system.passing.is_empty() || system.round.is_some() || rests()
    };
    state.clocks.contains_key(GAME_TIME) || rules()
}

/// The conditions that last no longer than until then.
pub fn due(state: &State, at: i64) -> Vec<Condition> {
    let over = |own: &&Condition| matches!(own.until, Some(Until::Time(until)) if until <= at);
    state.conditions.values().filter(over).cloned().collect()
}
