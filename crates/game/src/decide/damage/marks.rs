//! Marks that soak hits: boxes of stress, consequences.

use super::chain::{self, which_track};
use super::hit::Hit;
use crate::mechanics::tracks::mark_tracks;
use crate::record::state::Track;
use crate::refusal::Refusal;
use rollbook_rules::{DamageLine, Soak};

/// Combinations of marks that are tried.
const COMBINATIONS_MAX: usize = 4096;

/// Makes the fewest and least marks that soak the whole hit, of the first stage before those of later ones. Where nothing soaks all
/// of it, nothing is marked and the rules' trigger fires. A call can name other marks one by one. Where the rules leave a choice of a
/// stage (`Physical stress or Mental stress`), the call's `track` makes it.
///
/// # Errors
/// When the rules leave a choice that the call does not make.
pub(super) fn take(hit: &mut Hit<'_>, line: &DamageLine, chosen: Option<&str>) -> Result<(), Refusal> {
    let mut stages: Vec<&Soak> = Vec::new();
    for stage in &line.stages {
        let own: Vec<&Soak> = stage.iter().filter_map(|name| hit.system.soak(name)).collect();
        if own.is_empty() {
            chain::take_stage(hit, line, stage, chosen)?;
            continue;
        }
        let named = own.iter().find(|own| chosen == Some(own.name.as_str()));
        match (own.as_slice(), named) {
            (_, Some(named)) => stages.push(named),
            // What is named stands in a later stage: it alone takes the hit.
            _ if chosen.is_some() && stages.is_empty() => {}
            ([only], None) => stages.push(only),
            (several, None) => {
                let open: Vec<Track> = several.iter().map(|own| as_track(hit, own)).collect();
                let most = open.iter().map(|own| own.max).max();
                let room = open.iter().position(|own| hit.unasked && Some(own.max) == most);
                match room.and_then(|at| several.get(at)) {
                    Some(own) => stages.push(own),
                    None => return Err(which_track(hit, line, &open)),
                }
            }
        }
    }
    if hit.left > 0 {
        soak(hit, &stages);
    }
    Ok(())
}

/// All marks of one name as one track, for a question: what is left of them.
fn as_track(hit: &Hit<'_>, soak: &Soak) -> Track {
    let left =
        free_marks(hit, soak).into_iter().map(|(worth, row)| worth * row.max.map_or(1, |max| max - row.value)).sum();
    Track { character: hit.target.id, name: soak.name.clone(), value: left, min: 0, max: Some(left), fixed: false }
}

/// Clears the dearest marks that the healing is enough for.
pub(super) fn heal(hit: &mut Hit<'_>, line: &DamageLine, chosen: Option<&str>) {
    let names = line.members().filter(|name| chosen.is_none_or(|chosen| chosen == *name));
    let soaks: Vec<&Soak> = names.filter_map(|name| hit.system.soak(name)).collect();
    for soak in soaks {
        for (worth, row) in marks_by_worth(hit, soak).into_iter().rev() {
            let each = worth.max(1);
            let cleared = row.value.min(hit.left.abs() / each);
            if cleared > 0 {
                let name = row.name.clone();
                hit.move_track(row.clone(), row.value - cleared);
                hit.step(name, hit.left.saturating_add(cleared.saturating_mul(each)));
            }
        }
    }
    if hit.left < 0 {
        hit.step("nothing left to heal", 0);
    }
}

/// The marks by worth, with their tracks.
fn marks_by_worth(hit: &Hit<'_>, soak: &Soak) -> Vec<(i64, Track)> {
    let rows = mark_tracks(hit.target.id, soak).into_iter().map(|row| hit.current(&row));
    soak.marks.iter().map(|mark| mark.worth).zip(rows).collect()
}

fn free_marks(hit: &Hit<'_>, soak: &Soak) -> Vec<(i64, Track)> {
    marks_by_worth(hit, soak).into_iter().filter(|(_, row)| row.max.is_none_or(|max| row.value < max)).collect()
}

/// A choice of marks, each with its worth and the stage that it is of.
type Choice = Vec<(usize, i64, Track)>;

fn soak(hit: &mut Hit<'_>, stages: &[&Soak]) {
    let size = hit.left;
    // Every set of marks, the empty one first.
    let mut sets: Vec<Choice> = vec![Vec::new()];
    for (stage, own) in stages.iter().enumerate() {
        let before = sets.clone();
        let mut of_stage = sets.clone();
        for (worth, row) in free_marks(hit, own) {
            let many = row.max.map_or(1, |max| max - row.value).max(1);
            let many = if own.one_a_hit { 1 } else { many };
            let base = if own.one_a_hit { &before } else { &of_stage };
            let longer: Vec<Choice> = base
                .iter()
                .flat_map(|set| {
                    (1..=many).map_while(|count| {
                        let more = std::iter::repeat_n((stage, worth, row.clone()), usize::try_from(count).ok()?);
                        Some(set.iter().cloned().chain(more).collect::<Choice>())
                    })
                })
                .take(COMBINATIONS_MAX.saturating_sub(sets.len().max(of_stage.len())))
                .collect();
            of_stage.extend(longer);
        }
        sets = of_stage;
    }
    let worth = |choice: &Choice| choice.iter().map(|(_, worth, _)| *worth).sum::<i64>();
    let later = |choice: &Choice| choice.iter().filter(|(stage, ..)| *stage > 0).count();
    let chosen = sets
        .into_iter()
        .filter(|choice| !choice.is_empty() && worth(choice) >= size)
        .min_by_key(|choice| (later(choice), worth(choice), choice.len()));
    let Some(chosen) = chosen else {
        hit.step("nothing soaks it", 0);
        hit.consequences.not_soaked(hit.state, hit.system, size);
        hit.drain();
        return;
    };
    for (_, worth, row) in chosen {
        let now = hit.current(&row);
        let value = now.value + 1;
        let name = now.name.clone();
        hit.move_track(now, value);
        hit.step(name, (hit.left - worth).max(0));
    }
}
