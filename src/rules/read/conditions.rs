//! The Conditions section: `- Poisoned: disadvantage on checks, 3 rounds`.

use crate::names::{fold, same};
use crate::rules::condition::{Anchor, ConditionEffect, ConditionRule, Duration, EffectChange, EffectOn};
use crate::rules::document::Text;
use crate::rules::section::SectionKind;
use crate::rules::system::System;

use super::declaration::{bracketed, declaration};
use super::ledger::Ledger;
use super::outline::Outline;
use super::range;

/// Reads the conditions. Words that are neither an effect nor a duration are the GM's, which is remarked on.
pub fn read(outline: &Outline<'_>, system: &System, ledger: &mut Ledger<'_>) -> Vec<ConditionRule> {
    let mut conditions: Vec<ConditionRule> = Vec::new();
    for bullet in outline.bullets(SectionKind::Conditions) {
        let Some(declared) = declaration(bullet, ledger) else {
            continue;
        };
        let levels = declared.bracket.as_ref().and_then(|bracket| range::range(bracket.as_str()));
        let name = match (&declared.bracket, levels) {
            (Some(bracket), None) => format!("{} ({})", declared.name.as_str(), bracket.as_str()),
            _ => declared.name.as_str().to_owned(),
        };
        let known = conditions.iter().any(|condition| same(&condition.name, &name));
        if known || !ledger.has_room(conditions.len(), "conditions", declared.span) {
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
        for part in declared.about.split_all(&[",", ";", ". "]) {
            if !clause(part.as_str(), system, &mut rule) {
                rule.left.push(part.as_str().to_owned());
                first_left.get_or_insert(part);
            }
        }
        // Prose without a number is a description; what has one looks like a rule.
        if let Some(left) = first_left.filter(|left| left.as_str().contains(|letter: char| letter.is_ascii_digit())) {
            ledger.left_to_gm(left.span(), "characters have the condition; this part of it is the GM's to apply");
        }
        conditions.push(rule);
    }
    conditions
}

/// Takes one clause; whether it could be read. `-1 STR until treated` is an effect with its duration.
fn clause(words: &str, system: &System, rule: &mut ConditionRule) -> bool {
    let words = words.trim_end_matches('.').trim();
    let lower = fold(words);
    if let Some(duration) = duration(&lower, system) {
        rule.duration = Some(duration);
        return true;
    }
    for opening in [" until ", " for "] {
        if let Some((effect, lasting)) = lower.split_once(opening) {
            let lasting = format!("{}{lasting}", opening.trim_start());
            if let (Some(effect), Some(duration)) = (effects(words, effect, system), duration(&lasting, system)) {
                rule.effects.extend(effect);
                rule.duration = Some(duration);
                return true;
            }
        }
    }
    let Some(found) = effects(words, &lower, system) else { return false };
    rule.effects.extend(found);
    true
}

/// `disadvantage on checks`, `-1 STR`, `-2 to all checks per level`, `-1 per level on checks`.
fn effects(written: &str, lower: &str, system: &System) -> Option<Vec<ConditionEffect>> {
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
    let read: Option<Vec<EffectOn>> = names.map(|name| target(name, system)).collect();
    Some(read?.into_iter().map(|on| ConditionEffect { on, change, per_level }).collect())
}

fn target(words: &str, system: &System) -> Option<EffectOn> {
    let name = words.strip_prefix("all ").unwrap_or(words);
    let name = [" checks", " rolls", " tests", " check", " roll"]
        .iter()
        .find_map(|ending| name.strip_suffix(ending))
        .unwrap_or(name);
    if matches!(
        name,
        "" | "all"
            | "any"
            | "every"
            | "checks"
            | "rolls"
            | "tests"
            | "everything"
            | "check"
            | "roll"
            | "d20"
            | "ability"
    ) {
        return Some(EffectOn::Checks);
    }
    if let Ok(own) = system.attribute(name) {
        return Some(EffectOn::Attribute(own.name.clone()));
    }
    if let Ok(own) = system.skill(name) {
        return Some(EffectOn::Skill(own.name.clone()));
    }
    let check = |name: &str| system.check(name).ok().map(|own| EffectOn::Check(own.name.clone()));
    check(words).or_else(|| check(name)).or_else(|| check(name.strip_suffix('s')?))
}

/// `until treated`, `for 3 rounds`, `1 round at the start of the source's turn`, `until the end of the scene`.
fn duration(lower: &str, system: &System) -> Option<Duration> {
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
    if let Ok(rest) = system.rest(bare.strip_prefix("a ").unwrap_or(bare)) {
        return Some(Duration::Rest(rest.name.clone()));
    }
    let check = bare.strip_prefix("a ").unwrap_or(bare).split(" succeeds").next().unwrap_or(bare);
    let check = check.strip_suffix(" check").unwrap_or(check);
    let named = system.check(check).map(|own| own.name.clone()).ok();
    let named = named.or_else(|| system.skill(check).map(|own| own.name.clone()).ok());
    if let Some(name) = named {
        return Some(Duration::Check(name, anchor));
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
