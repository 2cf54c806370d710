//! A hit while it is worked out: what is left of it, its steps, the tracks it moved; and hits on the points of a track.
//!
//! Every step takes points: `before - after` of a step of the arithmetic, the distance moved of a track's step. Together
//! they are exactly the amount; what nothing could take is the last step, "past the end of …".

use crate::mechanics::health::direction;
use crate::mechanics::recovery::merge_move;
use crate::mechanics::threshold::Consequences;
use crate::record::event::{Mitigated, Step};
use crate::record::state::{Character, State, Track};
use rollbook_rules::{Direction, System};

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
        Hit { state, system, target, left: amount, steps, moved, consequences, mitigated: None, unasked: false }
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

    /// Moves a track, with what follows from it.
    pub fn move_track(&mut self, before: Track, value: i64) {
        let after = Track { value, ..before.clone() };
        self.change_track(before, after);
    }

    /// The same where its maximum may change too.
    pub fn change_track(&mut self, before: Track, after: Track) {
        merge_move(&mut self.moved, before.clone(), after.clone());
        self.consequences.track_moved(self.state, self.system, &before, &after);
        self.drain();
    }

    /// Adds the tracks that triggers moved.
    pub fn drain(&mut self) {
        for (before, after) in std::mem::take(&mut self.consequences.moved) {
            merge_move(&mut self.moved, before, after);
        }
    }

    /// What is left of damage when all that it takes is at its end.
    pub fn leave_over(&mut self) {
        let left = self.left;
        add_last_step(self);
        if left > 0 {
            self.consequences.left_over(self.state, self.system, left);
            self.drain();
        }
    }
}

/// Moves a track by what is left of the hit; the rest is past its end, and of what is health left over.
pub(super) fn hit_track(hit: &mut Hit<'_>, track: Track, is_health: bool) {
    take_from(hit, track);
    if is_health { hit.leave_over() } else { add_last_step(hit) }
}

/// Grants points that stand before others: the larger grant stays where the rules say so, else they add up.
pub(super) fn grant(hit: &mut Hit<'_>, track: Track) {
    let granted = hit.left.abs();
    let keeps_larger = hit.system.track(&track.name).is_ok_and(|own| own.keeps_larger);
    let value = if keeps_larger { track.value.max(granted) } else { track.value.saturating_add(granted) };
    let used = value - track.value;
    hit.steps.push(Step { step: track.name.clone(), before: track.value, after: value });
    if used < granted {
        hit.steps.push(Step { step: "the larger is kept".to_owned(), before: granted - used, after: 0 });
    }
    hit.left = 0;
    // Points that the GM set on the sheet have a maximum.
    let after = Track { value, max: track.max.filter(|max| *max >= value), ..track.clone() };
    hit.change_track(track, after);
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
    let name = track.name.clone();
    hit.move_track(track, value);
    // Points without room go where the rules send them.
    if hit.left > 0 && Consequences::has_over(hit.system, &name) {
        let over = hit.left;
        hit.step(format!("over {name}"), 0);
        hit.consequences.found_no_room(hit.state, hit.system, &name, over);
        hit.drain();
    }
}

/// Adds the last step: what nothing took.
pub(super) fn add_last_step(hit: &mut Hit<'_>) {
    if hit.left != 0 {
        let past = hit.left.abs();
        hit.steps.push(Step { step: "past the end of the track".to_owned(), before: past, after: 0 });
    }
}
