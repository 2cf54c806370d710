//! Boxes that soak hits, and slots that help them: stress and consequences.

use super::hit::Hit;
use crate::game::mechanics::tracks::mark_tracks;
use crate::game::record::state::Track;
use crate::rules::{Boxes, Harm, Slots};

/// Combinations of slots that are tried.
const COMBINATIONS_MAX: usize = 4096;

/// Marks the smallest box that soaks the whole hit. Without one, the fewest and mildest slots soak it, alone or with one
/// box. Where nothing soaks all of it, nothing is marked and the rules' trigger fires. A call can name other marks one by
/// one.
pub(super) fn take(hit: &mut Hit<'_>, boxes: &Boxes) {
    let free = free_marks(hit, &Harm::Boxes(boxes));
    let soaking: Vec<&Slots> =
        hit.system.slots.iter().filter(|own| own.kinds.iter().all(|kind| kind.soaks.is_some())).collect();
    let slots = soaking.into_iter().flat_map(|own| self::free_marks(hit, &Harm::Slots(own))).collect();
    soak(hit, free, slots);
}

/// Marks the mildest slots that soak the whole hit.
pub(super) fn soak_by_slots(hit: &mut Hit<'_>, slots: &Slots) {
    let free = free_marks(hit, &Harm::Slots(slots));
    soak(hit, Vec::new(), free);
}

/// Clears the most severe marks that the healing is enough for.
pub(super) fn heal(hit: &mut Hit<'_>, harm: &Harm<'_>) {
    for (worth, row) in marks_by_worth(hit, harm).into_iter().rev() {
        let each = worth.max(1);
        let cleared = row.value.min(hit.left.abs() / each);
        if cleared > 0 {
            let name = row.name.clone();
            hit.move_track(row.clone(), row.value - cleared, 0);
            hit.step(name, hit.left.saturating_add(cleared.saturating_mul(each)));
        }
    }
    if hit.left < 0 {
        hit.step("nothing left to heal", 0);
    }
}

/// The marks by worth, with their tracks.
fn marks_by_worth(hit: &Hit<'_>, harm: &Harm<'_>) -> Vec<(i64, Track)> {
    let rows = mark_tracks(hit.target.id, harm).into_iter().map(|row| hit.current(&row));
    harm.marks().iter().map(|marks| marks.worth).zip(rows).collect()
}

fn free_marks(hit: &Hit<'_>, harm: &Harm<'_>) -> Vec<(i64, Track)> {
    marks_by_worth(hit, harm).into_iter().filter(|(_, row)| row.max.is_none_or(|max| row.value < max)).collect()
}

fn soak(hit: &mut Hit<'_>, boxes: Vec<(i64, Track)>, slots: Vec<(i64, Track)>) {
    let size = hit.left;
    // Every set of slots, the empty one first; each may be combined with one box.
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
        hit.consequences.hit_unsoaked(hit.state, hit.system);
        hit.step("nothing soaks it", 0);
        return;
    };
    for (worth, row) in chosen {
        let now = hit.current(&row);
        let value = now.value + 1;
        let name = now.name.clone();
        hit.move_track(now, value, size);
        hit.step(name, (hit.left - worth).max(0));
    }
}
