//! Slots for harm by severity: the amount is the level, and where a level has no room the harm goes one up.

use super::boxes;
use super::hit::Hit;
use crate::game::mechanics::tracks::mark_tracks;
use crate::rules::{Harm, Slots};

/// Puts harm into the first slot with room: of its level or the next one that the rules have; then, where they step up, of
/// those above. Without room the rules' last level applies, or the trigger for unsoaked hits. Slots that soak points take
/// the hit as [`boxes`] do.
pub(super) fn take(hit: &mut Hit<'_>, slots: &Slots) {
    if slots.kinds.iter().any(|kind| kind.soaks.is_some()) {
        return boxes::soak_by_slots(hit, slots);
    }
    let harm = Harm::Slots(slots);
    let level = hit.left;
    let above: Vec<_> =
        harm.marks().into_iter().zip(mark_tracks(hit.target.id, &harm)).filter(|(own, _)| own.worth >= level).collect();
    let first = above.first().map(|(own, _)| own.worth);
    for (own, row) in above {
        if !slots.steps_up && Some(own.worth) != first {
            break;
        }
        let row = hit.current(&row);
        if row.max.is_some_and(|max| row.value >= max) {
            continue;
        }
        let (name, value) = (row.name.clone(), row.value + 1);
        hit.move_track(row, value, level);
        return hit.step(name, 0);
    }
    match &slots.beyond {
        Some((_, what)) => {
            hit.consequences.mark_without_room(hit.state, hit.system, std::slice::from_ref(what), &slots.place);
            hit.step(format!("no room: {what}"), 0);
        }
        None => {
            hit.consequences.hit_unsoaked(hit.state, hit.system);
            hit.step("no room", 0);
        }
    }
}
