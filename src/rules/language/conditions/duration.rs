//! How long something lasts, in words: an author's behind a condition, or the GM's at the table.

use std::collections::HashMap;

use super::condition::{ANY_CHECK, ANY_REST, Anchor, Duration, EffectOn};
use crate::names::fold;
use crate::rules::language::range;
use crate::rules::language::system::System;
use crate::rules::language::time_words::{is_negative, span};

/// What such words may name, by folded name.
pub struct Known {
    pub on: HashMap<String, EffectOn>,
    rests: HashMap<String, String>,
}

impl Known {
    /// An attribute comes before a skill of the same name, a skill before a check.
    pub fn of(system: &System) -> Self {
        let mut on = HashMap::new();
        let attributes = system.attributes.iter().flat_map(|own| {
            std::iter::once(&own.name).chain(&own.abbr).map(|name| (fold(name), EffectOn::Attribute(own.name.clone())))
        });
        let skills = system.skills.iter().map(|own| (fold(&own.name), EffectOn::Skill(own.name.clone())));
        let checks = system.checks.iter().map(|own| (fold(&own.name), EffectOn::Check(own.name.clone())));
        for (name, what) in attributes.chain(skills).chain(checks) {
            on.entry(name).or_insert(what);
        }
        Self { on, rests: system.rests.iter().map(|own| (fold(&own.name), own.name.clone())).collect() }
    }
}

/// How long something lasts in the GM's words: `3 rounds`, `scene`, `until a long rest`, and the end alone, where the rules know
/// it: `long rest`. None where they are neither.
pub fn lasting(words: &str, system: &System) -> Option<Duration> {
    if is_negative(words) {
        return None;
    }
    let (lower, known) = (fold(words), Known::of(system));
    let bare = lower.trim();
    let alone = || match duration(&format!("until {bare}"), &known)? {
        Duration::Until(_) => None,
        known => Some(known),
    };
    let fight = matches!(bare, "fight" | "the fight" | "combat").then_some(Duration::Combat);
    fight.or_else(|| duration(bare, &known)).or_else(alone)
}

/// What folded words say of how long something lasts: `until treated`, `for 3 rounds`, `1 round at the start of the source's turn`, `until the end of the scene`.
pub fn duration(lower: &str, known: &Known) -> Option<Duration> {
    let words =
        lower.trim().strip_prefix("for ").or_else(|| lower.trim().strip_prefix("lasts ")).unwrap_or(lower.trim());
    let anchor = anchor(words);
    if let Some((many, rest)) = range::number(words) {
        let unit = rest.trim().split(' ').next().unwrap_or_default();
        return match unit {
            "round" | "rounds" if many > 0 => Some(Duration::Rounds(many, anchor)),
            "turn" | "turns" if many > 0 => Some(Duration::Turns(many, anchor)),
            _ => span(words).map(Duration::Time),
        };
    }
    if let Some(seconds) = span(words) {
        return Some(Duration::Time(seconds));
    }
    if matches!(words, "scene" | "a scene" | "the scene" | "one scene") {
        return Some(Duration::Scene);
    }
    if is_next_check(words.strip_prefix("until ").unwrap_or(words)) {
        return Some(Duration::NextCheck);
    }
    // `save ends`, where Save is a check.
    if let Some(EffectOn::Check(name)) = words.strip_suffix(" ends").and_then(|name| known.on.get(name)) {
        return Some(Duration::Check(name.clone(), anchor));
    }
    let until = ["until ", "ends on ", "ends with ", "ends after ", "ends at "]
        .iter()
        .find_map(|own| words.strip_prefix(own))?;
    let bare = until.strip_prefix("the ").unwrap_or(until);
    if bare.contains("end of the scene") || bare.contains("scene ends") {
        return Some(Duration::Scene);
    }
    if ["end of the fight", "fight ends", "combat ends", "end of combat", "end of the combat"]
        .iter()
        .any(|end| bare.contains(end))
    {
        return Some(Duration::Combat);
    }
    if bare.starts_with("end of") && bare.contains("turn") || bare.starts_with("start of") && bare.contains("turn") {
        return Some(Duration::Turns(1, anchor));
    }
    let rest = ["a ", "next ", "your next "].iter().find_map(|opening| bare.strip_prefix(opening));
    if let Some(rest) = known.rests.get(rest.unwrap_or(bare)) {
        return Some(Duration::Rest(rest.clone()));
    }
    const RESTS: [&str; 8] =
        ["a rest", "any rest", "next rest", "your next rest", "their next rest", "rested", "you rest", "they rest"];
    if RESTS.contains(&bare) && !known.rests.is_empty() {
        return Some(Duration::Rest(ANY_REST.to_owned()));
    }
    let check = bare.strip_prefix("a ").unwrap_or(bare).split(" succeeds").next().unwrap_or(bare);
    let check = check.strip_suffix(" check").unwrap_or(check);
    if let Some(EffectOn::Check(name) | EffectOn::Skill(name) | EffectOn::Attribute(name)) = known.on.get(check) {
        return Some(Duration::Check(name.clone(), anchor));
    }
    if bare.starts_with("a check") || bare.starts_with("check") {
        return Some(Duration::Check(ANY_CHECK.to_owned(), anchor));
    }
    Some(Duration::Until(until.to_owned()))
}

/// `the next check`, `your next roll`.
fn is_next_check(words: &str) -> bool {
    let bare = ["the ", "your ", "their ", "its "].iter().find_map(|own| words.strip_prefix(own)).unwrap_or(words);
    matches!(bare, "next check" | "next roll" | "next test" | "next attack" | "next attack roll")
}

fn anchor(words: &str) -> Anchor {
    let source = ["source", "caster", "attacker", "whoever caused"].iter().any(|word| words.contains(word));
    match (words.contains("start of"), source) {
        (true, true) => Anchor::SourceStart,
        (true, false) => Anchor::BearerStart,
        (false, true) => Anchor::SourceEnd,
        (false, false) => Anchor::BearerEnd,
    }
}
