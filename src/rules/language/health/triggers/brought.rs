//! Reads what a trigger brings: conditions, changes of tracks, and what more where somebody has a condition already.

use crate::rules::document::Text;
use crate::rules::language::declaration::bracketed;
use crate::rules::language::health::trigger::AlsoWith;
use crate::rules::language::rests::{RestEffect, read as rests};
use crate::rules::language::system::System;

/// Words that a condition's name has at most; more is a sentence.
const CONDITION_WORDS_MAX: usize = 4;

/// What a trigger's words come to.
#[derive(Default)]
pub(super) struct Brought {
    pub(super) conditions: Vec<String>,
    pub(super) also: Vec<AlsoWith>,
    pub(super) effects: Vec<RestEffect>,
    /// The first part that is something else.
    pub(super) left: Option<Text>,
}

/// The conditions before the first semicolon; behind it what becomes of tracks, and `with a wound, dying`.
pub(super) fn brought(value: &Text, system: &System) -> Brought {
    let clauses = value.split_all(&[";"]);
    let mut brought = Brought::default();
    let Some((first, others)) = clauses.split_first() else { return brought };
    for part in first.split_all(&[",", " and ", "."]) {
        let (name, bracket) = bracketed(&part);
        if let Some(effects) = rests::plain_effect(&part, system) {
            brought.effects.extend(effects);
        } else if is_name(&name) {
            brought.conditions.push(name.as_str().to_owned());
            brought.left = brought.left.or(bracket);
        } else {
            brought.left = brought.left.or(Some(part));
        }
    }
    for clause in others {
        if let Some(also) = also(clause) {
            brought.also.push(also);
        } else if let Some(effects) = rests::plain_effect(clause, system) {
            brought.effects.extend(effects);
        } else {
            brought.left = brought.left.or(Some(clause.clone()));
        }
    }
    brought
}

/// `with a major wound, dying`.
fn also(clause: &Text) -> Option<AlsoWith> {
    let parts = clause.split_all(&[",", " and "]);
    let (with, conditions) = parts.split_first()?;
    let condition =
        ["with a ", "with an ", "with the ", "with "].iter().find_map(|word| with.as_str().strip_prefix(word))?;
    let named = conditions.iter().all(is_name) && !conditions.is_empty();
    let names = || conditions.iter().map(|name| name.as_str().to_owned()).collect();
    named.then(|| AlsoWith { condition: condition.trim().to_owned(), conditions: names() })
}

/// A few words that do not begin with a number: `2 less hit points` is something else.
fn is_name(text: &Text) -> bool {
    // `dead, unless saved`
    const DEPENDS: [&str; 8] = ["unless ", "if ", "when ", "until ", "except ", "but ", "or ", "and "];
    let lower = text.as_str().to_ascii_lowercase();
    if DEPENDS.iter().any(|word| lower.starts_with(word)) {
        return false;
    }
    let numbered =
        text.as_str().trim_start_matches(['+', '-', '\u{2212}', ' ']).starts_with(|own: char| own.is_ascii_digit());
    !numbered && (1..=CONDITION_WORDS_MAX).contains(&text.as_str().split_whitespace().count())
}
