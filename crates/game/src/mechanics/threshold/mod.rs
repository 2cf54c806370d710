//! What follows when a track crosses a threshold or a hit lands: the rules' triggers, each once,
//! and the conditions that begin and end.
//!
//! Every move of a track (damage, an edit by the GM, a lost level) goes through
//! [`Consequences::track_moved`], so that no threshold is missed.

mod conditions;

pub use conditions::{ConditionParameter, canonical_name, check_condition, check_level};

use crate::mechanics::tracks::{from_rules, merge_move, moved};
use crate::record::state::{Condition, State, Track};
use crate::{mechanics::health::Vitality, mechanics::values::Values, record::change::Images};
use rollbook_rules::{Act, Effect, Facts, Move, Range, System, Trigger, TriggerWhen, When};
use rollbook_text::names::{fold, same};
use std::{borrow::Cow, collections::BTreeSet};

/// The consequences for one character, collected before anything is logged.
#[derive(Debug, Clone, Default)]
pub struct Consequences {
    character: i64,
    /// The texts of the triggers that fired, in the order of the rules.
    pub triggers: Vec<String>,
    /// Of those that change nothing themselves, and so are the GM's to carry out.
    pub words: Vec<String>,
    pub gained: Vec<String>,
    pub lost: Vec<String>,
    /// The rule that decided last.
    pub rule: Option<String>,
    /// Tracks and conditions afterwards.
    pub vitality: Vitality,
    /// Tracks that effects moved, before and after, in order.
    pub moved: Vec<(Track, Track)>,
    /// What moves of that which all share, each by how much.
    pub shared: Vec<(Effect, i64)>,
    /// Moves that wait until a hit has moved its track: each with number, rule and hit.
    waiting: Vec<(Effect, i64, String, i64)>,
    /// The places of the triggers that fired. A track that one of them moves may fire another (the
    /// last box of Dying), but none fires twice in a call, so the rules cannot loop.
    fired: BTreeSet<String>,
    /// Names that an amount needs and that nothing gives a number.
    missing: BTreeSet<String>,
    conditions: Vec<Images<Condition>>,
}

/// What an effect of a rule is carried out with.
#[derive(Debug, Clone, Copy)]
pub struct By<'a> {
    /// Where the rule is written.
    pub place: &'a str,
    /// What came through of a hit.
    pub hit: i64,
    /// How many times it moves a track.
    pub times: i64,
}

impl<'a> By<'a> {
    pub fn rule(place: &'a str) -> By<'a> {
        By {
            place,
            hit: 0,
            times: 1,
        }
    }
}

impl Consequences {
    pub fn new(state: &State, character: i64) -> Consequences {
        Consequences {
            character,
            vitality: Vitality::of(state, character),
            ..Consequences::default()
        }
    }

    /// The values of the character's names by now.
    pub fn values<'v>(&'v self, state: &'v State, system: &'v System) -> Values<'v> {
        Values {
            now: Some(&self.vitality),
            ..Values::of(state, system, state.characters.get(&self.character))
        }
    }

    /// What is known of the sheet where a condition or a range names something of it.
    fn facts(
        &self,
        state: &State,
        system: &System,
        names: Vec<(Cow<'_, str>, Option<i64>)>,
        hit: i64,
    ) -> Facts {
        let values = self.values(state, system);
        let mut facts = Facts::default();
        for (name, default) in names {
            let folded = fold(&name);
            // One that is named again has no other value.
            if default.is_none() && facts.values.contains_key(&folded) {
                continue;
            }
            let value = if folded == HIT {
                Some(hit)
            } else {
                values
                    .look_up((&name, &folded), &|value, _| value)
                    .or(default)
            };
            value.and_then(|value| facts.values.insert(folded, value));
        }
        facts
    }

    /// Whether a number lies in a range of the rules; `None` where a name in it has no number.
    fn lies_in(&self, state: &State, system: &System, number: i64, range: &Range) -> Option<bool> {
        range.holds(
            number.into(),
            &self.facts(state, system, range.variables(), number),
        )
    }

    pub fn holds(&self, state: &State, system: &System, when: &When, hit: i64) -> bool {
        when.holds(&self.facts(state, system, when.variables(), hit))
    }

    /// Whether the trigger's threshold is where the character is now; of one on hits never.
    fn is_met(&self, state: &State, system: &System, trigger: &Trigger) -> bool {
        match &trigger.when {
            TriggerWhen::At { track, range } => {
                let track = self.vitality.track(track);
                track.is_some_and(|track| {
                    self.lies_in(state, system, track.value, range)
                        .unwrap_or(false)
                })
            }
            TriggerWhen::Holds(when) => self.holds(state, system, when, 0),
            TriggerWhen::Over { .. }
            | TriggerWhen::OneHit(_)
            | TriggerWhen::LeftOver(_)
            | TriggerWhen::DamageAt { .. }
            | TriggerWhen::NotSoaked
            | TriggerWhen::Rest(_)
            | TriggerWhen::EndOf(_)
            | TriggerWhen::Round
            | TriggerWhen::Each(_) => false,
        }
    }

    /// Changes something, fires each trigger whose threshold that crosses, and ends what a trigger
    /// brought where it is crossed backwards. One that moves its own track away
    /// (`full: Trauma +1, Stress to 0`) is never reversed.
    fn change(&mut self, state: &State, system: &System, change: impl FnOnce(&mut Self)) {
        let before = Consequences {
            character: self.character,
            vitality: self.vitality.clone(),
            ..Consequences::default()
        };
        change(self);
        // What a trigger that is not met now was matters only where something of it can end.
        let rows = || state.conditions_of(self.character).chain(self.pending());
        let is_of = |row: &Condition, trigger: &Trigger| {
            gains(trigger, row) || row.source == trigger.place.to_string()
        };
        let can_end = |trigger: &Trigger| rows().any(|row| is_of(row, trigger));
        let (mut fired, mut left) = (Vec::new(), Vec::new());
        for trigger in &system.triggers {
            let is_met = self.is_met(state, system, trigger);
            if (!is_met && !can_end(trigger)) || before.is_met(state, system, trigger) == is_met {
                continue;
            }
            if is_met {
                fired.push(trigger);
            } else if !trigger.track().is_some_and(|track| trigger.moves(track)) {
                left.push(trigger);
            }
        }
        left.into_iter()
            .for_each(|trigger| self.end_unless_held(state, system, trigger));
        self.fire(state, system, &fired, 0);
    }

    pub fn track_moved(&mut self, state: &State, system: &System, before: &Track, after: &Track) {
        if self.vitality.track(&before.name).is_none() {
            self.vitality.set_track(before);
        }
        self.change(state, system, |changed| changed.vitality.set_track(after));
    }

    /// Ends the trigger's effects but those that another still has: of two legs one may be lame.
    fn end_unless_held(&mut self, state: &State, system: &System, trigger: &Trigger) {
        let others = system
            .triggers
            .iter()
            .filter(|it| it.place != trigger.place);
        let (met, past): (Vec<&Trigger>, Vec<&Trigger>) = others
            .filter(|other| has_threshold(other))
            .partition(|other| self.is_met(state, system, other));
        self.end_brought(state, |row| {
            let brought = |it: &Trigger| row.source == it.place.to_string();
            let is_of_past = gains(trigger, row) && past.iter().any(|it| brought(it));
            (brought(trigger) || is_of_past) && !met.iter().any(|other| gains(other, row))
        });
    }

    /// The hit has moved what it moves, so that what came of it goes on.
    pub fn hit_is_over(&mut self, state: &State, system: &System) {
        for (effect, amount, place, hit) in std::mem::take(&mut self.waiting) {
            self.apply(
                state,
                system,
                (&effect, amount),
                By {
                    place: &place,
                    hit,
                    times: 1,
                },
            );
        }
    }

    /// A hit that found no mark.
    pub fn not_soaked(&mut self, state: &State, system: &System, hit: i64) {
        let all = system
            .triggers
            .iter()
            .filter(|trigger| trigger.when == TriggerWhen::NotSoaked);
        self.fire(state, system, &all.collect::<Vec<_>>(), hit);
    }

    /// Points of a track that found no room.
    pub fn found_no_room(&mut self, state: &State, system: &System, track: &str, points: i64) {
        for trigger in system
            .triggers
            .iter()
            .filter(|trigger| is_over(trigger, track))
        {
            self.fire_once(state, system, trigger, (0, points));
        }
    }

    /// Whether points that find no room on this track do something.
    pub fn has_over(system: &System, track: &str) -> bool {
        system
            .triggers
            .iter()
            .any(|trigger| is_over(trigger, track))
    }

    /// Fires the triggers on a hit of which so much gets through, before it moves a track, and
    /// their own moves wait for [`Consequences::hit_is_over`]; or those on what is left over of it.
    pub fn fire_on_hit(&mut self, state: &State, system: &System, hit: i64, is_left_over: bool) {
        let mut fired = Vec::new();
        for trigger in &system.triggers {
            let found = match &trigger.when {
                TriggerWhen::OneHit(range) if !is_left_over => Some((hit, range)),
                TriggerWhen::LeftOver(range) if is_left_over => Some((hit, range)),
                TriggerWhen::DamageAt { track, range } if !is_left_over => {
                    self.vitality.track(track).map(|track| (track.value, range))
                }
                _ => None,
            };
            let Some((number, range)) = found else {
                continue;
            };
            match self.lies_in(state, system, number, range) {
                Some(true) => fired.push(trigger),
                Some(false) => {}
                None => {
                    let known = |name: &str| self.values(state, system).get(name).is_some();
                    let names = range.variables().into_iter().map(|(name, _)| name);
                    let missing: Vec<String> = names
                        .filter(|name| !known(name))
                        .map(Cow::into_owned)
                        .collect();
                    self.missing.extend(missing);
                }
            }
        }
        self.fire(state, system, &fired, hit);
    }

    fn fire(&mut self, state: &State, system: &System, triggers: &[&Trigger], hit: i64) {
        for trigger in triggers {
            // One that fires before it may have moved its track away.
            if !has_threshold(trigger) || self.is_met(state, system, trigger) {
                self.fire_once(state, system, trigger, (hit, 1));
            }
        }
    }

    /// Carries out a trigger's effects in their order, unless it fired before.
    fn fire_once(
        &mut self,
        state: &State,
        system: &System,
        trigger: &Trigger,
        (hit, times): (i64, i64),
    ) {
        let place = trigger.place.to_string();
        if !self.fired.insert(format!("{place} {}", trigger.label)) {
            return;
        }
        self.triggers.push(trigger.text.clone());
        if trigger.effects.is_empty() {
            self.words.push(format!("{} ({place})", trigger.text));
        }
        for effect in &trigger.effects {
            let Some(amount) = self.number_of(state, system, effect, hit) else {
                continue;
            };
            let comes_before = matches!(
                trigger.when,
                TriggerWhen::OneHit(_) | TriggerWhen::DamageAt { .. }
            );
            match &effect.act {
                Act::Move(..) if comes_before => {
                    self.waiting
                        .push((effect.clone(), amount, place.clone(), hit))
                }
                _ => self.apply(
                    state,
                    system,
                    (effect, amount),
                    By {
                        place: &place,
                        hit,
                        times,
                    },
                ),
            }
        }
        self.rule = Some(place);
    }

    /// The number of an effect, 0 where it has none; `None` where a name in it has none, which
    /// [`Consequences::check_limits`] refuses.
    pub fn number_of(
        &mut self,
        state: &State,
        system: &System,
        effect: &Effect,
        hit: i64,
    ) -> Option<i64> {
        let Some(amount) = &effect.amount else {
            return Some(0);
        };
        let values = self.values(state, system);
        let bound = amount.bind(&mut |name| {
            if same(name, HIT) {
                Some(hit)
            } else {
                values.get(name)
            }
        });
        match bound {
            Ok(expression) => expression.constant(),
            Err(rollbook_dice::BindError::Missing(names)) => {
                self.missing.extend(names);
                None
            }
            Err(rollbook_dice::BindError::Dice(_)) => None,
        }
    }

    /// Carries out an effect whose number is known; passing time and damage are the caller's.
    pub fn apply(
        &mut self,
        state: &State,
        system: &System,
        (effect, amount): (&Effect, i64),
        by: By<'_>,
    ) {
        if effect
            .only_if
            .as_ref()
            .is_some_and(|when| !self.holds(state, system, when, by.hit))
        {
            return;
        }
        let track = effect.track().unwrap_or_default();
        match &effect.act {
            Act::Move(..) if effect.shared => self.shared.push((effect.clone(), amount)),
            Act::Move(_, Move::Max(sign, _, lasts)) => {
                self.raise_maximum(
                    state,
                    system,
                    (track, sign.apply(amount), lasts.as_ref()),
                    by.place,
                );
            }
            Act::Move(_, motion) => {
                let amount = if matches!(motion, Move::By(..)) {
                    amount.saturating_mul(by.times)
                } else {
                    amount
                };
                self.move_track(state, system, (track, motion), amount);
            }
            Act::Gain {
                condition,
                level,
                lasts,
            } => {
                let name = if level.is_some() {
                    format!("{condition} {amount}")
                } else {
                    condition.clone()
                };
                self.change(state, system, |changed| {
                    changed.raise_condition(state, system, &name, by.place);
                    if let Some(lasts) = lasts {
                        changed.let_last(state, system, condition, lasts);
                    }
                });
            }
            // Whether it is there already or comes in this call.
            Act::Lose { condition } => self.change(state, system, |changed| {
                let known = state
                    .conditions_of(changed.character)
                    .find(|row| same(&row.name, condition));
                known
                    .into_iter()
                    .for_each(|row| changed.end_condition(row.clone()));
                changed.forget(|row: &Condition| same(&row.name, condition));
            }),
            Act::Pass { .. } | Act::Damage { .. } => {}
        }
    }

    /// A condition begins, with what follows; of one that the rules bring a higher level stays.
    pub fn gain(
        &mut self,
        state: &State,
        system: &System,
        (name, by_rule): (&str, bool),
        source: &str,
    ) {
        self.change(state, system, |changed| match by_rule {
            true => changed.raise_condition(state, system, name, source),
            false => changed.begin_condition(state, system, name, source),
        });
    }

    pub fn end(&mut self, state: &State, system: &System, condition: Condition) {
        self.change(state, system, |changed| changed.end_condition(condition));
    }

    fn move_track(
        &mut self,
        state: &State,
        system: &System,
        (name, motion): (&str, &Move),
        amount: i64,
    ) {
        let who = state.characters.get(&self.character);
        let fresh = who.and_then(|who| from_rules(state, system, who, name));
        let found = moved(&self.vitality, system, (name, motion), amount, fresh);
        for (before, after) in found.rows {
            merge_move(&mut self.moved, before.clone(), after.clone());
            self.track_moved(state, system, &before, &after);
        }
        if found.over > 0 {
            self.found_no_room(state, system, name, found.over);
        }
    }
}

fn is_over(trigger: &Trigger, track: &str) -> bool {
    matches!(&trigger.when, TriggerWhen::Over { track: full } if same(full, track))
}
fn gains(trigger: &Trigger, row: &Condition) -> bool {
    trigger.conditions().any(|name| same(name, &row.name))
}
fn has_threshold(trigger: &Trigger) -> bool {
    matches!(trigger.when, TriggerWhen::At { .. } | TriggerWhen::Holds(_))
}

/// What a hit is called in the rules.
const HIT: &str = "hit";
