//! Names and levels of conditions by the rules: `frightened 2` is Frightened at level 2.

use crate::game::refusal::{Code, Refusal};
use crate::names::same;
use crate::rules::System;

/// Refuses a level outside the range that the rules declare for the condition.
pub fn check_level(system: &System, text: &str) -> Result<(), Refusal> {
    let Some((name, level)) = text.trim().rsplit_once(' ') else { return Ok(()) };
    match (system.condition(name).and_then(|rule| Some((rule, rule.levels?))), level.parse::<i64>()) {
        (Some((rule, (low, high))), Ok(level)) if !(low..=high).contains(&level) => {
            let nearest = if level < low { low } else { high };
            let summary =
                format!("{} goes from {low} to {high}, not to {level}. Send \"{} {nearest}\".", rule.name, rule.name);
            Err(Refusal::new(Code::InvalidParameters, summary).at(rule.place.to_string()))
        }
        _ => Ok(()),
    }
}

/// The level at which a condition with levels begins.
pub(super) fn lowest_level(system: &System, name: &str) -> Option<i64> {
    system.condition(name)?.levels.map(|(low, _)| low)
}

/// Splits `Frightened 2`, where Frightened has levels, into the name and the level, clamped to its range.
pub(super) fn split_level(system: &System, text: &str) -> (String, Option<i64>) {
    let range = |name: &str| system.condition(name)?.levels;
    let split = text.trim().rsplit_once(' ').and_then(|(name, level)| Some((name, level.parse::<i64>().ok()?)));
    match split.and_then(|(name, level)| Some((name, level, range(name)?))) {
        Some((name, level, (low, high))) => (name.to_owned(), Some(level.clamp(low, high.max(low)))),
        None => (text.to_owned(), None),
    }
}

/// A condition's name as the author spells it, under Conditions or in a trigger; a name of the GM's own in lower case.
pub fn canonical_name(system: &System, name: &str) -> String {
    let declared = system.conditions.iter().map(|rule| &rule.name);
    let brought = system.triggers.iter().flat_map(|trigger| &trigger.conditions);
    let known = declared.chain(brought).find(|known| same(known, name));
    let spelt = known.cloned().unwrap_or_else(|| name.to_lowercase());
    spelt.split_whitespace().collect::<Vec<&str>>().join(" ")
}
