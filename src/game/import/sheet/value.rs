//! Values in a sheet: the head, a track, a condition, a flag.

use crate::game::record::state::{Kind, Track, Until};
use crate::game::view::sheet::{FIXED, RETIRED, kind_label};
use crate::game::view::snapshot::SnapshotCondition;
use crate::names::same;
use crate::rules::System;

/// "Player character, level 2, 300 xp, retired".
pub fn head(line: &str) -> Option<(Kind, i64, i64, bool)> {
    let mut parts = line.split(", ");
    let named = parts.next()?;
    let kind = Kind::ALL.into_iter().find(|own| same(kind_label(*own), named))?;
    let level = parts.next()?.strip_prefix("level ")?.parse().ok()?;
    let xp = parts.next()?.strip_suffix(" xp")?.parse().ok()?;
    let retired = match parts.next() {
        None => false,
        Some(RETIRED) => true,
        Some(_) => return None,
    };
    parts.next().is_none().then_some((kind, level, xp, retired))
}

/// "2/10, from -6, set by the GM".
pub fn track(name: String, value: &str) -> Option<Track> {
    let mut parts = value.split(", ");
    let numbers = parts.next()?;
    let (value, max) = match numbers.split_once('/') {
        Some((value, max)) => (value.parse().ok()?, Some(max.parse().ok()?)),
        None => (numbers.parse().ok()?, None),
    };
    let mut track = Track { character: 0, name, value, min: 0, max, fixed: false };
    for part in parts {
        match part.strip_prefix("from ") {
            Some(from) => track.min = from.parse().ok()?,
            None if part == FIXED => track.fixed = true,
            None => return None,
        }
    }
    Some(track)
}

/// "frightened 2" where the rules declare levels, and what ends it.
pub fn condition(system: &System, fields: &[String]) -> Option<SnapshotCondition> {
    let (label, until) = match fields {
        [label] => (label.trim(), None),
        [label, until] => (label.trim(), Some(ending(system, until.trim())?)),
        _ => return None,
    };
    let counted = label.rsplit_once(' ').and_then(|(name, level)| Some((name, level.parse::<i64>().ok()?)));
    let counted = counted.filter(|(name, _)| system.condition(name).is_some_and(|rule| rule.levels.is_some()));
    let (name, level) = counted.map_or((label, None), |(name, level)| (name, Some(level)));
    Some(SnapshotCondition { name: name.to_owned(), level, source: "sheet".to_owned(), until, cause: None })
}

/// "until the end of the scene", "until Will succeeds", "until Long rest", "until treated".
fn ending(system: &System, words: &str) -> Option<Until> {
    if let Some(own) = [Until::Scene, Until::Fight].into_iter().find(|own| own.render() == words) {
        return Some(own);
    }
    let words = words.strip_prefix("until ").filter(|words| !words.trim().is_empty())?;
    Some(match (words.strip_suffix(" succeeds"), system.rests.iter().any(|rest| rest.name == words)) {
        (Some(check), _) => Until::Check(check.to_owned()),
        (None, true) => Until::Rest(words.to_owned()),
        (None, false) => Until::Words(words.to_owned()),
    })
}

/// A cell with "yes" or nothing.
pub fn flag(cell: &str) -> Option<bool> {
    match cell {
        "" | "no" => Some(false),
        "yes" => Some(true),
        _ => None,
    }
}
