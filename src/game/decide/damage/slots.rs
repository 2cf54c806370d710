//! Slots for harm by its weight: the amount is the level, and where a level has no room the harm goes one up.

use super::boxes;
use super::hit::Hit;
use crate::game::mechanics::tracks::marks;
use crate::rules::{Harm, Slots};

/// Puts harm of the level that is left into the first slot with room: of that level, or of the next that the rules name;
/// then, where they step up, of those above. Where there is no more, what lies beyond the slots happens, or what the
/// rules say of a hit that nothing soaks. Slots that soak points take the hit as [`boxes`] do.
pub(super) fn take(hit: &mut Hit<'_>, slots: &Slots) {
    if slots.kinds.iter().any(|kind| kind.soaks.is_some()) {
        return boxes::soak_by_slots(hit, slots);
    }
    let harm = Harm::Slots(slots);
    let level = hit.left;
    let above: Vec<_> =
        harm.marks().into_iter().zip(marks(hit.target.id, &harm)).filter(|(own, _)| own.worth >= level).collect();
    let first = above.first().map(|(own, _)| own.worth);
    for (own, row) in above {
        if !slots.steps_up && Some(own.worth) != first {
            break;
        }
        let row = hit.now(&row);
        if row.max.is_some_and(|max| row.value >= max) {
            continue;
        }
        let (name, value) = (row.name.clone(), row.value + 1);
        hit.moves(row, value, level);
        return hit.step(name, 0);
    }
    match &slots.beyond {
        Some((_, what)) => {
            hit.crossing.beyond(hit.state, hit.system, std::slice::from_ref(what), &slots.place);
            hit.step(format!("no room: {what}"), 0);
        }
        None => {
            hit.crossing.unsoaked(hit.state, hit.system);
            hit.step("no room", 0);
        }
    }
}
