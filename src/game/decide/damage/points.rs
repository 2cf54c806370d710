//! Hits on the points of a track, or on a mark that a call names.

use super::hit::Hit;
use crate::game::mechanics::health::direction;
use crate::game::record::event::Step;
use crate::game::record::state::Track;
use crate::names::same;
use crate::rules::Direction;

/// Moves a track by what is left of the hit; the rest is past its end.
pub(super) fn take(hit: &mut Hit<'_>, track: Track) {
    let name = track.name.clone();
    take_from(hit, track);
    add_last_step(hit);
    // One wound more than the character can have.
    if let Some(wounds) = hit.system.wounds.as_ref().filter(|own| hit.left > 0 && same(&own.name, &name)) {
        hit.consequences.mark_without_room(hit.state, hit.system, &wounds.then, &wounds.place);
    }
}

/// Moves a track as far as it goes; the rest of the hit is left.
pub(super) fn take_from(hit: &mut Hit<'_>, track: Track) {
    let size = hit.left;
    let moved = match direction(hit.system, &track) {
        Direction::Down => track.value.saturating_sub(size),
        Direction::Up => track.value.saturating_add(size),
    };
    let value = moved.min(track.max.unwrap_or(i64::MAX)).max(track.min);
    hit.steps.push(Step { step: track.name.clone(), before: track.value, after: value });
    hit.left = size.signum() * (moved - value).abs();
    hit.move_track(track, value, size);
}

/// Adds the last step: what nothing took.
pub(super) fn add_last_step(hit: &mut Hit<'_>) {
    if hit.left != 0 {
        let past = hit.left.abs();
        hit.steps.push(Step { step: "past the end of the track".to_owned(), before: past, after: 0 });
    }
}
