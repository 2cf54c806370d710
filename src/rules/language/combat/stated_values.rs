//! What the Combat section states for everybody who has no number of their own: a sentence
//! such as "People wear Armour 10, and 12 in a leather coat."
//!
//! Only numbers that the Target of a check asks for are looked for: any other would be shown as a rule, and never count.

use std::ops::Range;

use super::stated::Stated;
use crate::names::same;
use crate::rules::language::ledger::Ledger;
use crate::rules::language::outline::Outline;
use crate::rules::language::range;
use crate::rules::language::system::System;
use crate::rules::section::SectionKind;

/// Who a sentence about everybody is about.
const EVERYBODY: [&str; 11] = [
    "people",
    "ordinary people",
    "most people",
    "unarmoured people",
    "unarmored people",
    "everybody",
    "everyone",
    "anybody",
    "anyone",
    "an ordinary person",
    "a person",
];
/// What they do with the number.
const HAVE: [&str; 6] = ["wear", "wears", "have", "has", "get", "gets"];
/// Reads what is stated.
pub fn read(outline: &Outline<'_>, system: &System, ledger: &mut Ledger<'_>) -> Vec<Stated> {
    let asked = system.target_numbers();
    let mut all: Vec<Stated> = Vec::new();
    for name in asked {
        let found = outline.paragraphs(SectionKind::Combat).find_map(|text| {
            let (at, value) = in_prose(text.as_str(), &name)?;
            Some((text.span_of(at), value))
        });
        if let Some((span, value)) = found {
            let place = ledger.place(span);
            ledger.take(span);
            let text = format!(
                "{name} is {value} for everybody whose sheet has none; to be sure write `- {name} (base {value})` under Skills"
            );
            ledger.assume(text, Some(place.clone()));
            all.push(Stated { name, value, place });
        }
    }
    for hit in &system.to_hit {
        if let Some(value) = hit.stated.filter(|_| !all.iter().any(|own| same(&own.name, &hit.number))) {
            all.push(Stated { name: hit.number.clone(), value, place: hit.place.clone() });
        }
    }
    all
}

/// A number with nothing behind it that could change it.
fn alone(value: &str) -> Option<i64> {
    let (number, rest) = range::number(value)?;
    let rest = rest.trim_start();
    (rest.is_empty() || rest.starts_with([',', ';', '.', '('])).then_some(number)
}

/// "People wear Armour 10": where the name and its number stand in a sentence about everybody.
fn in_prose(words: &str, name: &str) -> Option<(Range<usize>, i64)> {
    sentences(words).find_map(|start| {
        let sentence = words.get(start..)?;
        let had = after(&HAVE, after(&EVERYBODY, sentence)?)?.trim_start();
        let behind = after(&[name], had)?.trim_start();
        let behind = after(&["of", "is"], behind).unwrap_or(behind);
        let number = alone(behind.trim_start()).or_else(|| {
            let (number, rest) = range::number(behind.trim_start())?;
            rest.trim_start().starts_with("and ").then_some(number)
        })?;
        let at = words.len() - had.len();
        Some((at..at + name.len(), number))
    })
}

/// What stands behind one of these phrases, where words begin with it.
fn after<'w>(phrases: &[&str], words: &'w str) -> Option<&'w str> {
    let words = words.trim_start();
    phrases.iter().find_map(|phrase| {
        let (found, rest) = words.split_at_checked(phrase.len())?;
        (found.eq_ignore_ascii_case(phrase) && rest.starts_with(char::is_whitespace)).then_some(rest)
    })
}

/// Where each sentence begins.
fn sentences(words: &str) -> impl Iterator<Item = usize> {
    let ends = words.char_indices().filter(|(_, letter)| matches!(letter, '.' | '!' | '?' | ';' | ':'));
    let behind = ends
        .map(|(at, _)| at + 1)
        .filter(|at| words.get(*at..).is_some_and(|rest| rest.starts_with(char::is_whitespace)));
    std::iter::once(0).chain(behind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_about_everybody_states_a_number() {
        let found = |words: &str, name: &str| in_prose(words, name).map(|(at, value)| (words[at].to_owned(), value));
        let armour = |value| Some(("Armour".to_owned(), value));
        assert_eq!(found("Add STR. People wear Armour 10, and 12 in a leather coat.", "Armour"), armour(10));
        assert_eq!(found("Everybody has Armour of 8 and hopes.", "Armour"), armour(8));
        assert_eq!(found("an ordinary person has armour class 10.", "armour class").map(|(_, value)| value), Some(10));
        for prose in [
            "Knights wear Armour 16.",
            "People wear Armour.",
            "People wear Armour 10d6.",
            "People who wear Armour 12 sink.",
            "People have 10 fingers.",
            "People wear Armour 10-12.",
        ] {
            assert_eq!(found(prose, "Armour"), None, "{prose}");
        }
    }
}
