//! Boxes of which one soaks one hit, and the slots that help them: stress and consequences.

use super::hit::Hit;
use crate::game::mechanics::tracks::marks;
use crate::game::record::state::Track;
use crate::rules::{Boxes, Harm, Slots};

/// Slots that soak beside the box which a hit takes at most; more combinations than this are not looked at.
const COMBINATIONS_MAX: usize = 4096;

/// Marks one box, the least that is worth the whole hit. Where no free box is, the mildest slots that soak, alone or with
/// one box, take it together: first the fewest slots, then the least soaked in all. Where nothing soaks it all, nothing is
/// marked and the rules say what happens. Whoever wants it otherwise names the marks one by one.
pub(super) fn take(hit: &mut Hit<'_>, boxes: &Boxes) {
    let free = free(hit, &Harm::Boxes(boxes));
    let soaking: Vec<&Slots> =
        hit.system.slots.iter().filter(|own| own.kinds.iter().all(|kind| kind.soaks.is_some())).collect();
    let slots = soaking.into_iter().flat_map(|own| self::free(hit, &Harm::Slots(own))).collect();
    soak(hit, free, slots);
}

/// Marks the mildest slots that soak the whole hit.
pub(super) fn soak_by_slots(hit: &mut Hit<'_>, slots: &Slots) {
    let free = free(hit, &Harm::Slots(slots));
    soak(hit, Vec::new(), free);
}

/// Takes the dearest marks away that the healing pays for.
pub(super) fn heal(hit: &mut Hit<'_>, harm: &Harm<'_>) {
    for (worth, row) in worths(hit, harm).into_iter().rev() {
        let each = worth.max(1);
        let cleared = row.value.min(hit.left.abs() / each);
        if cleared > 0 {
            let name = row.name.clone();
            hit.moves(row.clone(), row.value - cleared, 0);
            hit.step(name, hit.left.saturating_add(cleared.saturating_mul(each)));
        }
    }
    if hit.left < 0 {
        hit.step("nothing left to heal", 0);
    }
}

/// One mark after the other by worth, with the tracks they stand in.
fn worths(hit: &Hit<'_>, harm: &Harm<'_>) -> Vec<(i64, Track)> {
    let rows = marks(hit.target.id, harm).into_iter().map(|row| hit.now(&row));
    harm.marks().iter().map(|marks| marks.worth).zip(rows).collect()
}

fn free(hit: &Hit<'_>, harm: &Harm<'_>) -> Vec<(i64, Track)> {
    worths(hit, harm).into_iter().filter(|(_, row)| row.max.is_none_or(|max| row.value < max)).collect()
}

fn soak(hit: &mut Hit<'_>, boxes: Vec<(i64, Track)>, slots: Vec<(i64, Track)>) {
    let size = hit.left;
    // Every set of slots, the empty one first; each may have one box beside it.
    let mut sets: Vec<Vec<(i64, Track)>> = vec![Vec::new()];
    for (worth, row) in slots {
        let many = row.max.map_or(1, |max| max - row.value).max(1);
        let longer: Vec<_> = sets
            .iter()
            .flat_map(|set| {
                (1..=many).map_while(|count| {
                    let more = std::iter::repeat_n((worth, row.clone()), usize::try_from(count).ok()?);
                    Some(set.iter().cloned().chain(more).collect::<Vec<_>>())
                })
            })
            .take(COMBINATIONS_MAX.saturating_sub(sets.len()))
            .collect();
        sets.extend(longer);
    }
    let one_box = || std::iter::once(None).chain(boxes.iter().cloned().map(Some));
    let choices = sets
        .iter()
        .flat_map(|set| one_box().map(move |own| own.into_iter().chain(set.iter().cloned()).collect::<Vec<_>>()));
    let worth = |choice: &[(i64, Track)]| choice.iter().map(|(worth, _)| *worth).sum::<i64>();
    let slots_in = |choice: &[(i64, Track)]| {
        choice.iter().filter(|(_, row)| !boxes.iter().any(|(_, own)| own.name == row.name)).count()
    };
    let chosen = choices
        .filter(|choice| !choice.is_empty() && worth(choice) >= size)
        .min_by_key(|choice| (slots_in(choice), worth(choice), choice.len()));
    let Some(chosen) = chosen else {
        hit.crossing.unsoaked(hit.state, hit.system);
        hit.step("nothing soaks it", 0);
        return;
    };
    for (worth, row) in chosen {
        let now = hit.now(&row);
        let value = now.value + 1;
        let name = now.name.clone();
        hit.moves(now, value, size);
        hit.step(name, (hit.left - worth).max(0));
    }
}
