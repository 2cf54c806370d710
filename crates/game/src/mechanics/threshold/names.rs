//! Checks names and levels of conditions. A misspelling of a declared one is refused, since it would have no effect. Another name
//! is the GM's own, and the reply notes that no rule uses it.

use crate::refusal::{Code, Refusal};
use rollbook_rules::System;
use rollbook_text::names::{Slip, listed, misspellings, numbered, quoted, same, slip, suggest};

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

/// Checks the name of a condition before it begins. `held`: names that are in use and so allowed. Returns a note for the
/// reply. Refused: a misspelling, a level where the rules have none, and a name that no rule has, unless `free`.
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
        if system.condition(name).is_some_and(|rule| rule.levels.is_some()) {
            return Ok(None);
        }
        let summary =
            format!("{0} has no levels, so \"{0} {level}\" is none. {1}.", quoted(name), sent.example(&quoted(name)));
        return Err(Refusal::new(Code::InvalidParameters, summary));
    }
    if held.iter().any(|name| same(name, text)) {
        return Ok(Some(without_effect(system, text)));
    }
    // A clear misspelling is always refused; a similar word is allowed where the caller sends `free`.
    let clear = |known: &&str| matches!(slip(name, known), Some(Slip::Clear | Slip::Number));
    let clear: Vec<&str> = names.iter().copied().filter(clear).collect();
    let asked = !free && sent != ConditionParameter::Effect;
    let meant = if clear.is_empty() && asked { misspellings(name, names.iter().copied()) } else { clear };
    if let Some(first) = meant.first() {
        let again = level.map_or(String::new(), |level| format!(" {level}"));
        let (known, send) = (meant.join(" and "), sent.example(&format!("{first}{again}")));
        let summary = format!("No condition \"{}\"; the rules know {known}. {send}.", quoted(text));
        let meant = meant.into_iter().map(str::to_owned).collect();
        return Err(Refusal::new(Code::UnknownCondition, summary).did_you_mean(meant));
    }
    if !asked || system.conditions.is_empty() {
        return Ok((sent != ConditionParameter::Effect).then(|| without_effect(system, text)));
    }
    let suggestions = suggest(name, names.iter().copied());
    let send = suggestions.first().map_or("Send".to_owned(), |first| format!("{}, or send", sent.example(first)));
    let (text, all) = (quoted(text), listed(names.iter().copied(), LISTED_MAX));
    let summary = format!(
        "No rule knows the condition \"{text}\"; there is {all}. {send} free=true for one of your own, which changes no roll."
    );
    Err(Refusal::new(Code::UnknownCondition, summary).did_you_mean(suggestions))
}

/// The note for a condition that no rule uses.
fn without_effect(system: &System, name: &str) -> String {
    let name = quoted(name);
    let none = if system.conditions.is_empty() { ", which declare no conditions" } else { "" };
    format!("{name} has no effect by the rules{none}: it is kept and shown, and changes no roll")
}

/// Refuses a level outside the range that the rules declare for the condition.
pub fn check_level(system: &System, text: &str) -> Result<(), Refusal> {
    let (name, level) = numbered(text.trim());
    let (Some(rule), Some(level)) = (system.condition(name), level) else { return Ok(()) };
    let Some((low, high)) = rule.levels.filter(|(low, high)| !(*low..=*high).contains(&level)) else { return Ok(()) };
    let (name, nearest) = (&rule.name, if level < low { low } else { high });
    let summary = format!("{name} goes from {low} to {high}, not to {level}. Send \"{name} {nearest}\".");
    Err(Refusal::new(Code::InvalidParameters, summary).at(rule.place.to_string()))
}

/// The level at which a condition with levels begins.
pub(super) fn lowest_level(system: &System, name: &str) -> Option<i64> {
    system.condition(name)?.levels.map(|(low, _)| low)
}

/// Splits `Frightened 2`, where Frightened has levels, into the name and the level, clamped to its range.
pub(super) fn split_level(system: &System, text: &str) -> (String, Option<i64>) {
    let range = |name: &str| system.condition(name)?.levels;
    let (name, level) = numbered(text.trim());
    match level.and_then(|level| Some((level, range(name)?))) {
        Some((level, (low, high))) => (name.to_owned(), Some(level.clamp(low, high.max(low)))),
        None => (text.to_owned(), None),
    }
}

/// A condition's name as the author spells it, under Conditions or in a trigger; a name of the GM's own in lower case.
pub fn canonical_name(system: &System, name: &str) -> String {
    let known = system.condition_names().find(|known| same(known, name));
    let spelt = known.map_or_else(|| name.to_lowercase(), str::to_owned);
    spelt.split_whitespace().collect::<Vec<&str>>().join(" ")
}
