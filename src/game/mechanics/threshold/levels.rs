//! What a condition is called and how bad it is, as the rules have it: `frightened 2` is Frightened, at 2.

use crate::game::refusal::{Code, Refusal};
use crate::names::same;
use crate::rules::System;

/// A refusal when a condition is named at a level that the rules do not give it.
pub fn level_in_range(system: &System, text: &str) -> Result<(), Refusal> {
    let Some((name, level)) = text.trim().rsplit_once(' ') else { return Ok(()) };
    match (system.condition(name).and_then(|rule| Some((rule, rule.levels?))), level.parse::<i64>()) {
        (Some((rule, (low, high))), Ok(level)) if !(low..=high).contains(&level) => {
            let near = if level < low { low } else { high };
            let summary =
                format!("{} goes from {low} to {high}, not to {level}. Send \"{} {near}\".", rule.name, rule.name);
            Err(Refusal::new(Code::InvalidParameters, summary).at(rule.place.to_string()))
        }
        _ => Ok(()),
    }
}

/// The level at which a condition begins that the rules count.
pub(super) fn lowest(system: &System, name: &str) -> Option<i64> {
    system.condition(name)?.levels.map(|(low, _)| low)
}

/// `Frightened 2` where the rules count Frightened: the name and the level, held within its range. One that they count and
/// that comes without a level begins at the lowest.
pub(super) fn levelled(system: &System, text: &str) -> (String, Option<i64>) {
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
    let known = declared.chain(brought).find(|known| same(known, name));
    let spelt = known.cloned().unwrap_or_else(|| name.to_lowercase());
    spelt.split_whitespace().collect::<Vec<&str>>().join(" ")
}
