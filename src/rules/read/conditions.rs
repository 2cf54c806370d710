//! The Conditions section: `- Poisoned: disadvantage on checks, 3 rounds`.

use std::collections::{HashMap, HashSet};

use crate::names::fold;
use crate::rules::condition::{Anchor, ConditionEffect, ConditionRule, Duration, EffectChange, EffectOn};
use crate::rules::document::Text;
use crate::rules::section::SectionKind;
use crate::rules::system::System;

use super::declaration::{bracketed, declaration};
use super::ledger::Ledger;
use super::outline::Outline;
use super::range;

/// Clauses of one condition that are looked at; those behind them are the GM's.
const CLAUSES_MAX: usize = 20;

/// What words about a condition may name, by folded name.
struct Known {
    on: HashMap<String, EffectOn>,
    rests: HashMap<String, String>,
}

impl Known {
    /// An attribute comes before a skill of the same name, a skill before a check.
    fn of(system: &System) -> Self {
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

/// Reads the conditions. Words that are neither an effect nor a duration are the GM's, which is remarked on.
pub fn read(outline: &Outline<'_>, system: &System, ledger: &mut Ledger<'_>) -> Vec<ConditionRule> {
    let known_names = Known::of(system);
    let mut conditions: Vec<ConditionRule> = Vec::new();
    let mut taken: HashSet<String> = HashSet::new();
    for bullet in outline.bullets(SectionKind::Conditions) {
        let Some(declared) = declaration(bullet, ledger) else {
            continue;
        };
        let levels = declared.bracket.as_ref().and_then(|bracket| range::range(bracket.as_str()));
        let name = match (&declared.bracket, levels) {
            (Some(bracket), None) => format!("{} ({})", declared.name.as_str(), bracket.as_str()),
            _ => declared.name.as_str().to_owned(),
        };
        if taken.contains(&fold(&name)) || !ledger.has_room(conditions.len(), "conditions", declared.span) {
            continue;
        }
        let mut rule = ConditionRule {
            name: bracketed(&declared.name).0.as_str().to_owned(),
            levels,
            effects: Vec::new(),
            duration: None,
            left: Vec::new(),
            about: declared.about.as_str().to_owned(),
            place: ledger.place(declared.span),
            span: declared.span,
        };
        let mut first_left: Option<Text> = None;
        for (nth, part) in declared.about.split_all(&[",", ";", ". "]).into_iter().enumerate() {
            if nth >= CLAUSES_MAX || !clause(part.as_str(), &known_names, &mut rule) {
                rule.left.push(part.as_str().to_owned());
                first_left.get_or_insert(part);
            }
        }
        // A long name is a condition when what stands behind it changes something; else the bullet is a sentence.
        if declared.long && rule.effects.is_empty() {
            continue;
        }
        // Prose without a number is a description; what has one looks like a rule.
        if let Some(left) = first_left.filter(|left| left.as_str().contains(|letter: char| letter.is_ascii_digit())) {
            ledger.left_to_gm(left.span(), "characters have the condition; this part of it is the GM's to apply");
        }
        taken.insert(fold(&name));
        conditions.push(rule);
    }
    conditions
}

/// Takes one clause; whether it could be read. `-1 STR until treated` is an effect with its duration.
fn clause(words: &str, known: &Known, rule: &mut ConditionRule) -> bool {
    let words = words.trim_end_matches('.').trim();
    let lower = fold(words);
    if let Some(duration) = duration(&lower, known) {
        rule.duration = Some(duration);
        return true;
    }
    for opening in [" until ", " for "] {
        if let Some((effect, lasting)) = lower.split_once(opening) {
            let lasting = format!("{}{lasting}", opening.trim_start());
            if let (Some(effect), Some(duration)) = (effects(words, effect, known), duration(&lasting, known)) {
                rule.effects.extend(effect);
                rule.duration = Some(duration);
                return true;
            }
        }
    }
    let Some(found) = effects(words, &lower, known) else { return false };
    rule.effects.extend(found);
    true
}

/// `disadvantage on checks`, `-1 STR`, `-2 to all checks per level`, `-1 per level on checks`.
fn effects(written: &str, lower: &str, known: &Known) -> Option<Vec<ConditionEffect>> {
    let per_level = lower.contains(" per level") || lower.contains(" each level");
    let bare = lower.replace(" per level", "").replace(" each level", "");
    let (change, rest) = if let Some(rest) = bare.strip_prefix("disadvantage") {
        (EffectChange::Disadvantage, rest.to_owned())
    } else if let Some(rest) = bare.strip_prefix("advantage") {
        (EffectChange::Advantage, rest.to_owned())
    } else {
        // Folding makes the minus a gap, so the sign is taken from what was written.
        let (amount, _) = range::number(written)?;
        let signed = written.starts_with(['+', '-', '\u{2212}', '\u{2013}']);
        let rest = bare.trim_start_matches(['+', ' ']).trim_start_matches(|letter: char| letter.is_ascii_digit());
        signed.then_some((EffectChange::Add(amount), rest.to_owned()))?
    };
    let on = rest.trim();
    let on = ["on ", "to "].iter().find_map(|word| on.strip_prefix(word)).unwrap_or(on).trim();
    let names = on.split(" and ").flat_map(|part| part.split('/')).map(str::trim);
    let read: Option<Vec<EffectOn>> = names.map(|name| target(name, known)).collect();
    Some(read?.into_iter().map(|on| ConditionEffect { on, change, per_level }).collect())
}

fn target(words: &str, known: &Known) -> Option<EffectOn> {
    let name = words.strip_prefix("all ").unwrap_or(words);
    let name = [" checks", " rolls", " tests", " check", " roll"]
        .iter()
        .find_map(|ending| name.strip_suffix(ending))
        .unwrap_or(name);
    const ANY: [&str; 12] =
        ["", "all", "any", "every", "checks", "rolls", "tests", "everything", "check", "roll", "d20", "ability"];
    let named = |name: &str| known.on.get(name).cloned();
    let exact = named(words).or_else(|| named(name));
    let any = || ANY.contains(&name).then_some(EffectOn::Checks);
    exact.or_else(any).or_else(|| named(name.strip_suffix('s')?))
}

/// `until treated`, `for 3 rounds`, `1 round at the start of the source's turn`, `until the end of the scene`.
fn duration(lower: &str, known: &Known) -> Option<Duration> {
    let words =
        lower.trim().strip_prefix("for ").or_else(|| lower.trim().strip_prefix("lasts ")).unwrap_or(lower.trim());
    let anchor = anchor(words);
    if let Some((many, rest)) = range::number(words) {
        let unit = rest.trim().split(' ').next().unwrap_or_default();
        return match unit {
            "round" | "rounds" if many > 0 => Some(Duration::Rounds(many, anchor)),
            "turn" | "turns" if many > 0 => Some(Duration::Turns(many, anchor)),
            _ => None,
        };
    }
    if matches!(words, "scene" | "a scene" | "the scene" | "one scene") {
        return Some(Duration::Scene);
    }
    let until = words.strip_prefix("until ")?;
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
    if let Some(rest) = known.rests.get(bare.strip_prefix("a ").unwrap_or(bare)) {
        return Some(Duration::Rest(rest.clone()));
    }
    let check = bare.strip_prefix("a ").unwrap_or(bare).split(" succeeds").next().unwrap_or(bare);
    let check = check.strip_suffix(" check").unwrap_or(check);
    if let Some(EffectOn::Check(name) | EffectOn::Skill(name) | EffectOn::Attribute(name)) = known.on.get(check) {
        return Some(Duration::Check(name.clone(), anchor));
    }
    if bare.starts_with("a check") || bare.starts_with("check") {
        return Some(Duration::Check("a check".to_owned(), anchor));
    }
    Some(Duration::Until(until.to_owned()))
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
