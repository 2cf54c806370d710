//! Rests and ends of scenes in the Health section.

use super::recovery::{self, Recovery, recoverable, recoverable_with_shared};
use super::rest::{Rest, RestEffect};
use crate::diagnostic::Diagnostic;
use crate::names::{fold, same};
use crate::rules::codes;
use crate::rules::document::Text;
use crate::rules::language::declaration::bracketed;
use crate::rules::language::health::{Direction, Trigger};
use crate::rules::language::labels::{Labelled, is_mechanical};
use crate::rules::language::ledger::{Ledger, Scope, Written};
use crate::rules::language::names::Names;
use crate::rules::language::system::System;
use crate::rules::language::time_words::span;

/// Labels after which tracks change.
const LABELS: [&str; 16] = [
    "rest",
    "breather",
    "heal up",
    "full heal up",
    "short rest",
    "long rest",
    "full rest",
    "night's rest",
    "end of scene",
    "end of the scene",
    "end of session",
    "end of the session",
    "end of fight",
    "end of the fight",
    "end of combat",
    "end of the combat",
];
/// What a condition does when it is over.
const ENDING: [&str; 10] =
    [" clears", " clear", " ends", " end", " is gone", " are gone", " lifts", " passes", " fades", " is over"];
/// What ends a condition that is named behind it.
const LOSING: [&str; 4] = ["lose ", "loses ", "clear ", "remove "];
/// Every condition of the rules.
const EVERY: [&str; 5] =
    ["all conditions", "all the conditions", "all your conditions", "every condition", "conditions"];
/// Words of a condition's name at most; more is a sentence.
const CONDITION_WORDS_MAX: usize = 4;
/// A number of these is how long a rest is.
const TIMES: [&str; 6] = ["minute", "hour", "day", "night", "week", "month"];

/// Whether a bullet with this folded label is a rest.
pub fn is_rest(label: &str) -> bool {
    LABELS.contains(&label) || (label.ends_with(" rest") && label != "the rest")
}

/// Reads a bullet as a rest; none when its label is none.
pub fn read(label: &Labelled, system: &System, names: &Names, ledger: &mut Ledger<'_>) -> Option<Rest> {
    let (name, bracket) = bracketed(&label.label);
    if !is_rest(&fold(name.as_str())) {
        return None;
    }
    let mut parsed = parse(&label.value, system, names);
    match bracket.map(|words| (how_long(words.as_str()), words)) {
        Some((Some(lasts), _)) if parsed.lasts.is_none() => parsed.lasts = Some(lasts),
        Some((_, words)) => parsed.unread.push(words),
        None => {}
    }
    for unread in &parsed.unread {
        ledger.left_to_gm(unread.span(), "this part of it is not carried out");
    }
    if parsed.is_empty() && parsed.unread.is_empty() {
        ledger.report(
            Diagnostic::note(codes::LEFT_TO_GM, format!("`{}` is left to the GM", label.label.as_str()))
                .at(label.value.span(), "no track is named here, or not what becomes of it")
                .help("write `hit points to max`, `1d6 hit points` or `stress clears`"),
        );
    }
    Some(rest(name.as_str(), (&label.value, parsed), label.value.as_str().to_owned(), label, ledger))
}

/// `Stress clears: end of scene`: the effect is the label, the rest is the value.
pub fn turned(label: &Labelled, system: &System, names: &Names, ledger: &mut Ledger<'_>) -> Option<Rest> {
    let when = fold(label.value.as_str().trim_end_matches('.'));
    if !is_rest(&when) {
        return None;
    }
    let parsed = parse(&label.label, system, names);
    if parsed.is_empty() {
        ledger.left_to_gm(label.label.span(), "no track is named here, or not what becomes of it");
        return None;
    }
    let mut name = when;
    if let Some(first) = name.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let text = format!("{}: {}", label.label.as_str(), label.value.as_str());
    Some(rest(&name, (&label.label, parsed), text, label, ledger))
}

/// `words` are those that say what it does.
fn rest(name: &str, (words, parsed): (&Text, Parsed), text: String, label: &Labelled, ledger: &mut Ledger<'_>) -> Rest {
    let Parsed { effects, shared, lasts, ends, .. } = parsed;
    let written = |effect: &RestEffect| match effect {
        RestEffect::Gives { amount, .. } => {
            Some(Written { formula: amount.clone(), text: words.clone(), scope: Scope::Character })
        }
        _ => None,
    };
    ledger.written.extend(effects.iter().filter_map(written));
    Rest {
        name: name.to_owned(),
        effects,
        shared,
        lasts,
        ends,
        text,
        place: ledger.place(label.span),
        span: label.span,
    }
}

/// What becomes of the tracks that these few words of a trigger name: `stress clears`, `hit points to max`.
pub fn plain_effect(part: &Text, system: &System) -> Option<Vec<RestEffect>> {
    let parts = recovery::clause(part, &recoverable(system), &Names::default());
    let effects: Option<Vec<Vec<RestEffect>>> = parts
        .into_iter()
        .map(|(_, recovery)| match recovery {
            Recovery::Effects(effects) => Some(effects),
            _ => None,
        })
        .collect();
    let effects: Vec<RestEffect> = effects?.into_iter().flatten().collect();
    let plain = effects.iter().all(|effect| !matches!(effect, RestEffect::Gives { .. }));
    (plain && !effects.is_empty()).then_some(effects)
}

/// What the words of a rest come to.
#[derive(Default)]
struct Parsed {
    effects: Vec<RestEffect>,
    /// The same of what all share.
    shared: Vec<RestEffect>,
    /// How long it takes, in seconds.
    lasts: Option<i64>,
    /// Conditions that end, as far as anybody has them.
    ends: Vec<String>,
    /// Parts that look like a rule.
    unread: Vec<Text>,
}

impl Parsed {
    /// Whether nothing of it is carried out.
    fn is_empty(&self) -> bool {
        self.effects.is_empty() && self.shared.is_empty() && self.ends.is_empty()
    }
}

fn parse(words: &Text, system: &System, names: &Names) -> Parsed {
    let mut parsed = Parsed::default();
    let all = recoverable_with_shared(system);
    let is_shared = |effect: &RestEffect| all.iter().any(|own| own.shared && own.name == effect.track());
    for clause in words.split_all(&[";", ",", ". "]) {
        if let Some(lasts) = how_long(clause.as_str()).filter(|_| parsed.lasts.is_none()) {
            parsed.lasts = Some(lasts);
            continue;
        }
        // `spent and shaken clear`: what has no verb of its own has that of its neighbour.
        let mut before: Vec<String> = Vec::new();
        for (part, recovery) in recovery::clause(&clause, &all, names) {
            match recovery {
                Recovery::Effects(effects) => {
                    let folded = fold(part.as_str());
                    if [" unless ", " except ", " but not "].iter().any(|word| folded.contains(word)) {
                        parsed.unread.push(part.clone());
                    }
                    let (shared, own): (Vec<RestEffect>, Vec<RestEffect>) = effects.into_iter().partition(is_shared);
                    // What all share has no dice: they are the GM's to roll.
                    match shared.iter().all(|effect| effect.constant().is_some()) {
                        true => parsed.shared.extend(shared),
                        false => parsed.unread.push(part),
                    }
                    parsed.effects.extend(own);
                }
                Recovery::Unclear => parsed.unread.push(part),
                Recovery::Nothing => match ended(&part) {
                    Some(condition) => parsed.ends.extend(before.drain(..).chain([condition])),
                    None if parsed.lasts.is_none() && how_long(part.as_str()).is_some() => {
                        parsed.lasts = how_long(part.as_str());
                    }
                    None if looks_like_a_rule(&part) => parsed.unread.push(part),
                    None => before.push(part.as_str().to_owned()),
                },
            }
        }
    }
    parsed
}

/// `8 hours`, `takes at least an hour`.
fn how_long(words: &str) -> Option<i64> {
    let lower = words.trim().to_lowercase();
    let mut bare = lower.as_str();
    for word in ["takes ", "lasts ", "for ", "at least ", "about "] {
        bare = bare.strip_prefix(word).unwrap_or(bare);
    }
    span(bare)
}

/// `dying clears`, `poisoned ends`, `lose every condition`.
fn ended(part: &Text) -> Option<String> {
    let words = part.as_str().trim_end_matches('.');
    let has_number = |name: &&str| name.contains(|letter: char| letter.is_ascii_digit());
    let behind = || LOSING.iter().find_map(|verb| words.strip_prefix(verb)).filter(|name| !has_number(name));
    let name = ENDING.iter().find_map(|ending| words.strip_suffix(ending)).or_else(behind)?.trim();
    (1..=CONDITION_WORDS_MAX).contains(&name.split_whitespace().count()).then(|| name.to_owned())
}

/// What somebody does, or has to do: `roll Usage`, `eat a ration`. "A night of sleep" is how it is told.
const ORDERS: [&str; 26] = [
    "roll", "rolls", "reroll", "rerolls", "eat", "eats", "drink", "drinks", "spend", "spends", "pay", "pays", "mark",
    "marks", "gain", "gains", "lose", "loses", "make", "makes", "use", "uses", "reset", "resets", "test", "tests",
];

/// What goes to its maximum, what is done, or a number that is not how long it takes.
fn looks_like_a_rule(part: &Text) -> bool {
    let folded = fold(part.as_str().trim_end_matches('.'));
    if folded.split(' ').next().is_some_and(|first| ORDERS.contains(&first)) {
        return true;
    }
    // "up to your maximum" is no limit: nothing goes beyond it.
    if let Some(bound) = folded.strip_prefix("up to ") {
        let bare = ["the ", "their ", "your "].iter().find_map(|own| bound.strip_prefix(own)).unwrap_or(bound);
        if ["max", "maximum"].contains(&bare) {
            return false;
        }
    }
    let to_max = ["to max", "to maximum", "to the maximum"].iter().any(|end| folded.ends_with(end));
    let limits =
        ["except", "unless", "but not ", "but for ", "only ", "up to ", "at most ", "no more than ", "if ", "half"];
    let seldom = ["once a ", "once per ", "twice a ", "twice per ", "times a ", "times per ", "per day", "per session"];
    to_max
        || seldom.iter().any(|words| folded.contains(words))
        || folded.ends_with(" only")
        || limits.iter().any(|word| folded.starts_with(word))
        || is_mechanical(part) && !folded.split(' ').any(|word| TIMES.contains(&word.strip_suffix('s').unwrap_or(word)))
}

/// Puts the rules' own spelling where a rest ends a condition. A name that is nobody's is reported.
pub fn resolve(system: &mut System, ledger: &mut Ledger<'_>) {
    assume_fills(system, ledger);
    let declared = system.conditions.iter().map(|own| &own.name);
    let brought = system.triggers.iter().flat_map(|own| own.conditions.iter().chain(also(own)));
    let known: Vec<String> = declared.chain(brought).map(String::clone).collect();
    let out: Vec<String> = system.ways_out().map(str::to_owned).collect();
    for rest in &mut system.rests {
        let is_every = |name: &String| EVERY.contains(&fold(name).as_str());
        if rest.ends.iter().any(is_every) {
            rest.ends.retain(|name| !is_every(name));
            rest.ends.extend(system.conditions.iter().map(|own| own.name.clone()));
        }
        rest.ends.retain_mut(|name| match known.iter().chain(&out).find(|own| same(own, name)) {
            Some(own) => {
                name.clone_from(own);
                true
            }
            None => {
                ledger.left_to_gm(rest.span, &format!("no track and no condition is called `{name}`"));
                false
            }
        });
    }
}

/// What fills up as things get worse is filled by `to max`.
fn assume_fills(system: &System, ledger: &mut Ledger<'_>) {
    let fills = |name: &str| system.track(name).is_ok_and(|track| track.counts == Direction::Up && !track.progress);
    for rest in &system.rests {
        let filled = rest.effects.iter().find(|own| matches!(own, RestEffect::ToMax { track } if fills(track)));
        if let Some(track) = filled.map(RestEffect::track) {
            let text = format!(
                "{} fills {track}, which counts up; `{} clears` empties it, and what is spent is declared as `- {track}: max 3, from 0`",
                rest.name,
                track.to_lowercase()
            );
            ledger.assume(text, Some(rest.place.clone()));
        }
    }
}

fn also(trigger: &Trigger) -> impl Iterator<Item = &String> {
    trigger.also.iter().flat_map(|also| &also.conditions)
}
