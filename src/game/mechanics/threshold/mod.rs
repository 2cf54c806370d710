//! What follows when a track crosses a threshold: the rules' triggers, each once, and the conditions that begin and end.
//!
//! Every move of a track (damage, an edit by the GM, a lost level) goes through [`Consequences::track_moved`], so that no
//! threshold is missed.

mod conditions;
mod names;

pub use names::{ConditionParameter, canonical_name, check_condition, check_level};

use crate::diagnostic::Place;
use crate::game::mechanics::health::{Vitality, bottom, direction};
use crate::game::mechanics::recovery::recover;
use crate::game::mechanics::values::Values;
use crate::game::record::change::Change;
use crate::game::record::state::{Character, State, Track};
use crate::game::refusal::Refusal;
use crate::names::same;
use crate::rules::{Direction, System, Trigger, TriggerWhen};

/// The consequences for one character, collected before anything is logged.
#[derive(Debug, Clone)]
pub struct Consequences {
    character: i64,
    /// The texts of the triggers that fired, in the order of the rules.
    pub triggers: Vec<String>,
    pub gained: Vec<String>,
    pub lost: Vec<String>,
    /// The rule that decided last.
    pub rule: Option<String>,
    /// Tracks and conditions afterwards.
    pub vitality: Vitality,
    /// Tracks that triggers moved, before and after, in order.
    pub moved: Vec<(Track, Track)>,
    /// The places of the triggers that fired. A track that one of them moves may fire another (the last box of Dying), but
    /// none fires twice in a call, so the rules cannot loop.
    fired: Vec<String>,
    conditions: Vec<Change>,
}

impl Consequences {
    /// Nothing has moved yet.
    pub fn new(state: &State, character: i64) -> Consequences {
        Consequences {
            character,
            triggers: Vec::new(),
            gained: Vec::new(),
            lost: Vec::new(),
            rule: None,
            vitality: Vitality::of(state, character),
            moved: Vec::new(),
            fired: Vec::new(),
            conditions: Vec::new(),
        }
    }

    /// Fires each trigger whose threshold the move crosses, and ends what a trigger brought when the move crosses it
    /// backwards. `hit` is the size of the hit; 0 without one.
    pub fn track_moved(&mut self, state: &State, system: &System, before: &Track, after: &Track, hit: i64) {
        let spent: Vec<bool> = system.triggers.iter().map(|own| self.enough_at_zero(system, own)).collect();
        self.vitality.set_track(after);
        let mut fired = Vec::new();
        for (trigger, were_spent) in system.triggers.iter().zip(spent) {
            let are_spent = self.enough_at_zero(system, trigger);
            if fires(system, trigger, before, after, hit) || (!were_spent && are_spent) {
                fired.push(trigger);
            } else if leaves(system, trigger, before, after) || (were_spent && !are_spent) {
                self.end_unless_held(state, system, trigger);
            }
        }
        self.fire(state, system, &fired);
    }

    /// Ends what the trigger brought, unless another one that brings it still does: of two legs one may be lame.
    fn end_unless_held(&mut self, state: &State, system: &System, trigger: &Trigger) {
        let is_alike =
            |other: &&Trigger| trigger.conditions.iter().any(|name| other.conditions.iter().any(|own| same(own, name)));
        let alike = || system.triggers.iter().filter(is_alike);
        let holds = |other: &Trigger| {
            let track = self.vitality.track(other.when.track());
            other.place != trigger.place && track.is_some_and(|track| is_reached(system, other, track) == Some(true))
        };
        if alike().any(holds) {
            return;
        }
        self.end_brought_by(state, &trigger.place.to_string());
        for other in alike().filter(|other| is_reached_by_track(&other.when)) {
            self.end_brought_by(state, &other.place.to_string());
        }
    }

    /// Whether as many tracks are at zero as the trigger names.
    fn enough_at_zero(&self, system: &System, trigger: &Trigger) -> bool {
        matches!(&trigger.when, TriggerWhen::ManyAtZero { many, of } if self.vitality.count_at_end(system, of) >= *many)
    }

    /// A hit that found no box and no slot.
    pub fn hit_unsoaked(&mut self, state: &State, system: &System) {
        let unsoaked = system.triggers.iter().filter(|trigger| trigger.when == TriggerWhen::Unsoaked);
        self.fire(state, system, &unsoaked.collect::<Vec<_>>());
    }

    /// Fires the triggers on a hit of this size.
    pub fn hit_landed(&mut self, state: &State, system: &System, who: &Character, size: i64) -> Result<(), Refusal> {
        let mut hard = Vec::new();
        for trigger in &system.triggers {
            if let TriggerWhen::OneHitOf { least } = &trigger.when {
                let least = Values::of(state, system, who).bind(least)?.constant();
                hard.extend(least.filter(|least| size > 0 && size >= *least).map(|_| trigger));
            }
        }
        self.fire(state, system, &hard);
        Ok(())
    }

    /// Begins the conditions of a mark that has no room, by the rule at `place`.
    pub fn mark_without_room(&mut self, state: &State, system: &System, conditions: &[String], place: &Place) {
        let place = place.to_string();
        for name in conditions {
            self.triggers.push(name.clone());
            self.raise_condition(state, system, name, &place);
        }
        self.rule = Some(place);
    }

    /// Begins the conditions of these triggers, and only then moves tracks: one trigger may clear what another one checks.
    fn fire(&mut self, state: &State, system: &System, triggers: &[&Trigger]) {
        let mut effects = Vec::new();
        for trigger in triggers {
            let place = trigger.place.to_string();
            if self.fired.contains(&place) {
                continue;
            }
            self.fired.push(place.clone());
            self.triggers.push(trigger.text.clone());
            for name in &trigger.conditions {
                self.raise_condition(state, system, name, &place);
            }
            // `with a major wound, dying`: a wound of this same hit counts.
            for also in
                trigger.also.iter().filter(|also| self.vitality.has_condition(&also.condition)).collect::<Vec<_>>()
            {
                for name in &also.conditions {
                    self.raise_condition(state, system, name, &place);
                }
            }
            effects.extend(&trigger.effects);
            self.rule = Some(place);
        }
        for effect in effects {
            for (before, after) in recover(&self.vitality, system, effect, 0) {
                self.moved.push((before.clone(), after.clone()));
                self.track_moved(state, system, &before, &after, 0);
            }
        }
    }
}

/// Whether the move crosses the trigger's threshold, or the hit is of the size it names.
pub fn fires(system: &System, trigger: &Trigger, before: &Track, after: &Track, hit: i64) -> bool {
    if !same(trigger.when.track(), &after.name) {
        return false;
    }
    let left_over = hit - (before.value - before.min);
    let one_hit = |of: fn(i64, i64) -> bool| hit > 0 && before.max.is_some_and(|max| of(hit, max));
    let is_there = |track: &Track| is_reached(system, trigger, track).unwrap_or(false);
    match &trigger.when {
        TriggerWhen::AtZero { .. }
        | TriggerWhen::AtValue { .. }
        | TriggerWhen::AtPart { .. }
        | TriggerWhen::Full { .. } => !is_there(before) && is_there(after),
        TriggerWhen::AboveZero { .. } => before.value <= bottom(before) && after.value > bottom(after),
        TriggerWhen::Unsoaked | TriggerWhen::ManyAtZero { .. } | TriggerWhen::OneHitOf { .. } => false,
        TriggerWhen::OneHitOfPart { part, more, .. } => {
            hit > 0 && before.max.is_some_and(|max| part.is_reached(hit, max, *more))
        }
        TriggerWhen::OneHitOfMax { .. } => one_hit(|hit, max| hit >= max),
        TriggerWhen::LeftOverOfMax { .. } => {
            after.value == after.min && left_over > 0 && before.max.is_some_and(|max| left_over >= max)
        }
    }
}

/// Whether the move crosses the threshold backwards: the track rises from zero, passes the value again, or is no longer
/// full. A trigger that moves its own track away (`full: trauma; stress clears`) is never reversed.
pub fn leaves(system: &System, trigger: &Trigger, before: &Track, after: &Track) -> bool {
    let is_there = |track: &Track| is_reached(system, trigger, track).unwrap_or(false);
    let is_of_it = same(trigger.when.track(), &after.name);
    is_of_it && is_there(before) && !is_there(after) && !trigger.moves(&after.name)
}

/// Whether it waits for where a track is, and not for a hit.
fn is_reached_by_track(when: &TriggerWhen) -> bool {
    matches!(
        when,
        TriggerWhen::AtZero { .. }
            | TriggerWhen::AtValue { .. }
            | TriggerWhen::AtPart { .. }
            | TriggerWhen::Full { .. }
    )
}

/// Whether a track is at the trigger's threshold; `None` for a trigger on hits.
fn is_reached(system: &System, trigger: &Trigger, track: &Track) -> Option<bool> {
    match &trigger.when {
        TriggerWhen::AtZero { .. } => Some(track.value <= bottom(track)),
        TriggerWhen::AtValue { value, .. } => Some(match direction(system, track) {
            Direction::Down => track.value <= *value,
            Direction::Up => track.value >= *value,
        }),
        TriggerWhen::AtPart { part, .. } => track.max.map(|max| match direction(system, track) {
            Direction::Down => !part.is_reached(track.value, max, true),
            Direction::Up => part.is_reached(track.value, max, false),
        }),
        TriggerWhen::Full { .. } => Some(track.max == Some(track.value)),
        _ => None,
    }
}
