//! A hit on its way: what is left of it, what each step took, and the tracks it has moved.
//!
//! Every step takes points: `before - after` of a step of the arithmetic, the way a track moved of a track's step. Together
//! they are the amount, exactly; what nothing could take is the last step, "past the end of …".

use crate::game::mechanics::recovery::merge;
use crate::game::mechanics::threshold::Crossing;
use crate::game::record::event::{Eased, Step};
use crate::game::record::state::{Character, State, Track};
use crate::rules::System;

/// A hit on its way, or healing.
pub(super) struct Hit<'a> {
    pub state: &'a State,
    pub system: &'a System,
    pub target: &'a Character,
    /// Points on their way; below zero they heal.
    pub left: i64,
    pub steps: Vec<Step>,
    /// Tracks before and after, in the order they were reached; one that was reached and did not move is among them.
    pub moved: Vec<(Track, Track)>,
    pub crossing: Crossing,
    /// What stood before it, when it reaches what it falls on.
    pub eased: Option<Eased>,
}

impl<'a> Hit<'a> {
    /// `amount` points, of which nothing has been taken.
    pub fn new(state: &'a State, system: &'a System, target: &'a Character, amount: i64) -> Self {
        let crossing = Crossing::new(state, target.id);
        Hit { state, system, target, left: amount, steps: Vec::new(), moved: Vec::new(), crossing, eased: None }
    }

    /// A step after which `after` points are left.
    pub fn step(&mut self, step: impl Into<String>, after: i64) {
        self.steps.push(Step { step: step.into(), before: self.left, after });
        self.left = after;
    }

    /// Remembers what the steps so far made of the amount.
    pub fn arrives(&mut self) {
        // `Resistance (cold, fire): half, rounded down`; `half, rounded down` alone is the call's own.
        let name = |step: &Step| match step.step.split_once(": ") {
            Some((name, _)) => name.to_owned(),
            None => step.step.split(',').next().unwrap_or_default().to_owned(),
        };
        let by = self.steps.iter().map(name);
        self.eased = (!self.steps.is_empty()).then(|| Eased { left: self.left.abs(), by: by.collect() });
    }

    /// A track as it stands now, or as `fresh` while there is none.
    pub fn now(&self, fresh: &Track) -> Track {
        self.crossing.standing.track(&fresh.name).unwrap_or(fresh).clone()
    }

    /// Moves a track and brings what its ends bring. `size` is the size of the blow.
    pub fn moves(&mut self, before: Track, value: i64, size: i64) {
        let after = Track { value, ..before.clone() };
        self.becomes(before, after, size);
    }

    /// The same where its maximum may change, too.
    pub fn becomes(&mut self, before: Track, after: Track, size: i64) {
        self.crossing.cross(self.state, self.system, &before, &after, size);
        merge(&mut self.moved, before, after);
    }

    /// Takes over the tracks that triggers moved.
    pub fn settle(&mut self) {
        for (before, after) in std::mem::take(&mut self.crossing.moved) {
            merge(&mut self.moved, before, after);
        }
    }
}
