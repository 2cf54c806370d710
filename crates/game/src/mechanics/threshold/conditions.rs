//! The conditions that begin and end: collected while tracks move, turned into changes at the end.

use std::collections::BTreeMap;

use super::Consequences;
use super::names::{canonical_name, lowest_level, split_level};
use crate::limits::{self, LIMITS};
use crate::mechanics::duration;
use crate::mechanics::recovery::merge_move;
use crate::mechanics::tracks::{maximum_condition, track_of_maximum};
use crate::mechanics::values::Values;
use crate::record::change::{Change, Images};
use crate::record::event::Field;
use crate::record::state::{Condition, DEAD, State, Track};
use crate::refusal::{Code, Refusal};
use rollbook_rules::{Duration, System};
use rollbook_text::names::same;

impl Consequences {
    /// Ends the conditions that the rule at `place` brought, before this call or in it.
    pub fn end_brought_by(&mut self, state: &State, place: &str) {
        let ends = |row: &Condition| row.source == place && !same(&row.name, DEAD);
        let rows: Vec<Condition> = state.conditions_of(self.character).filter(|row| ends(row)).cloned().collect();
        rows.into_iter().for_each(|condition| self.end_condition(condition));
        self.forget(ends);
    }

    /// Takes back the conditions that began in this call and are such.
    pub(super) fn forget(&mut self, is: impl Fn(&Condition) -> bool) {
        self.conditions.retain(|change| match change {
            Change::Condition(Images { before: None, after: Some(row) }) if is(row) => {
                self.vitality.remove_condition(&row.name);
                self.gained.retain(|label| *label != row.label());
                false
            }
            _ => true,
        });
    }

    /// Whether a hidden effect changes.
    pub fn changes_hidden(&self) -> bool {
        !duration::hidden_names(&self.conditions).is_empty()
    }

    /// The conditions before and after as a changed field, without hidden ones; `None` where they stay the same.
    pub fn conditions_field(&self, state: &State) -> Option<Field> {
        if self.gained.is_empty() && self.lost.is_empty() {
            return None;
        }
        let rows = state.conditions_of(self.character).chain(self.pending());
        let hidden: Vec<String> = rows.filter(|row| row.hidden).map(Condition::label).collect();
        let seen = |mut labels: Vec<String>| {
            labels.retain(|label| !hidden.contains(label));
            Some(if labels.is_empty() { "none".to_owned() } else { labels.join(", ") })
        };
        let before = seen(state.conditions_of(self.character).map(Condition::label).collect());
        let after = seen(self.labels_after(state));
        (before != after).then(|| Field { field: "conditions".to_owned(), before, after })
    }

    /// Begins a condition, unless it is there already; `Frightened 2` begins it at level 2, or sets its level.
    pub fn begin_condition(&mut self, state: &State, system: &System, name: &str, source: &str) {
        let (name, level) = split_level(system, name);
        self.vitality.add_condition(&name);
        // A condition that this call ends and begins again stays.
        if let Some(ended) = self.lost.iter().position(|lost| same(lost, &name)) {
            self.lost.remove(ended);
            self.conditions.retain(|change| match change {
                Change::Condition(Images { before: Some(row), after: None }) => !same(&row.name, &name),
                _ => true,
            });
        }
        if self.pending().any(|row| same(&row.name, &name)) {
            return self.raise_pending(&name, level);
        }
        let images = match state.conditions_of(self.character).find(|row| same(&row.name, &name)) {
            Some(known) if level.is_none() || level == known.level => return,
            Some(known) => Images::changed(known.clone(), Condition { level, ..known.clone() }),
            None => {
                let level = level.or_else(|| lowest_level(system, &name));
                let (name, source) = (canonical_name(system, &name), source.to_owned());
                Images::made(Condition { character: self.character, name, source, level, ..Condition::default() })
            }
        };
        self.gained.extend(images.after.as_ref().map(Condition::label));
        self.conditions.push(Change::Condition(images));
    }

    /// Raises the level of a condition that begins or changes already.
    fn raise_pending(&mut self, name: &str, level: Option<i64>) {
        let pending = self.pending_mut(|row| same(&row.name, name));
        let Some(row) = pending.filter(|row| row.level < level) else { return };
        let was = row.label();
        row.level = level;
        let is = row.label();
        match self.gained.iter_mut().find(|label| **label == was) {
            Some(label) => *label = is,
            None => self.gained.push(is),
        }
    }

    /// The same as [`Consequences::begin_condition`] for one that the rules bring: a level that is higher already stays.
    pub fn raise_condition(&mut self, state: &State, system: &System, name: &str, source: &str) {
        let (bare, level) = split_level(system, name);
        let known = |row: &&Condition| same(&row.name, &bare);
        let held = self.pending().find(known).or_else(|| state.conditions_of(self.character).find(known));
        let ended = self.lost.iter().any(|lost| same(lost, &bare));
        let is_higher = held.is_some_and(|row| row.level > level) && level.is_some() && !ended;
        if !is_higher {
            self.begin_condition(state, system, name, source);
        }
    }

    /// Edits a condition that begins, or one that is there; returns the changed row.
    pub fn edit_condition(&mut self, state: &State, name: &str, held: impl Fn(&mut Condition)) -> Option<&Condition> {
        let is = |row: &Condition| [&row.name, &row.label()].into_iter().any(|known| same(known, name));
        if !self.pending().any(&is) {
            let known = state.conditions_of(self.character).find(|row| is(row))?.clone();
            self.gained.push(known.label());
            self.conditions.push(Change::Condition(Images::changed(known.clone(), known)));
        }
        let row = self.pending_mut(is)?;
        held(row);
        Some(row)
    }

    /// The first of the conditions that begin or change and are such.
    fn pending_mut(&mut self, is: impl Fn(&Condition) -> bool) -> Option<&mut Condition> {
        self.conditions.iter_mut().find_map(|change| match change {
            Change::Condition(Images { after: Some(row), .. }) if is(row) => Some(row),
            _ => None,
        })
    }

    /// Lets a condition that begins in this call last so long.
    pub(super) fn let_last(&mut self, state: &State, system: &System, name: &str, lasts: &Duration) {
        if let Some(row) = self.pending_mut(|row| same(&row.name, name)) {
            *row = duration::with_duration(state, system, row.clone(), lasts);
        }
    }

    /// Moves the maximum of a track, by a condition of the name `Hit points max` that has so much as its level: when it ends, the
    /// maximum is what it was.
    pub(super) fn raise_maximum(
        &mut self,
        state: &State,
        system: &System,
        (track, more, lasts): (&str, i64, Option<&Duration>),
        source: &str,
    ) {
        let name = maximum_condition(track);
        let known = state.conditions_of(self.character).find(|row| same(&row.name, &name)).cloned();
        let pending = self.pending().any(|row| same(&row.name, &name));
        if more == 0 || pending || self.vitality.track(track).is_none() {
            return;
        }
        let level = Some(known.as_ref().and_then(|row| row.level).unwrap_or(0).saturating_add(more));
        let (character, source) = (self.character, source.to_owned());
        let new = Condition { character, name: name.clone(), source, ..Condition::default() };
        let after = Some(Condition { level, ..known.clone().unwrap_or(new) });
        let images = Images { before: known, after };
        self.vitality.add_condition(&name);
        self.gained.extend(images.after.as_ref().map(Condition::label));
        self.conditions.push(Change::Condition(images));
        if let Some(lasts) = lasts {
            self.let_last(state, system, &name, lasts);
        }
        self.move_maximum(track, more);
    }

    /// Moves the maximum of a track; more than that nobody has.
    fn move_maximum(&mut self, track: &str, more: i64) {
        let Some(before) = self.vitality.track(track).cloned() else { return };
        let Some(max) = before.max.map(|max| max.saturating_add(more).max(before.min)) else { return };
        let after = Track { value: before.value.min(max), max: Some(max), ..before.clone() };
        self.vitality.set_track(&after);
        merge_move(&mut self.moved, before, after);
    }

    /// The conditions that begin or change.
    fn pending(&self) -> impl Iterator<Item = &Condition> {
        self.conditions.iter().filter_map(|change| match change {
            Change::Condition(images) => images.after.as_ref(),
            _ => None,
        })
    }

    /// All conditions afterwards, with their levels, in the order of their names.
    pub fn labels_after(&self, state: &State) -> Vec<String> {
        let mut after: BTreeMap<&str, String> =
            state.conditions_of(self.character).map(|row| (row.name.as_str(), row.label())).collect();
        self.lost.iter().for_each(|lost| drop(after.remove(lost.as_str())));
        after.extend(self.pending().map(|row| (row.name.as_str(), row.label())));
        after.into_values().collect()
    }

    /// Ends a condition.
    pub fn end_condition(&mut self, condition: Condition) {
        if self.lost.contains(&condition.name) {
            return;
        }
        self.vitality.remove_condition(&condition.name);
        if let (Some(track), Some(level)) = (track_of_maximum(&condition.name), condition.level) {
            self.move_maximum(&track, level.saturating_neg());
        }
        self.lost.push(condition.name.clone());
        self.conditions.push(Change::Condition(Images::gone(condition)));
    }

    /// Refuses more conditions than the limit, and rules that need a number which nothing gives.
    pub fn check_limits(&self, state: &State, system: &System) -> Result<(), Refusal> {
        // Names that nothing gives a number and that a rule needs for this.
        let missing: Vec<String> = self.missing.iter().cloned().collect();
        if !missing.is_empty() {
            let actor = state.characters.get(&self.character);
            let fields = Values::of_optional(state, system, actor).fields_for(&missing).join(" ");
            let (who, missing) = (actor.map_or("…", |who| who.name.as_str()), missing.join(", "));
            let summary = format!(
                "What happens then needs {missing}, which the sheet lacks. Send manage_character action=\"update\" character=\"{who}\" {fields}."
            );
            return Err(Refusal::new(Code::MissingValue, summary));
        }
        limits::count("conditions", state.conditions_of(self.character).count() + self.gained.len(), LIMITS.conditions)
    }

    /// The changed rows besides tracks: conditions, begun by the entry `since`, and combatants who go down or get up.
    pub fn into_changes(self, state: &State, system: &System, since: i64) -> Vec<Change> {
        let combatants = self.vitality.combatant_changes(state, system);
        let moved = self.moved.into_iter().filter(|(before, after)| before != after);
        let moved = moved.map(|(before, after)| Change::Track(Images::changed(before, after)));
        let stamped = self.conditions.into_iter().map(|change| match change {
            Change::Condition(Images { before: None, after: Some(row) }) => Change::Condition(Images::made(
                duration::with_declared_turns(state, system, Condition { since, ..row }),
            )),
            other => other,
        });
        moved.chain(stamped).chain(combatants).collect()
    }
}
