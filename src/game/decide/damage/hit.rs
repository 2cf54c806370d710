//! A hit while it is worked out: what is left of it, its steps, the tracks it moved; and hits on the points of a track.
//!
//! Every step takes points: `before - after` of a step of the arithmetic, the distance moved of a track's step. Together
//! they are exactly the amount; what nothing could take is the last step, "past the end of …".

use crate::game::mechanics::health::direction;
use crate::game::mechanics::recovery::merge_move;
use crate::game::mechanics::threshold::Consequences;
use crate::game::record::event::{Mitigated, Step};
use crate::game::record::state::{Character, State, Track};
use crate::names::same;
use crate::rules::{Direction, System};

/// A hit, or healing.
pub(super) struct Hit<'a> {
    pub state: &'a State,
    pub system: &'a System,
    pub target: &'a Character,
    /// Points left; below zero they heal.
    pub left: i64,
    pub steps: Vec<Step>,
    /// Tracks before and after, in order, including those that did not move.
    pub moved: Vec<(Track, Track)>,
    pub consequences: Consequences,
    /// How many moves of triggers there were when it landed, before it moved a track.
    pub landed: usize,
    /// How `half` and mitigation changed it.
    pub mitigated: Option<Mitigated>,
    /// Nobody can be asked which of several tracks it falls on.
    pub unasked: bool,
}

impl<'a> Hit<'a> {
    /// A hit of `amount` points.
    pub fn new(state: &'a State, system: &'a System, target: &'a Character, amount: i64) -> Self {
        let consequences = Consequences::new(state, target.id);
        let (steps, moved) = (Vec::new(), Vec::new());
        Hit {
            state,
            system,
            target,
            left: amount,
            steps,
            moved,
            consequences,
            landed: 0,
            mitigated: None,
            unasked: false,
        }
    }

    /// Adds a step after which `after` points are left.
    pub fn step(&mut self, step: impl Into<String>, after: i64) {
        self.steps.push(Step { step: step.into(), before: self.left, after });
        self.left = after;
    }

    /// Records how the steps so far changed the amount.
    pub fn record_mitigation(&mut self) {
        // `Resistance (cold, fire): half, rounded down`; `half, rounded down` alone is the call's own.
        let name = |step: &Step| match step.step.split_once(": ") {
            Some((name, _)) => name.to_owned(),
            None => step.step.split(',').next().unwrap_or_default().to_owned(),
        };
        let by = self.steps.iter().map(name);
        self.mitigated = (!self.steps.is_empty()).then(|| Mitigated { left: self.left.abs(), by: by.collect() });
    }

    /// The current track, or `fresh` while there is none.
    pub fn current(&self, fresh: &Track) -> Track {
        self.consequences.vitality.track(&fresh.name).unwrap_or(fresh).clone()
    }

    /// Moves a track, with what follows from it. `size` is the size of the hit.
    pub fn move_track(&mut self, before: Track, value: i64, size: i64) {
        let after = Track { value, ..before.clone() };
        self.change_track(before, after, size);
    }

    /// The same where its maximum may change too.
    pub fn change_track(&mut self, before: Track, after: Track, size: i64) {
        self.consequences.track_moved(self.state, self.system, &before, &after, size);
        merge_move(&mut self.moved, before, after);
    }

    /// Adds the tracks that triggers moved.
    pub fn merge_triggered_moves(&mut self) {
        let mut moved = std::mem::take(&mut self.consequences.moved);
        let later = moved.split_off(self.landed.min(moved.len()));
        // What the size of the hit moved before the hit itself did comes on top of it.
        let (on_top, others): (Vec<_>, Vec<_>) =
            moved.into_iter().partition(|(_, after)| self.moved.iter().any(|(_, own)| own.name == after.name));
        for (before, after) in on_top {
            let Some((_, last)) = self.moved.iter_mut().find(|(_, own)| own.name == after.name) else { continue };
            let value = last.value.saturating_add(after.value - before.value);
            let value = value.min(last.max.unwrap_or(i64::MAX)).max(last.min);
            let from = std::mem::replace(last, Track { value, ..last.clone() });
            let to = last.clone();
            self.consequences.track_moved(self.state, self.system, &from, &to, 0);
        }
        let later = later.into_iter().chain(std::mem::take(&mut self.consequences.moved));
        for (before, after) in others.into_iter().chain(later) {
            merge_move(&mut self.moved, before, after);
        }
    }
}

/// Moves a track by what is left of the hit; the rest is past its end.
pub(super) fn hit_track(hit: &mut Hit<'_>, track: Track) {
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
