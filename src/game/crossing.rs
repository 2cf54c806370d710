//! What the movement of a track brings: the rules' triggers, once a crossing, and the conditions that come and go.
//!
//! Whatever moves a track (a wound, the GM's pen, a lost level) goes through [`Crossing::cross`], so that nobody
//! reaches zero without what the rules say happens there.

use std::collections::BTreeMap;

use crate::diagnostic::Place;
use crate::game::combat::clock;
use crate::game::entry::{Change, Images};
use crate::game::event::Field;
use crate::game::limits::{self, LIMITS};
use crate::game::mend::mended;
use crate::game::refusal::Refusal;
use crate::game::standing::{DEAD, Standing, bottom, direction};
use crate::game::state::{Condition, State, Track};
use crate::names::{fold, same};
use crate::rules::{Direction, System, Trigger, TriggerWhen};

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

    /// Ends what the rule at `place` brought, before this call or in it.
    fn end(&mut self, state: &State, place: &str) {
        let ends = |own: &Condition| own.source == place && fold(&own.name) != DEAD;
        let own: Vec<Condition> = state.conditions_of(self.character).filter(|own| ends(own)).cloned().collect();
        own.into_iter().for_each(|condition| self.lose(condition));
        let (ended, stays) = std::mem::take(&mut self.conditions).into_iter().partition(|change| match change {
            Change::Condition(Images { before: None, after: Some(row) }) => ends(row),
            _ => false,
        });
        self.conditions = stays;
        let ended: Vec<Change> = ended;
        for change in ended {
            if let Change::Condition(Images { after: Some(row), .. }) = change {
                self.standing.lost(&row.name);
                self.gained.retain(|label| *label != row.label());
            }
        }
    }

    /// The conditions before and after as a field of the sheet, where they change.
    pub fn field(&self, state: &State) -> Option<Field> {
        if self.gained.is_empty() && self.lost.is_empty() {
            return None;
        }
        let before: Vec<String> = state.conditions_of(self.character).map(Condition::label).collect();
        let after = self.conditions(state);
        let text = |names: &[String]| Some(if names.is_empty() { "none".to_owned() } else { names.join(", ") });
        Some(Field { field: "conditions".to_owned(), before: text(&before), after: text(&after) })
    }

    /// Brings a condition, unless it is there already; `Frightened 2` brings it at that level, or to it.
    pub fn gain(&mut self, state: &State, system: &System, name: &str, source: &str) {
        let (name, level) = levelled(system, name);
        let wanted = fold(&name);
        self.standing.gained(&name);
        // A condition that this very call ends and brings again just stays.
        if let Some(ended) = self.lost.iter().position(|lost| fold(lost) == wanted) {
            self.lost.remove(ended);
            self.conditions.retain(|change| match change {
                Change::Condition(Images { before: Some(row), after: None }) => fold(&row.name) != wanted,
                _ => true,
            });
        }
        if self.pending().any(|row| fold(&row.name) == wanted) {
            return;
        }
        let images = match state.conditions_of(self.character).find(|row| fold(&row.name) == wanted) {
            Some(known) if level.is_none() || level == known.level => return,
            Some(known) => Images::changed(known.clone(), Condition { level, ..known.clone() }),
            None => {
                let level = level.or_else(|| lowest(system, &name));
                let name = spelt(system, &name);
                Images::made(Condition {
                    character: self.character,
                    name,
                    since: 0,
                    source: source.to_owned(),
                    level,
                    lasts: None,
                    caused_by: None,
                    group_name: None,
                    until: None,
                })
            }
        };
        self.gained.extend(images.after.as_ref().map(Condition::label));
        self.conditions.push(Change::Condition(images));
    }

    /// Says of a condition what ends it and where it comes from: of one that comes, or of one that is there and begins anew. Answers the
    /// row that changes.
    pub fn hold(&mut self, state: &State, name: &str, held: impl Fn(&mut Condition)) -> Option<&Condition> {
        let is = |row: &Condition| [&row.name, &row.label()].into_iter().any(|own| same(own, name));
        if !self.pending().any(&is) {
            let known = state.conditions_of(self.character).find(|row| is(row))?.clone();
            self.gained.push(known.label());
            self.conditions.push(Change::Condition(Images::changed(known.clone(), known)));
        }
        let coming = self.conditions.iter_mut().find_map(|change| match change {
            Change::Condition(Images { after: Some(row), .. }) if is(row) => Some(row),
            _ => None,
        });
        coming.map(|row| {
            held(row);
            &*row
        })
    }

    /// The conditions that come, or change their level.
    fn pending(&self) -> impl Iterator<Item = &Condition> {
        self.conditions.iter().filter_map(|change| match change {
            Change::Condition(images) => images.after.as_ref(),
            _ => None,
        })
    }

    /// All conditions afterwards, with their levels, by name.
    pub fn conditions(&self, state: &State) -> Vec<String> {
        let mut after: BTreeMap<&str, String> =
            state.conditions_of(self.character).map(|row| (row.name.as_str(), row.label())).collect();
        self.lost.iter().for_each(|lost| drop(after.remove(lost.as_str())));
        after.extend(self.pending().map(|row| (row.name.as_str(), row.label())));
        after.into_values().collect()
    }

    /// Ends a condition.
    pub fn lose(&mut self, condition: Condition) {
        if self.lost.contains(&condition.name) {
            return;
        }
        self.standing.lost(&condition.name);
        self.lost.push(condition.name.clone());
        self.conditions.push(Change::Condition(Images::gone(condition)));
    }

    /// A refusal when somebody would have more conditions than there is room for.
    pub fn bounds(&self, state: &State) -> Result<(), Refusal> {
        limits::count("conditions", state.conditions_of(self.character).count() + self.gained.len(), LIMITS.conditions)
    }

    /// The rows that change beside the tracks: conditions, since the entry `since`, and who stands in the fight.
    pub fn changes(self, state: &State, system: &System, since: i64) -> Vec<Change> {
        let combatants = self.standing.combatants(state, system);
        let stamped = self.conditions.into_iter().map(|change| match change {
            Change::Condition(Images { before: None, after: Some(row) }) => {
                Change::Condition(Images::made(clock::started(state, system, Condition { since, ..row })))
            }
            other => other,
        });
        stamped.chain(combatants).collect()
    }
}

/// A refusal when a condition is named at a level that the rules do not give it.
pub fn level_in_range(system: &System, text: &str) -> Result<(), Refusal> {
    let Some((name, level)) = text.trim().rsplit_once(' ') else { return Ok(()) };
    match (system.condition(name).and_then(|rule| Some((rule, rule.levels?))), level.parse::<i64>()) {
        (Some((rule, (low, high))), Ok(level)) if !(low..=high).contains(&level) => {
            let near = if level < low { low } else { high };
            let summary =
                format!("{} goes from {low} to {high}, not to {level}. Send \"{} {near}\".", rule.name, rule.name);
            Err(Refusal::new("invalid_parameters", summary).at(rule.place.to_string()))
        }
        _ => Ok(()),
    }
}

/// The level at which a condition begins that the rules count.
fn lowest(system: &System, name: &str) -> Option<i64> {
    system.condition(name)?.levels.map(|(low, _)| low)
}

/// `Frightened 2` where the rules count Frightened: the name and the level, held within its range. One that they count and
/// that comes without a level begins at the lowest.
fn levelled(system: &System, text: &str) -> (String, Option<i64>) {
    let range = |name: &str| system.condition(name)?.levels;
    let split = text.trim().rsplit_once(' ').and_then(|(name, level)| Some((name, level.parse::<i64>().ok()?)));
    match split.and_then(|(name, level)| Some((name, level, range(name)?))) {
        Some((name, level, (low, high))) => (name.to_owned(), Some(level.clamp(low, high.max(low)))),
        None => (text.to_owned(), None),
    }
}

/// A condition's name as the author spells it, under Conditions or where it comes about; one that is the GM's own is in
/// lower case, as sentences have it.
pub fn spelt(system: &System, name: &str) -> String {
    let declared = system.conditions.iter().map(|rule| &rule.name);
    let brought = system.triggers.iter().flat_map(|trigger| &trigger.conditions);
    let known = declared.chain(brought).find(|known| fold(known) == fold(name));
    let spelt = known.cloned().unwrap_or_else(|| name.to_lowercase());
    spelt.split_whitespace().collect::<Vec<&str>>().join(" ")
}

fn fires(system: &System, trigger: &Trigger, before: &Track, after: &Track, hit: i64) -> bool {
    if fold(trigger.when.track()) != fold(&after.name) {
        return false;
    }
    let left_over = hit - (before.value - before.min);
    let one_hit = |of: fn(i64, i64) -> bool| hit > 0 && before.max.is_some_and(|max| of(hit, max));
    let is_there = |track: &Track| is_there(system, trigger, track).unwrap_or(false);
    match &trigger.when {
        TriggerWhen::AtZero { .. } | TriggerWhen::AtValue { .. } | TriggerWhen::Full { .. } => {
            !is_there(before) && is_there(after)
        }
        TriggerWhen::Unsoaked | TriggerWhen::ManyAtZero { .. } => false,
        TriggerWhen::OneHitOfHalfMax { .. } => one_hit(|hit, max| hit * 2 >= max),
        TriggerWhen::OneHitOfMax { .. } => one_hit(|hit, max| hit >= max),
        TriggerWhen::LeftOverOfMax { .. } => {
            after.value == after.min && left_over > 0 && before.max.is_some_and(|max| left_over >= max)
        }
    }
}

/// Whether the track leaves what the trigger waits for: it rises from zero, passes the value again, or is no longer full. What a
/// trigger brings that itself moves its track away (`full: trauma; stress clears`) is meant to stay.
fn leaves(system: &System, trigger: &Trigger, before: &Track, after: &Track) -> bool {
    let is_there = |track: &Track| is_there(system, trigger, track).unwrap_or(false);
    let is_of_it = fold(trigger.when.track()) == fold(&after.name);
    is_of_it && is_there(before) && !is_there(after) && !trigger.moves(&after.name)
}

/// Whether a track stands where a trigger waits for it; none for a trigger that waits for a blow.
fn is_there(system: &System, trigger: &Trigger, track: &Track) -> Option<bool> {
    match &trigger.when {
        TriggerWhen::AtZero { .. } => Some(track.value <= bottom(track)),
        TriggerWhen::AtValue { value, .. } => Some(match direction(system, track) {
            Direction::Down => track.value <= *value,
            Direction::Up => track.value >= *value,
        }),
        TriggerWhen::Full { .. } => Some(track.max == Some(track.value)),
        _ => None,
    }
}
