//! The conditions that begin and end: collected while tracks move, turned into changes at the end.
//! Their names and levels are checked before: a misspelling of a declared one is refused, since it
//! would have no effect. Another name is the GM's own, and the reply notes that no rule uses it.

use super::Consequences;
use crate::limits::{self, LIMITS};
use crate::mechanics::duration::{self, ConditionDuration};
use crate::mechanics::tracks::{maximum_condition, merge_move};
use crate::record::change::{Change, Images};
use crate::record::state::{Condition, DEAD, State, Track};
use crate::refusal::{Code, Refusal};
use crate::{mechanics::values::Values, record::event::Field};
use rollbook_rules::{Duration, System};
use rollbook_text::names::{
    Slip, fold, listed, misspellings, numbered, quoted, same, slip, suggest,
};
use std::collections::BTreeMap;

impl Consequences {
    /// Ends such conditions that rules brought, before this call or in it, but not death.
    pub fn end_brought(&mut self, state: &State, is_over: impl Fn(&Condition) -> bool) {
        let ends = |row: &Condition| is_over(row) && !same(&row.name, DEAD);
        let rows: Vec<Condition> = state
            .conditions_of(self.character)
            .filter(|row| ends(row))
            .cloned()
            .collect();
        rows.into_iter()
            .for_each(|condition| self.end_condition(condition));
        self.forget(ends);
    }

    pub(super) fn forget(&mut self, is: impl Fn(&Condition) -> bool) {
        self.conditions.retain(|images| match images {
            Images {
                before: None,
                after: Some(row),
            } if is(row) => {
                self.vitality.remove_condition(&row.name);
                self.gained.retain(|label| *label != row.label());
                false
            }
            _ => true,
        });
    }

    pub fn changes_hidden(&self) -> bool {
        self.conditions
            .iter()
            .any(|images| images.both().any(|row| row.hidden))
    }

    /// The conditions before and after as a changed field, without hidden ones; `None`: alike.
    pub fn conditions_field(&self, state: &State) -> Option<Field> {
        if self.gained.is_empty() && self.lost.is_empty() {
            return None;
        }
        let rows = state.conditions_of(self.character).chain(self.pending());
        let hidden: Vec<String> = rows
            .filter(|row| row.hidden)
            .map(Condition::label)
            .collect();
        let seen = |mut labels: Vec<String>| {
            labels.retain(|label| !hidden.contains(label));
            Some(if labels.is_empty() {
                "none".to_owned()
            } else {
                labels.join(", ")
            })
        };
        let before = seen(
            state
                .conditions_of(self.character)
                .map(Condition::label)
                .collect(),
        );
        let after = seen(self.labels_after(state));
        (before != after).then(|| Field {
            field: "conditions".to_owned(),
            before,
            after,
        })
    }

    /// Begins a condition, unless it is there; `Frightened 2` begins it at level 2, or sets that.
    pub fn begin_condition(&mut self, state: &State, system: &System, name: &str, source: &str) {
        let (name, level) = split_level(system, name);
        self.vitality.add_condition(&name);
        // A condition that this call ends and begins again stays.
        if let Some(ended) = self.lost.iter().position(|lost| same(lost, &name)) {
            self.lost.remove(ended);
            let is_ended = |row: &Condition| same(&row.name, &name);
            self.conditions.retain(|images| {
                images.after.is_some() || !images.before.as_ref().is_some_and(is_ended)
            });
        }
        if self.pending().any(|row| same(&row.name, &name)) {
            return self.raise_pending(&name, level);
        }
        let images = match state
            .conditions_of(self.character)
            .find(|row| same(&row.name, &name))
        {
            Some(known) if level.is_none() || level == known.level => return,
            Some(known) => Images::changed(
                known.clone(),
                Condition {
                    level,
                    ..known.clone()
                },
            ),
            None => {
                let level = level.or_else(|| system.condition(&name)?.levels.map(|(low, _)| low));
                let (name, source) = (canonical_name(system, &name), source.to_owned());
                Images::made(Condition {
                    character: self.character,
                    name,
                    source,
                    level,
                    ..Condition::default()
                })
            }
        };
        self.gained
            .extend(images.after.as_ref().map(Condition::label));
        self.conditions.push(images);
    }
    fn raise_pending(&mut self, name: &str, level: Option<i64>) {
        let Some(row) = self
            .pending_mut(|row| same(&row.name, name))
            .filter(|row| row.level < level)
        else {
            return;
        };
        let was = row.label();
        row.level = level;
        let is = row.label();
        match self.gained.iter_mut().find(|label| **label == was) {
            Some(label) => *label = is,
            None => self.gained.push(is),
        }
    }

    /// [`Consequences::begin_condition`] for one that the rules bring: a higher level stays.
    pub fn raise_condition(&mut self, state: &State, system: &System, name: &str, source: &str) {
        let (bare, level) = split_level(system, name);
        let known = |row: &&Condition| same(&row.name, &bare);
        let held = self
            .pending()
            .find(known)
            .or_else(|| state.conditions_of(self.character).find(known));
        let ended = self.lost.iter().any(|lost| same(lost, &bare));
        let is_higher = held.is_some_and(|row| row.level > level) && level.is_some() && !ended;
        if !is_higher {
            self.begin_condition(state, system, name, source);
        }
    }

    /// Edits a condition that begins, or one that is there; returns the changed row.
    pub fn edit_condition(
        &mut self,
        state: &State,
        name: &str,
        held: impl Fn(&mut Condition),
    ) -> Option<&Condition> {
        let is = |row: &Condition| {
            [&row.name, &row.label()]
                .into_iter()
                .any(|known| same(known, name))
        };
        if !self.pending().any(&is) {
            let known = state
                .conditions_of(self.character)
                .find(|row| is(row))?
                .clone();
            self.gained.push(known.label());
            self.conditions.push(Images::changed(known.clone(), known));
        }
        let row = self.pending_mut(is)?;
        held(row);
        Some(row)
    }
    fn pending_mut(&mut self, is: impl Fn(&Condition) -> bool) -> Option<&mut Condition> {
        self.conditions
            .iter_mut()
            .filter_map(|images| images.after.as_mut())
            .find(|row| is(row))
    }

    pub(super) fn let_last(
        &mut self,
        state: &State,
        system: &System,
        name: &str,
        lasts: &Duration,
    ) {
        if let Some(row) = self.pending_mut(|row| same(&row.name, name)) {
            let lasts = (ConditionDuration::new(system, lasts), None);
            *row = duration::with_duration(state, system, row.clone(), lasts);
        }
    }

    /// Moves the maximum of a track, by a condition of the name `Hit points max` that has so much
    /// as its level: when it ends, the maximum is what it was.
    pub(super) fn raise_maximum(
        &mut self,
        state: &State,
        system: &System,
        (track, more, lasts): (&str, i64, Option<&Duration>),
        source: &str,
    ) {
        let name = maximum_condition(track);
        let known = state
            .conditions_of(self.character)
            .find(|row| same(&row.name, &name))
            .cloned();
        let pending = self.pending().any(|row| same(&row.name, &name));
        if more == 0 || pending || self.vitality.track(track).is_none() {
            return;
        }
        let level = Some(
            known
                .as_ref()
                .and_then(|row| row.level)
                .unwrap_or(0)
                .saturating_add(more),
        );
        let (character, source) = (self.character, source.to_owned());
        let new = Condition {
            character,
            name: name.clone(),
            source,
            ..Condition::default()
        };
        let after = Some(Condition {
            level,
            ..known.clone().unwrap_or(new)
        });
        let images = Images {
            before: known,
            after,
        };
        self.vitality.add_condition(&name);
        self.gained
            .extend(images.after.as_ref().map(Condition::label));
        self.conditions.push(images);
        if let Some(lasts) = lasts {
            self.let_last(state, system, &name, lasts);
        }
        self.move_maximum(track, more);
    }

    /// Moves the maximum of a track; more than that nobody has.
    fn move_maximum(&mut self, track: &str, more: i64) {
        let Some(before) = self.vitality.track(track).cloned() else {
            return;
        };
        let Some(max) = before
            .max
            .map(|max| max.saturating_add(more).max(before.min))
        else {
            return;
        };
        let after = Track {
            value: before.value.min(max),
            max: Some(max),
            ..before.clone()
        };
        self.vitality.set_track(&after);
        merge_move(&mut self.moved, before, after);
    }

    pub(super) fn pending(&self) -> impl Iterator<Item = &Condition> {
        self.conditions
            .iter()
            .filter_map(|images| images.after.as_ref())
    }

    /// All conditions afterwards, with their levels, in the order of their names.
    pub fn labels_after(&self, state: &State) -> Vec<String> {
        let mut after: BTreeMap<&str, String> = state
            .conditions_of(self.character)
            .map(|row| (row.name.as_str(), row.label()))
            .collect();
        self.lost
            .iter()
            .for_each(|lost| drop(after.remove(lost.as_str())));
        after.extend(self.pending().map(|row| (row.name.as_str(), row.label())));
        after.into_values().collect()
    }

    pub fn end_condition(&mut self, condition: Condition) {
        if self.lost.contains(&condition.name) {
            return;
        }
        self.vitality.remove_condition(&condition.name);
        // As [`maximum_condition`] names it.
        if let (Some(track), Some(level)) =
            (fold(&condition.name).strip_suffix(" max"), condition.level)
        {
            self.move_maximum(track, level.saturating_neg());
        }
        self.lost.push(condition.name.clone());
        self.conditions.push(Images::gone(condition));
    }

    /// Refuses more conditions than the limit, and rules that need a number which nothing gives.
    pub fn check_limits(&self, state: &State, system: &System) -> Result<(), Refusal> {
        // Names that nothing gives a number and that a rule needs for this.
        let missing: Vec<String> = self.missing.iter().cloned().collect();
        if !missing.is_empty() {
            let actor = state.characters.get(&self.character);
            let fields = Values::of(state, system, actor)
                .fields_for(&missing)
                .join(" ");
            let (who, missing) = (
                actor.map_or("…", |who| who.name.as_str()),
                missing.join(", "),
            );
            let summary = format!(
                "What happens then needs {missing}, which the sheet lacks. Send manage_character action=\"update\" character=\"{who}\" {fields}."
            );
            return Err(Refusal::new(Code::MissingValue, summary));
        }
        limits::count(
            "conditions",
            state.conditions_of(self.character).count() + self.gained.len(),
            LIMITS.conditions,
        )
    }

    /// The changed rows: moved tracks, conditions begun by the entry `since`, and combatants.
    pub fn into_changes(self, state: &State, system: &System, since: i64) -> Vec<Change> {
        let combatants = self.vitality.combatant_changes(state, system);
        let moved = self
            .moved
            .into_iter()
            .filter(|(before, after)| before != after);
        let moved = moved.map(|(before, after)| Change::Track(Images::changed(before, after)));
        let stamped = self.conditions.into_iter().map(|images| match images {
            Images {
                before: None,
                after: Some(row),
            } => Images::made(duration::with_declared_turns(
                state,
                system,
                Condition { since, ..row },
            )),
            other => other,
        });
        moved
            .chain(stamped.map(Change::Condition))
            .chain(combatants)
            .collect()
    }
}

/// Characters of the known names that a refusal lists.
const LISTED_MAX: usize = 160;

/// The parameter that holds the name, so that a refusal can say what to send instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ConditionParameter {
    /// `apply_conditions=["Poisoned"]`
    #[default]
    List,
    /// `conditions=["Poisoned"]`
    Conditions,
    /// `condition="Poisoned"`
    Condition,
    /// `name="Poisoned"`, of an effect.
    Effect,
    /// In an imported text, or a copied character.
    Sheet,
}

impl ConditionParameter {
    fn example(self, name: &str) -> String {
        match self {
            ConditionParameter::List => format!("Send apply_conditions=[\"{name}\"]"),
            ConditionParameter::Conditions => format!("Send conditions=[\"{name}\"]"),
            ConditionParameter::Condition => format!("Send condition=\"{name}\""),
            ConditionParameter::Effect => format!("Send name=\"{name}\""),
            ConditionParameter::Sheet => format!("Write {name} there"),
        }
    }
}

/// Checks the name of a condition before it begins. `held`: names that are in use and so allowed.
/// Returns a note for the reply. Refused: a misspelling, a level where the rules have none, and a
/// name that no rule has, unless `free`.
pub fn check_condition(
    system: &System,
    held: &[&str],
    text: &str,
    free: bool,
    sent: ConditionParameter,
) -> Result<Option<String>, Refusal> {
    let names: Vec<&str> = system.condition_names().collect();
    let is = |name: &str| names.iter().any(|known| same(known, name));
    let (name, level) = numbered(text.trim());
    if is(text) {
        return Ok(None);
    }
    if let Some(level) = level.filter(|_| is(name)) {
        if system
            .condition(name)
            .is_some_and(|rule| rule.levels.is_some())
        {
            return Ok(None);
        }
        let summary = format!(
            "{0} has no levels, so \"{0} {level}\" is none. {1}.",
            quoted(name),
            sent.example(&quoted(name))
        );
        return Err(Refusal::new(Code::InvalidParameters, summary));
    }
    if held.iter().any(|name| same(name, text)) {
        return Ok(Some(without_effect(system, text)));
    }
    // A clear misspelling is always refused; a similar word is allowed with `free`.
    let clear = |known: &&str| matches!(slip(name, known), Some(Slip::Clear | Slip::Number));
    let clear: Vec<&str> = names.iter().copied().filter(clear).collect();
    let asked = !free && sent != ConditionParameter::Effect;
    let meant = if clear.is_empty() && asked {
        misspellings(name, names.iter().copied())
    } else {
        clear
    };
    if let Some(first) = meant.first() {
        let again = level.map_or(String::new(), |level| format!(" {level}"));
        let (known, send) = (
            meant.join(" and "),
            sent.example(&format!("{first}{again}")),
        );
        let summary = format!(
            "No condition \"{}\"; the rules know {known}. {send}.",
            quoted(text)
        );
        let meant = meant.into_iter().map(str::to_owned).collect();
        return Err(Refusal::new(Code::UnknownCondition, summary).did_you_mean(meant));
    }
    if !asked || system.conditions.is_empty() {
        return Ok((sent != ConditionParameter::Effect).then(|| without_effect(system, text)));
    }
    let suggestions = suggest(name, names.iter().copied());
    let send = suggestions.first().map_or("Send".to_owned(), |first| {
        format!("{}, or send", sent.example(first))
    });
    let (text, all) = (quoted(text), listed(names.iter().copied(), LISTED_MAX));
    let summary = format!(
        "No rule knows the condition \"{text}\"; there is {all}. {send} free=true for one of your own, which changes no roll."
    );
    Err(Refusal::new(Code::UnknownCondition, summary).did_you_mean(suggestions))
}

fn without_effect(system: &System, name: &str) -> String {
    let name = quoted(name);
    let none = if system.conditions.is_empty() {
        ", which declare no conditions"
    } else {
        ""
    };
    format!("{name} has no effect by the rules{none}: it is kept and shown, and changes no roll")
}

/// Refuses a level outside the range that the rules declare for the condition.
pub fn check_level(system: &System, text: &str) -> Result<(), Refusal> {
    let (name, level) = numbered(text.trim());
    let (Some(rule), Some(level)) = (system.condition(name), level) else {
        return Ok(());
    };
    let Some((low, high)) = rule
        .levels
        .filter(|(low, high)| !(*low..=*high).contains(&level))
    else {
        return Ok(());
    };
    let (name, nearest) = (&rule.name, if level < low { low } else { high });
    let summary =
        format!("{name} goes from {low} to {high}, not to {level}. Send \"{name} {nearest}\".");
    Err(Refusal::new(Code::InvalidParameters, summary).at(rule.place.to_string()))
}

/// Splits `Frightened 2`, where Frightened has levels, into name and level, clamped to its range.
fn split_level(system: &System, text: &str) -> (String, Option<i64>) {
    let range = |name: &str| system.condition(name)?.levels;
    let (name, level) = numbered(text.trim());
    match level.and_then(|level| Some((level, range(name)?))) {
        Some((level, (low, high))) => (name.to_owned(), Some(level.clamp(low, high.max(low)))),
        None => (text.to_owned(), None),
    }
}

/// A condition's name as the author spells it; a name of the GM's own in lower case.
pub fn canonical_name(system: &System, name: &str) -> String {
    let known = system.condition_names().find(|known| same(known, name));
    let spelt = known.map_or_else(|| name.to_lowercase(), str::to_owned);
    spelt.split_whitespace().collect::<Vec<&str>>().join(" ")
}
