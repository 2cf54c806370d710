//! The conditions that come and go: gathered while tracks move, written when all is decided.

use std::collections::BTreeMap;

use super::Crossing;
use super::levels::{levelled, lowest, spelt};
use crate::game::limits::{self, LIMITS};
use crate::game::mechanics::duration;
use crate::game::mechanics::health::DEAD;
use crate::game::record::change::{Change, Images};
use crate::game::record::event::Field;
use crate::game::record::state::{Condition, State};
use crate::game::refusal::Refusal;
use crate::names::same;
use crate::rules::System;

impl Crossing {
    /// Ends what the rule at `place` brought, before this call or in it.
    pub(super) fn end(&mut self, state: &State, place: &str) {
        let ends = |own: &Condition| own.source == place && !same(&own.name, DEAD);
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
        self.standing.gained(&name);
        // A condition that this very call ends and brings again just stays.
        if let Some(ended) = self.lost.iter().position(|lost| same(lost, &name)) {
            self.lost.remove(ended);
            self.conditions.retain(|change| match change {
                Change::Condition(Images { before: Some(row), after: None }) => !same(&row.name, &name),
                _ => true,
            });
        }
        if self.pending().any(|row| same(&row.name, &name)) {
            return;
        }
        let images = match state.conditions_of(self.character).find(|row| same(&row.name, &name)) {
            Some(known) if level.is_none() || level == known.level => return,
            Some(known) => Images::changed(known.clone(), Condition { level, ..known.clone() }),
            None => {
                let level = level.or_else(|| lowest(system, &name));
                let name = spelt(system, &name);
                Images::made(Condition {
                    character: self.character,
                    name,
                    source: source.to_owned(),
                    level,
                    ..Condition::default()
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
                Change::Condition(Images::made(duration::started(state, system, Condition { since, ..row })))
            }
            other => other,
        });
        stamped.chain(combatants).collect()
    }
}
