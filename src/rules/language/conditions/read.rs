//! The Conditions section: `- Poisoned: disadvantage on checks, 3 rounds`.

use std::collections::HashMap;

use super::condition::{ConditionEffect, ConditionRule, Duration, EffectChange, EffectOn};
use super::duration::{Known, duration, once};
use super::effect_words::{dice_or_steps, rephrased};
use crate::diagnostic::{Diagnostic, Span};
use crate::names::fold;
use crate::rules::codes;
use crate::rules::document::Text;
use crate::rules::language::declaration::declaration;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::outline::Outline;
use crate::rules::language::system::System;
use crate::rules::language::{range, setting};
use crate::rules::section::SectionKind;

/// Clauses of one condition that are looked at; those behind them are the GM's.
const CLAUSES_MAX: usize = 20;

/// Reads the conditions. Words that are neither an effect nor a duration are the GM's, which is remarked on.
pub fn read(outline: &Outline<'_>, system: &System, ledger: &mut Ledger<'_>) -> Vec<ConditionRule> {
    let known_names = Known::of(system);
    let mut conditions: Vec<ConditionRule> = Vec::new();
    let mut taken: HashMap<String, Span> = HashMap::new();
    for bullet in outline.bullets(SectionKind::Conditions) {
        let Some(declared) = declaration(bullet, ledger) else {
            continue;
        };
        let levels = declared.bracket.as_ref().and_then(|bracket| range::range(bracket.as_str()));
        let mut rule = ConditionRule {
            name: declared.name.as_str().to_owned(),
            levels,
            effects: Vec::new(),
            duration: None,
            left: Vec::new(),
            about: declared.about.as_str().to_owned(),
            place: ledger.place(declared.span),
            span: declared.span,
        };
        let unread = clauses(&declared.about, &known_names, &mut rule);
        if let Some(found) = setting::of_conditions(&declared, bullet.depth, !rule.effects.is_empty()) {
            ledger.report(found);
            continue;
        }
        if declared.about.is_empty() && is_part(declared.name.as_str(), &known_names) {
            let help = "what a condition changes stands behind its name: `- Stunned: disadvantage on checks, 1 round`";
            ledger.overlooked(declared.span, "read as no condition", help);
            continue;
        }
        // A long name is a condition when what stands behind it changes something; else the bullet is a sentence.
        if declared.long && rule.effects.is_empty() {
            continue;
        }
        if let Some(first) = taken.get(&fold(&rule.name)) {
            report_duplicate(&declared.name, *first, ledger);
            continue;
        }
        if !ledger.has_room(conditions.len(), "conditions", declared.span) {
            continue;
        }
        if let Some(word) = declared.bracket.filter(|_| levels.is_none()) {
            ledger.left_to_gm(word.span(), "no part of the condition's name; levels are written (1-6)");
        }
        if levels.is_none() && rule.name.contains(|letter: char| letter.is_ascii_digit()) {
            let help = "levels stand in brackets: `- Exhausted (1-6): -1 to all checks per level`";
            ledger.overlooked(declared.name.span(), "read as part of the condition's name", help);
        }
        // What begins as an effect is reported by name.
        let said_otherwise = |left: &str| rephrased(left).is_some_and(|meant| is_effect(&meant, &known_names));
        let is_reported = |left: &Text| is_effect_like(left.as_str()) || said_otherwise(left.as_str());
        if let Some(left) = unread.into_iter().find(|left| looks_like_a_rule(left) && !is_reported(left)) {
            ledger.left_to_gm(left.span(), "characters have the condition; this part of it is the GM's to apply");
        }
        ledger.take(declared.span);
        taken.insert(fold(&rule.name), declared.name.span());
        conditions.push(rule);
    }
    conditions
}

fn report_duplicate(name: &Text, first: Span, ledger: &mut Ledger<'_>) {
    let message = format!("the condition `{}` is declared twice", name.as_str());
    ledger.report(
        Diagnostic::warning(codes::DUPLICATE_CONDITION, message)
            .at(name.span(), "this one is not read")
            .and(first, "declared here first"),
    );
}

/// `- disadvantage on checks`, `- for 3 rounds`: what a condition does, in the place of its name.
fn is_part(words: &str, known: &Known) -> bool {
    let lower = fold(words);
    let lasts = duration(&lower, known).is_some_and(|lasts| !matches!(lasts, Duration::Until(_)));
    lasts || is_effect_like(words) || effects(words, &lower, known).is_some()
}

/// Takes what the words behind a name say; the parts that could not be read.
fn clauses(about: &Text, known: &Known, rule: &mut ConditionRule) -> Vec<Text> {
    let mut unread = Vec::new();
    for (nth, part) in about.split_all(&[",", ";", ". "]).into_iter().enumerate() {
        let (lasted, before) = (rule.duration.is_some(), rule.effects.len());
        let left = if nth >= CLAUSES_MAX { Some(part.clone()) } else { clause(part.clone(), known, rule) };
        rule.effects.iter_mut().skip(before).for_each(|effect| effect.clause = nth);
        match (left, &rule.duration) {
            (Some(left), _) => {
                rule.left.push(left.as_str().to_owned());
                unread.push(left);
            }
            // It lasts until somebody ends it, which words about a moment of play do not say.
            (None, Some(Duration::Until(until))) if !lasted && is_moment(until) => {
                let at = part.as_str().to_ascii_lowercase().find("until ").unwrap_or(0);
                unread.push(part.slice(at..part.as_str().len()));
            }
            (None, _) => {}
        }
    }
    unread
}

/// Whether words name a moment that the program could be thought to see: `your next check`, `you are hit`.
fn is_moment(until: &str) -> bool {
    const MOMENTS: [&str; 23] = [
        "save", "saves", "next", "check", "checks", "roll", "rolls", "test", "attack", "attacks", "attacked", "hit",
        "hits", "damage", "damaged", "turn", "turns", "round", "rounds", "fight", "move", "act", "hurt",
    ];
    let mut words = until.split(|letter: char| !letter.is_alphanumeric());
    !until.ends_with("rest") && words.any(|word| MOMENTS.contains(&word))
}

/// Prose is a description; a number looks like a rule, and so does how long it lasts, what it leaves out, and what is rolled.
fn looks_like_a_rule(left: &Text) -> bool {
    let lower = fold(left.as_str());
    let limits = ["for ", "lasts ", "until ", "but for "].iter().any(|opening| lower.starts_with(opening));
    let rolls = ["roll ", "rolls ", "reroll", "re roll"].iter().any(|word| lower.starts_with(word));
    const OF_CHECKS: [&str; 14] = [
        "checks",
        "rolls",
        "tests",
        "penalty",
        "penalties",
        "bonus",
        "disadvantage",
        "disadvantaged",
        "boon",
        "boons",
        "bane",
        "banes",
        "step",
        "steps",
    ];
    const COUNTED: [&str; 7] = ["more", "fewer", "less", "extra", "additional", "lose", "loses"];
    let says = |all: &[&str]| lower.split(|letter: char| !letter.is_alphanumeric()).any(|word| all.contains(&word));
    let counts = says(&["die", "dice"]) && says(&COUNTED);
    let others = [
        "attackers ",
        "have advantage",
        "has advantage",
        "with advantage",
        "at advantage",
        "at half",
        "half of ",
        "halve",
        "doubled",
        "double the ",
    ];
    let changes = says(&OF_CHECKS) || counts || others.iter().any(|words| lower.contains(words));
    limits || rolls || changes || left.as_str().contains(|letter: char| letter.is_ascii_digit())
}

/// Takes one clause; what of it could not be read. `-1 STR until treated` is an effect with its duration. What lasts in two
/// ways lasts in the first.
fn clause(part: Text, known: &Known, rule: &mut ConditionRule) -> Option<Text> {
    let words = part.as_str().trim_end_matches('.').trim();
    let lower = fold(words);
    if let Some(duration) = duration(&lower, known) {
        if rule.duration.is_some() {
            return Some(part);
        }
        rule.duration = Some(duration);
        return None;
    }
    let said_otherwise = rephrased(words);
    let read = |words: &str| effects(words, &fold(words), known);
    let found = effects(words, &lower, known).or_else(|| two_effects(words, known));
    if let Some(found) = found.or_else(|| read(said_otherwise.as_deref()?)) {
        rule.effects.extend(found);
        return None;
    }
    let next = once(said_otherwise.as_deref().unwrap_or(words));
    if let Some(once) = next.filter(|_| rule.duration.is_none())
        && let Some(found) = read(&once)
    {
        rule.effects.extend(found);
        rule.duration = Some(Duration::NextCheck);
        return None;
    }
    let at = [" until ", " for "].iter().find_map(|opening| words.to_ascii_lowercase().find(opening));
    let Some((at, found)) = at.and_then(|at| {
        let effect = words.get(..at)?;
        Some((at, effects(effect, &fold(effect), known)?))
    }) else {
        return Some(part);
    };
    let lasting = part.slice(at..part.as_str().len()).trim();
    // "+2 for allies beside you" is nothing of the bearer's.
    let names_nothing = words.get(..at).is_some_and(|effect| !effect.trim().contains(' '));
    if names_nothing && duration(&fold(lasting.as_str().trim_end_matches('.')), known).is_none() {
        return Some(part);
    }
    rule.effects.extend(found);
    match duration(&fold(lasting.as_str().trim_end_matches('.')), known).filter(|_| rule.duration.is_none()) {
        Some(duration) => {
            rule.duration = Some(duration);
            None
        }
        None => Some(lasting),
    }
}

/// `one step down on Brawn and one step up on Scout`.
fn two_effects(words: &str, known: &Known) -> Option<Vec<ConditionEffect>> {
    words.match_indices(" and ").find_map(|(at, and)| {
        let (first, second) = (words.get(..at)?, words.get(at + and.len()..)?);
        let mut found = effects(first, &fold(first), known)?;
        found.extend(effects(second, &fold(second), known)?);
        Some(found)
    })
}

/// Whether words begin as an effect does: with advantage, disadvantage or a signed number.
pub fn is_effect_like(words: &str) -> bool {
    let lower = words.trim().to_lowercase();
    let signed = |own: &str| own.trim_start().starts_with(|own: char| own.is_ascii_digit());
    lower.starts_with("advantage")
        || lower.starts_with("disadvantage")
        || lower.strip_prefix(['+', '-', '\u{2212}', '\u{2013}']).is_some_and(signed)
}

/// Whether words are an effect, also of one check alone.
fn is_effect(words: &str, known: &Known) -> bool {
    let are = |words: &str| effects(words, &fold(words), known).is_some();
    are(words) || once(words).is_some_and(|once| are(&once))
}

/// What effects may name in a system.
pub struct Effects(Known);

impl Effects {
    /// Its attributes, skills and checks.
    pub fn of(system: &System) -> Self {
        Self(Known::of(system))
    }

    /// Whether these words are an effect.
    pub fn are(&self, words: &str) -> bool {
        is_effect(words, &self.0)
    }
}

/// `disadvantage on checks`, `-1 STR`, `-2 to all checks per level`, `-1 per level on checks`.
fn effects(written: &str, lower: &str, known: &Known) -> Option<Vec<ConditionEffect>> {
    if let Some(own) = of_others(written) {
        let found = effects(&own, &fold(&own), known)?;
        return Some(found.into_iter().map(|effect| ConditionEffect { against: true, ..effect }).collect());
    }
    let per_level = lower.contains(" per level") || lower.contains(" each level");
    let bare = lower.replace(" per level", "").replace(" each level", "");
    let (change, rest) = if let Some((change, rest)) = rolled_twice(&bare) {
        (change, rest.to_owned())
    } else if let Some((change, rest)) = dice_or_steps(written) {
        (change, fold(&rest).replace("per level", "").replace("each level", ""))
    } else if let Some(rest) = bare.strip_prefix("disadvantage") {
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
    Some(read?.into_iter().map(|on| ConditionEffect { on, change, per_level, against: false, clause: 0 }).collect())
}

/// An effect on what others roll against the bearer, as an effect on checks of their own: "advantage on attacks" of `advantage on attacks against you`,
/// `attackers have advantage`, and "+2 on attacks" of `+2 for those who attack you`.
fn of_others(written: &str) -> Option<String> {
    const ATTACKERS: [&str; 3] = ["attackers ", "those who attack you ", "whoever attacks you "];
    const OTHERS: [&str; 4] = ["others ", "enemies ", "foes ", "opponents "];
    const HAVE: [&str; 8] = ["have ", "has ", "get ", "gets ", "gain ", "gains ", "roll with ", "roll at "];
    const AGAINST: [&str; 4] = [" made against you", " against you", " against them", " against the bearer"];
    const BY: [&str; 5] = [
        " for those who attack you",
        " for attackers",
        " for whoever attacks you",
        " for enemies who attack you",
        " to hit you",
    ];
    let plain = written.trim().trim_end_matches('.');
    let lower = plain.to_ascii_lowercase();
    let opened = ATTACKERS.iter().chain(&OTHERS).find(|own| lower.starts_with(**own));
    let verb = opened
        .and_then(|own| HAVE.iter().find(|verb| lower.get(own.len()..).is_some_and(|rest| rest.starts_with(**verb))));
    let start = opened.zip(verb).map_or(0, |(own, verb)| own.len() + verb.len());
    let closed = AGAINST.iter().chain(&BY).find(|own| lower.ends_with(**own));
    let end = plain.len() - closed.map_or(0, |own| own.len());
    let strikes = opened.is_some_and(|own| ATTACKERS.contains(own)) || closed.is_some_and(|own| BY.contains(own));
    if closed.is_none() && (start == 0 || !strikes) {
        return None;
    }
    let effect = plain.get(start..end)?.trim();
    let named = [" on ", " to "].iter().any(|word| effect.contains(word));
    Some(match named {
        true => effect.to_owned(),
        false if strikes => format!("{effect} on attacks"),
        false => format!("{effect} on checks"),
    })
}

/// "roll twice and take the worse" is disadvantage, and "the better" advantage. The lower may be either.
fn rolled_twice(words: &str) -> Option<(EffectChange, &str)> {
    let rest = ["roll twice", "rolls twice"].iter().find_map(|opening| words.strip_prefix(opening))?.trim_start();
    let rest = rest.strip_prefix("and ")?;
    let rest =
        ["take ", "takes ", "keep ", "keeps ", "use ", "uses "].iter().find_map(|word| rest.strip_prefix(word))?;
    let rest = rest.strip_prefix("the ").unwrap_or(rest);
    let end = rest.find(' ').unwrap_or(rest.len());
    let (which, on) = rest.split_at(end);
    let on = on
        .strip_prefix(" result")
        .or_else(|| on.strip_prefix(" roll"))
        .or_else(|| on.strip_prefix(" one"))
        .unwrap_or(on);
    match which {
        "worse" | "worst" => Some((EffectChange::Disadvantage, on)),
        "better" | "best" => Some((EffectChange::Advantage, on)),
        _ => None,
    }
}

fn target(words: &str, known: &Known) -> Option<EffectOn> {
    let whole = ["all ", "every ", "each ", "any "].iter().find_map(|word| words.strip_prefix(word));
    let name = whole.unwrap_or(words);
    // What a check is called in some games: all of them, also where one is called Move.
    if name == "moves" || whole.is_some() && ["move", "action", "actions"].contains(&name) {
        return Some(EffectOn::Checks);
    }
    let name = [" checks", " rolls", " tests", " check", " roll"]
        .iter()
        .find_map(|ending| name.strip_suffix(ending))
        .unwrap_or(name);
    const ANY: [&str; 13] = [
        "ongoing",
        "",
        "all",
        "any",
        "every",
        "checks",
        "rolls",
        "tests",
        "everything",
        "check",
        "roll",
        "d20",
        "ability",
    ];
    let named = |name: &str| known.on.get(name).cloned();
    let exact = named(words).or_else(|| named(name));
    let any = || ANY.contains(&name).then_some(EffectOn::Checks);
    let attacks = || ["attack", "attacks"].contains(&name).then_some(EffectOn::Attacks);
    exact.or_else(any).or_else(|| named(name.strip_suffix('s')?)).or_else(attacks)
}
