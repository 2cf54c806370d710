//! Which values the names of a check can have: their declared range, else a usual one.

use std::collections::BTreeMap;

use crate::grammar::line::{Ask, AskedFrom};
use crate::language::attributes::Attribute;
use crate::language::checks::Check;
use crate::language::health::{Track, constant};
use crate::language::number_table::Base;
use crate::language::system::System;
use rollbook_dice::{Die, Formula};
use rollbook_text::names::fold;

/// The values of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NameRange {
    /// As the author writes it.
    pub name: String,
    pub folded: String,
    pub low: i64,
    pub high: i64,
    /// Its value where no call gives one.
    pub default: Option<i64>,
    /// Whether the rules bound it.
    pub bounded: bool,
}

/// The range of a name without a declared one.
const USUAL: (i64, i64) = (0, 20);
/// The same for a check with a percentile die.
const PERCENT: (i64, i64) = (0, 100);
/// The range of a modifier, which may be a penalty.
const MODIFIER: (i64, i64) = (-10, 20);
/// The range of a level.
const LEVEL: (i64, i64) = (1, 20);
/// The most scores of a range whose modifiers are tried.
const SCORES_MAX: usize = 1_000;

impl NameRange {
    /// How many values it can have.
    pub fn len(&self) -> u64 {
        u64::try_from(self.high.saturating_sub(self.low))
            .unwrap_or(0)
            .saturating_add(1)
    }

    pub fn middle(&self) -> i64 {
        self.low.midpoint(self.high)
    }
}

/// Every name that the check's expressions and conditions use, each once.
pub(super) fn name_ranges(check: &Check, system: &System) -> Vec<NameRange> {
    let clauses = [&check.no_dice, &check.opposing]
        .into_iter()
        .flatten()
        .map(|clause| &clause.what);
    let formulas = std::iter::once(&check.roll)
        .chain(check.target.as_ref())
        .chain(clauses);
    let mut found: BTreeMap<String, (String, Option<i64>)> = BTreeMap::new();
    for variable in formulas.flat_map(Formula::variables) {
        found
            .entry(fold(&variable.name))
            .or_insert((variable.name, variable.default));
    }
    for (name, default) in check.asked_variables() {
        found
            .entry(fold(&name))
            .or_insert((name.into_owned(), default));
    }
    let usual = match check.main_die() {
        Some(Die::Percent | Die::Sides(100)) => PERCENT,
        _ => USUAL,
    };
    let ranged = found.into_iter().map(|(folded, (name, default))| {
        let asked = check.asked(&folded);
        let any = match asked.map(|ask| ask.from) {
            Some(AskedFrom::Attributes) => "attribute",
            Some(AskedFrom::Skills) => "skill",
            Some(AskedFrom::Range(..) | AskedFrom::Dice) | None => folded.as_str(),
        };
        let (low, high) = asked
            .and_then(Ask::range)
            .unwrap_or_else(|| range(any, usual, system));
        let (low, high) = (
            default.map_or(low, |value| low.min(value)),
            default.map_or(high, |value| high.max(value)),
        );
        let bounded = asked.and_then(Ask::range).is_some() || is_bounded(any, system);
        NameRange {
            name,
            folded,
            low,
            high,
            default,
            bounded,
        }
    });
    ranged.collect()
}

fn range(folded: &str, usual: (i64, i64), system: &System) -> (i64, i64) {
    if let Some(attribute) = folded
        .strip_suffix(" score")
        .and_then(|bare| system.named_attribute(bare))
    {
        return attribute.range.unwrap_or(usual);
    }
    match folded {
        "modifier" => return MODIFIER,
        "level" => return LEVEL,
        "attribute score" => {
            return union(
                system
                    .attributes
                    .iter()
                    .map(|attribute| attribute.range.unwrap_or(usual)),
            )
            .unwrap_or(usual);
        }
        "difficulty" | "skill" => return usual,
        _ => {}
    }
    if let Some(attribute) = system.named_attribute(folded) {
        return worth(attribute, usual);
    }
    if let Some(skill) = system.named_skill(folded) {
        return match &skill.base {
            Some(Base::Table(table)) => table.values().unwrap_or(usual),
            Some(Base::Formula(_)) | None => usual,
        };
    }
    if let Ok(track) = system.track(folded) {
        return track_range(track, usual);
    }
    match folded == "attribute" {
        true => union(
            system
                .attributes
                .iter()
                .map(|attribute| worth(attribute, usual)),
        )
        .unwrap_or(usual),
        false => usual,
    }
}

/// Whether a character may have every value in the range of a name: it is the range of attributes.
fn is_bounded(folded: &str, system: &System) -> bool {
    let bare = folded.strip_suffix(" score").unwrap_or(folded);
    if let Some(attribute) = system.named_attribute(bare) {
        return attribute.range.is_some();
    }
    bare == "attribute"
        && !system.attributes.is_empty()
        && system
            .attributes
            .iter()
            .all(|attribute| attribute.range.is_some())
}

/// What the scores of an attribute are worth.
fn worth(attribute: &Attribute, usual: (i64, i64)) -> (i64, i64) {
    let Some((low, high)) = attribute.range else {
        return usual;
    };
    let values = (low..=high)
        .take(SCORES_MAX)
        .filter_map(|score| attribute.modifier(score).ok());
    union(values.map(|value| (value, value))).unwrap_or(usual)
}

fn track_range(track: &Track, usual: (i64, i64)) -> (i64, i64) {
    let least = constant(&track.min).unwrap_or(0);
    let high = track
        .max
        .as_ref()
        .and_then(constant)
        .unwrap_or_else(|| least.saturating_add(usual.1));
    (least, high.max(least))
}

fn union(ranges: impl Iterator<Item = (i64, i64)>) -> Option<(i64, i64)> {
    ranges.reduce(|(low, high), (other_low, other_high)| (low.min(other_low), high.max(other_high)))
}
