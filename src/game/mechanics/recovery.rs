//! What a rest, the end of a scene or a trigger does to tracks: fill, clear, restore points, mark, or move along the dice chain.

use crate::game::mechanics::health::{Vitality, direction, room};
use crate::game::record::state::Track;
use crate::rules::{Direction, RestEffect, System};

/// The tracks that an effect moves, before and after. `amount` is the total of its dice; from boxes and slots that many
/// points of marks are cleared, the most severe first.
pub fn recover(vitality: &Vitality, system: &System, effect: &RestEffect, amount: i64) -> Vec<(Track, Track)> {
    let name = effect.track();
    if let RestEffect::Marks { count, .. } = effect {
        return add_marks(tracks_named(vitality, system, name), system, i64::from(*count));
    }
    let mut left = amount.max(0);
    let mut better = |track: &Track| {
        let high = track.max.unwrap_or(i64::MAX);
        let value = match direction(system, track) {
            Direction::Down => track.value.saturating_add(left).min(high),
            Direction::Up => track.value.saturating_sub(left).max(track.min),
        };
        left -= (value - track.value).abs();
        value
    };
    let moved = tracks_named(vitality, system, name).into_iter().map(|before| {
        let value = match effect {
            RestEffect::ToMax { .. } => before.max.unwrap_or(before.value),
            RestEffect::Clears { .. } => before.min,
            RestEffect::ToZero { .. } => before.max.map_or(0, |max| max.min(0)).max(before.min),
            RestEffect::Steps { sizes, steps, .. } => {
                let to = RestEffect::stepped(sizes, before.value, *steps).unwrap_or(before.min);
                before.max.map_or(to, |max| to.min(max)).max(before.min)
            }
            RestEffect::Gives { .. } | RestEffect::Marks { .. } => better(&before),
        };
        (before.clone(), Track { value, ..before })
    });
    moved.filter(|(before, after)| before != after).collect()
}

/// Adds marks, the least severe first; marks without room are dropped.
fn add_marks(tracks: Vec<Track>, system: &System, count: i64) -> Vec<(Track, Track)> {
    let mut left = count;
    let moved = tracks.into_iter().rev().map(|before| {
        let taken = left.min(room(system, &before));
        left -= taken;
        let value = match direction(system, &before) {
            Direction::Down => before.value - taken,
            Direction::Up => before.value + taken,
        };
        (before.clone(), Track { value, ..before })
    });
    moved.filter(|(before, after)| before != after).collect()
}

/// Adds a track's move to the others; a track that moved before keeps its first "before".
pub fn merge_move(moved: &mut Vec<(Track, Track)>, before: Track, after: Track) {
    match moved.iter_mut().find(|(_, last)| last.name == after.name) {
        Some((_, last)) => *last = after,
        None => moved.push((before, after)),
    }
}

/// The track of that name, or the tracks that hold the marks of that name, the most severe first.
pub fn tracks_named(vitality: &Vitality, system: &System, name: &str) -> Vec<Track> {
    let marks = system.marked_named(name).map_or_else(Vec::new, |harm| harm.marks());
    let marked: Vec<Track> = marks.iter().rev().filter_map(|marks| vitality.track(&marks.name).cloned()).collect();
    if marked.is_empty() { vitality.track(name).cloned().into_iter().collect() } else { marked }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::SourceFile;
    use crate::game::record::state::State;

    #[test]
    fn each_effect_moves_what_it_names_and_no_further_than_its_ends() {
        let text = "# T\n\n## Health\n\n- Hit points: max `10`, from 0\n- Stress: 9 boxes\n- Harm: boxes 1, 2\n- Rest: 3 hit points, 3 stress, \
                    1 harm\n- Long rest: hit points to max, stress clears, harm clears\n";
        let system = crate::rules::read(vec![SourceFile::new("System.md", text)]).system;
        let mut state = State::default();
        for (name, value, max) in [("Hit points", 5, 10), ("Stress", 2, 9), ("Harm (1)", 1, 1), ("Harm (2)", 1, 1)] {
            let track = Track { character: 1, name: name.to_owned(), value, min: 0, max: Some(max), fixed: false };
            state.tracks.insert((1, name.to_owned()), track);
        }
        let vitality = Vitality::of(&state, 1);
        let after = |rest: usize, amount| -> Vec<(String, i64)> {
            let effects = system.rests[rest].effects.iter();
            let moved = effects.flat_map(|effect| recover(&vitality, &system, effect, amount));
            moved.map(|(_, after)| (after.name, after.value)).collect()
        };
        let named =
            |rows: &[(&str, i64)]| rows.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect::<Vec<_>>();
        assert_eq!(after(0, 3)[..2], named(&[("Hit points", 8), ("Stress", 0)]));
        assert_eq!(after(0, 1)[2..], named(&[("Harm (2)", 0)]), "the dearest mark");
        assert_eq!(after(1, 0), named(&[("Hit points", 10), ("Stress", 0), ("Harm (2)", 0), ("Harm (1)", 0)]));
    }
}
