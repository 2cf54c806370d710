//! Marks for harm: boxes that soak hits, slots by severity, and wounds.

use super::hit::Hit;
use crate::dice::{BindError, Formula};
use crate::game::mechanics::tracks::mark_tracks;
use crate::game::mechanics::values::{Values, dice_refusal};
use crate::game::record::state::Track;
use crate::game::refusal::{Code, Refusal};
use crate::rules::{Boxes, Harm, Slots, Wounds};

/// Combinations of slots that are tried.
const COMBINATIONS_MAX: usize = 4096;

/// Marks the smallest box that soaks the whole hit. Without one, the fewest and mildest slots soak it, alone or with one
/// box. Where nothing soaks all of it, nothing is marked and the rules' trigger fires. A call can name other marks one by
/// one.
pub(super) fn take_boxes(hit: &mut Hit<'_>, boxes: &Boxes) {
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
pub(super) fn heal_marks(hit: &mut Hit<'_>, harm: &Harm<'_>) {
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

/// Puts harm into the first slot with room: of its level or the next one that the rules have; then, where they step up, of
/// those above. Without room the rules' last level applies, or the trigger for unsoaked hits. Slots that soak points take
/// the hit as [`take_boxes`] does.
pub(super) fn take_slots(hit: &mut Hit<'_>, slots: &Slots) {
    if slots.kinds.iter().any(|kind| kind.soaks.is_some()) {
        return soak_by_slots(hit, slots);
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

/// One wound for every full `per` points over the threshold; a wound without room has the consequences of the rules.
pub(super) fn take_wounds(hit: &mut Hit<'_>, wounds: &Wounds) -> Result<(), Refusal> {
    let threshold = wound_threshold(hit, wounds)?;
    let over = hit.left.saturating_sub(threshold).max(0);
    let count = over / wounds.per.max(1);
    for row in mark_tracks(hit.target.id, &Harm::Wounds(wounds)) {
        let row = hit.current(&row);
        let value = row.value.saturating_add(count).min(row.max.unwrap_or(i64::MAX));
        let past = count > value - row.value;
        hit.step(format!("up to {} {threshold} it does no wound", render_threshold(&wounds.over)), over);
        hit.step(format!("{}: 1 for every {}, {count}", wounds.name, wounds.per), 0);
        hit.move_track(row, value, 0);
        if past {
            hit.consequences.mark_without_room(hit.state, hit.system, &wounds.then, &wounds.place);
        }
    }
    Ok(())
}

/// The formula; a single name without braces.
fn render_threshold(over: &Formula) -> String {
    let text = over.to_string();
    let name = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
    name.filter(|name| !name.contains(['{', '}'])).map_or(text.clone(), str::to_owned)
}

fn wound_threshold(hit: &Hit<'_>, wounds: &Wounds) -> Result<i64, Refusal> {
    let values = Values::of(hit.state, hit.system, hit.target);
    let bound = values.try_bind(&wounds.over).map_err(|error| match error {
        BindError::Dice(error) => dice_refusal(&error),
        BindError::Missing(names) => {
            let first = names.first().map_or("", String::as_str);
            let field = match (hit.system.attribute(first).is_ok(), hit.system.skill(first).is_ok()) {
                (true, _) => "attributes",
                (false, true) => "skills",
                (false, false) => "tracks",
            };
            let summary = format!(
                "How hard {0} is to hurt ({1}) needs {2}, which the sheet lacks. Send manage_character action=\"update\" \
                 character=\"{0}\" {field}={{\"{first}\": …}}, or say how many wounds: apply_damage track=\"{3}\" amount=1.",
                hit.target.name,
                render_threshold(&wounds.over),
                names.join(", "),
                wounds.name
            );
            Refusal::new(Code::MissingValue, summary)
        }
    })?;
    bound.constant().ok_or_else(|| {
        let summary = format!("What a hit must reach ({}, {}) has dice in it.", wounds.over, wounds.place);
        Refusal::new(Code::RuleBroken, summary).at(wounds.place.to_string())
    })
}
