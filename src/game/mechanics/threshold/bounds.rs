//! Which triggers a move of one track fires, and which of them it reverses.

use crate::game::mechanics::health::{bottom, direction};
use crate::game::record::state::Track;
use crate::names::same;
use crate::rules::{Direction, System, Trigger, TriggerWhen};

/// Whether the move crosses the trigger's threshold, or the hit is of the size it names.
pub(super) fn fires(system: &System, trigger: &Trigger, before: &Track, after: &Track, hit: i64) -> bool {
    if !same(trigger.when.track(), &after.name) {
        return false;
    }
    let left_over = hit - (before.value - before.min);
    let one_hit = |of: fn(i64, i64) -> bool| hit > 0 && before.max.is_some_and(|max| of(hit, max));
    let is_there = |track: &Track| is_reached(system, trigger, track).unwrap_or(false);
    match &trigger.when {
        TriggerWhen::AtZero { .. } | TriggerWhen::AtValue { .. } | TriggerWhen::Full { .. } => {
            !is_there(before) && is_there(after)
        }
        TriggerWhen::AboveZero { .. } => before.value <= bottom(before) && after.value > bottom(after),
        TriggerWhen::Unsoaked | TriggerWhen::ManyAtZero { .. } | TriggerWhen::OneHitOf { .. } => false,
        TriggerWhen::OneHitOfHalfMax { .. } => one_hit(|hit, max| hit * 2 >= max),
        TriggerWhen::OneHitOfMax { .. } => one_hit(|hit, max| hit >= max),
        TriggerWhen::LeftOverOfMax { .. } => {
            after.value == after.min && left_over > 0 && before.max.is_some_and(|max| left_over >= max)
        }
    }
}

/// Whether the move crosses the threshold backwards: the track rises from zero, passes the value again, or is no longer
/// full. A trigger that moves its own track away (`full: trauma; stress clears`) is never reversed.
pub(super) fn leaves(system: &System, trigger: &Trigger, before: &Track, after: &Track) -> bool {
    let is_there = |track: &Track| is_reached(system, trigger, track).unwrap_or(false);
    let is_of_it = same(trigger.when.track(), &after.name);
    is_of_it && is_there(before) && !is_there(after) && !trigger.moves(&after.name)
}

/// Whether a track is at the trigger's threshold; `None` for a trigger on hits.
fn is_reached(system: &System, trigger: &Trigger, track: &Track) -> Option<bool> {
    match &trigger.when {
        TriggerWhen::AtZero { .. } => Some(track.value <= bottom(track)),
        TriggerWhen::AtValue { value, .. } => Some(match direction(system, track) {
            Direction::Down => track.value <= *value,
            Direction::Up => track.value >= *value,
        }),
        TriggerWhen::Full { .. } => Some(track.max == Some(track.value)),
        _ => None,
    }
}
