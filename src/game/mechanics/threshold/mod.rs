//! What the movement of a track brings: the rules' triggers, once a crossing, and the conditions that come and go.
//!
//! Whatever moves a track (a wound, the GM's pen, a lost level) goes through [`Crossing::cross`], so that nobody
//! reaches zero without what the rules say happens there.

mod bounds;
mod conditions;
mod known;
mod levels;

pub use known::{Sent, known};
pub use levels::{level_in_range, spelt};

use bounds::{fires, leaves};

use crate::diagnostic::Place;
use crate::game::mechanics::health::Standing;
use crate::game::mechanics::recovery::mended;
use crate::game::mechanics::values::Values;
use crate::game::record::change::Change;
use crate::game::record::state::{Character, State, Track};
use crate::game::refusal::Refusal;
use crate::rules::{System, Trigger, TriggerWhen};

/// The consequences for one character, gathered before anything is written.
#[derive(Debug, Clone)]
pub struct Crossing {
    character: i64,
    /// The author's words, in the order of the rules.
    pub triggers: Vec<String>,
    pub gained: Vec<String>,
    pub lost: Vec<String>,
    /// The rule that decided last.
    pub rule: Option<String>,
    /// How the character stands afterwards.
    pub standing: Standing,
    /// Tracks that triggers moved, before and after, in this order.
    pub moved: Vec<(Track, Track)>,
    /// Where the triggers stand that fired. What one of them moves may fire another (the last box of Dying), but none
    /// fires twice in a call, so no rule can go round in a circle.
    fired: Vec<String>,
    conditions: Vec<Change>,
}

impl Crossing {
    /// Nothing has moved yet.
    pub fn new(state: &State, character: i64) -> Crossing {
        Crossing {
            character,
            triggers: Vec::new(),
            gained: Vec::new(),
            lost: Vec::new(),
            rule: None,
            standing: Standing::of(state, character),
            moved: Vec::new(),
            fired: Vec::new(),
            conditions: Vec::new(),
        }
    }

    /// Fires each trigger whose bound was crossed, and ends what the bottom, a value or the last box brought when the track leaves it. `hit` is
    /// the size of the blow; 0 where there was none.
    pub fn cross(&mut self, state: &State, system: &System, before: &Track, after: &Track, hit: i64) {
        let spent: Vec<bool> = system.triggers.iter().map(|own| self.are_spent(system, own)).collect();
        self.standing.moved(after);
        let mut fired = Vec::new();
        for (trigger, were_spent) in system.triggers.iter().zip(spent) {
            let are_spent = self.are_spent(system, trigger);
            if fires(system, trigger, before, after, hit) || (!were_spent && are_spent) {
                fired.push(trigger);
            } else if leaves(system, trigger, before, after) || (were_spent && !are_spent) {
                self.end(state, &trigger.place.to_string());
            }
        }
        self.fire(state, system, &fired);
    }

    /// Whether as many are at zero as the trigger waits for.
    fn are_spent(&self, system: &System, trigger: &Trigger) -> bool {
        matches!(&trigger.when, TriggerWhen::ManyAtZero { many, of } if self.standing.spent(system, of) >= *many)
    }

    /// A hit that found no box and no slot.
    pub fn unsoaked(&mut self, state: &State, system: &System) {
        let unsoaked = system.triggers.iter().filter(|trigger| trigger.when == TriggerWhen::Unsoaked);
        self.fire(state, system, &unsoaked.collect::<Vec<_>>());
    }

    /// A blow of this size reaches somebody.
    pub fn struck(&mut self, state: &State, system: &System, who: &Character, size: i64) -> Result<(), Refusal> {
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

    /// What a mark too many brings, by the rule at `place`.
    pub fn beyond(&mut self, state: &State, system: &System, conditions: &[String], place: &Place) {
        let place = place.to_string();
        for name in conditions {
            self.triggers.push(name.clone());
            self.gain(state, system, name, &place);
        }
        self.rule = Some(place);
    }

    /// Brings what these name, and only then moves what they move: what one of them clears, another may have waited for.
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
                self.gain(state, system, name, &place);
            }
            // `with a major wound, dying`: a wound of this very hit counts.
            for also in trigger.also.iter().filter(|also| self.standing.has(&also.condition)).collect::<Vec<_>>() {
                for name in &also.conditions {
                    self.gain(state, system, name, &place);
                }
            }
            effects.extend(&trigger.effects);
            self.rule = Some(place);
        }
        for effect in effects {
            for (before, after) in mended(&self.standing, system, effect, 0) {
                self.moved.push((before.clone(), after.clone()));
                self.cross(state, system, &before, &after, 0);
            }
        }
    }
}
