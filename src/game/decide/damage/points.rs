//! Points off a track, or onto one that fills up; and marks that a call names one by one.

use super::hit::Hit;
use crate::game::mechanics::health::direction;
use crate::game::record::event::Step;
use crate::game::record::state::Track;
use crate::names::same;
use crate::rules::Direction;

/// Moves a track by what is left of the hit; what it cannot take is past its end.
pub(super) fn take(hit: &mut Hit<'_>, track: Track) {
    let name = track.name.clone();
    off(hit, track);
    past(hit);
    // One wound more than somebody bears.
    if let Some(wounds) = hit.system.wounds.as_ref().filter(|own| hit.left > 0 && same(&own.name, &name)) {
        hit.crossing.beyond(hit.state, hit.system, &wounds.then, &wounds.place);
    }
}

/// Moves a track as far as it goes; the rest of the hit is still on its way.
pub(super) fn off(hit: &mut Hit<'_>, track: Track) {
    let size = hit.left;
    let moved = match direction(hit.system, &track) {
        Direction::Down => track.value.saturating_sub(size),
        Direction::Up => track.value.saturating_add(size),
    };
    let value = moved.min(track.max.unwrap_or(i64::MAX)).max(track.min);
    hit.steps.push(Step { step: track.name.clone(), before: track.value, after: value });
    hit.left = size.signum() * (moved - value).abs();
    hit.moves(track, value, size);
}

/// The last step: what nothing took.
pub(super) fn past(hit: &mut Hit<'_>) {
    if hit.left != 0 {
        let past = hit.left.abs();
        hit.steps.push(Step { step: "past the end of the track".to_owned(), before: past, after: 0 });
    }
}
