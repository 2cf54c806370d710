//! How names are compared everywhere: folded, and with a suggestion when they miss.
//!
//! Authors, assistants and players write "Sleight of Hand", "sleight-of-hand" and "SLEIGHT_OF_HAND" and mean one
//! thing; nobody's keyboard agrees about accents. Two names are the same when their folded forms are equal.
//! Nothing is ever corrected silently: a near name is offered, never taken.

mod slip;

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

pub use slip::{Slip, slip};

/// Characters of a name that are compared; what is longer is cut, so that hostile input costs no more than this squared.
const COMPARED_CHARS_MAX: usize = 64;
/// Known names that are looked at for a suggestion; the rest are not offered.
const KNOWN_MAX: usize = 2_000;
/// Suggestions given.
const SUGGESTIONS_MAX: usize = 3;
/// Likeness (0 to 1) from which a name is offered.
const LIKENESS_MIN: f64 = 0.6;

/// The form in which names are compared: lower case, without Latin, Greek or Cyrillic accents, `-`, `_` and any white
/// space as one space, none at either end, curly apostrophes straight.
///
/// Folding twice is folding once (a property test).
pub fn fold(name: &str) -> String {
    // Most names are ASCII, which has neither accents nor letters of several parts; every call compares many.
    match name.is_ascii() {
        true => spelt(name.len(), lower(name)),
        false => decomposed(name),
    }
}

/// The letters of an ASCII name.
fn lower(name: &str) -> impl Iterator<Item = char> {
    name.chars().map(|letter| letter.to_ascii_lowercase())
}

fn decomposed(name: &str) -> String {
    spelt(name.len(), name.nfkd().flat_map(char::to_lowercase).nfkd())
}

fn spelt(capacity: usize, letters: impl Iterator<Item = char>) -> String {
    let mut folded = String::with_capacity(capacity);
    folded.extend(spaced(letters));
    folded
}

/// Letters without accents and what cannot be seen, with single spaces.
fn spaced(letters: impl Iterator<Item = char>) -> impl Iterator<Item = char> {
    let mut letters = letters.filter(|letter| !is_accent(*letter) && !is_invisible(*letter));
    // A gap is told by the letter behind it: there is none before the first and behind the last.
    let (mut begun, mut behind) = (false, None);
    std::iter::from_fn(move || {
        if let Some(letter) = behind.take() {
            return Some(letter);
        }
        let mut gap = false;
        let letter = letters.find(|letter| {
            gap |= is_gap(*letter);
            !is_gap(*letter)
        })?;
        let letter = if is_apostrophe(letter) { '\'' } else { letter };
        if gap && begun {
            behind = Some(letter);
            return Some(' ');
        }
        begun = true;
        Some(letter)
    })
}

/// Whether two names mean the same thing: whether they fold to the same form, without writing it down.
pub fn same(a: &str, b: &str) -> bool {
    match a.is_ascii() && b.is_ascii() {
        true => a == b || spaced(lower(a)).eq(spaced(lower(b))),
        false => fold(a) == fold(b),
    }
}

/// The known names most like the wanted one, best first, at most three, each once; empty when nothing is like it.
///
/// A name that begins with the wanted one (or the other way round) counts as very like: people abbreviate.
pub fn near<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let wanted = cut(&fold(wanted));
    if wanted.is_empty() {
        return Vec::new();
    }
    let mut scored: Vec<(f64, &str)> = known
        .into_iter()
        .take(KNOWN_MAX)
        .map(|name| (likeness(&wanted, &cut(&fold(name))), name))
        .filter(|(score, _)| *score >= LIKENESS_MIN)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut best: Vec<String> = Vec::new();
    for (_, name) in scored {
        if best.len() == SUGGESTIONS_MAX {
            break;
        }
        if !best.iter().any(|seen| seen == name) {
            best.push(name.to_owned());
        }
    }
    best
}

/// The known word of which `written` looks like a misspelling: one slip of the pen in three to five letters, two in more,
/// an added or missing plural `s`; never the word itself.
///
/// Much stricter than [`near`], because it is used to complain about words that may well be right.
pub fn misspelt<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    misspellings(written, known).first().copied()
}

/// Every known word that is as near to `written` as [`misspelt`]'s: with more than one, only the author knows which is meant.
pub fn misspellings<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let written = fold(written);
    let length = written.chars().count();
    if !(3..=COMPARED_CHARS_MAX).contains(&length) {
        return Vec::new();
    }
    let mut least = usize::MAX;
    let mut best: Vec<&str> = Vec::new();
    for name in known.into_iter().take(KNOWN_MAX) {
        let folded = fold(name);
        if folded == written {
            return Vec::new();
        }
        let allowed = if length.min(folded.chars().count()) >= 6 { 2 } else { 1 };
        let slips = strsim::osa_distance(&written, &cut(&folded));
        if slips <= allowed.min(least) {
            if slips < least {
                best.clear();
                least = slips;
            }
            if !best.iter().any(|seen| same(seen, name)) {
                best.push(name);
            }
        }
    }
    best
}

/// How alike two folded names are, from 0 to 1.
fn likeness(wanted: &str, name: &str) -> f64 {
    if wanted == name {
        return 1.0;
    }
    let spelling = strsim::normalized_damerau_levenshtein(wanted, name);
    let begins = wanted.chars().count() >= 3 && name.starts_with(wanted)
        || name.chars().count() >= 3 && wanted.starts_with(name);
    let word_shared =
        wanted.split(' ').any(|word| word.chars().count() >= 4 && name.split(' ').any(|other| other == word));
    let floor: f64 = match (begins, word_shared) {
        (true, _) => 0.85,
        (false, true) => 0.7,
        (false, false) => 0.0,
    };
    // Among names that begin alike the better spelling still comes first.
    floor.max(spelling) + if floor > 0.0 { spelling / 10.0 } else { 0.0 }
}

/// A text of at most `most` characters, `…` at its end when there was more.
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some(_) => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
        None => text.to_owned(),
    }
}

/// Characters of a name that are quoted back to whoever sent it.
const QUOTED_MAX: usize = 40;

/// A name as it is quoted back: short, on one line, and with nothing in it that a terminal obeys.
pub fn quoted(name: &str) -> String {
    printable(&shortened(name, QUOTED_MAX)).replace(['\n', '\t'], " ")
}

/// A text that a terminal can show without obeying it: control characters and those that turn the direction of
/// writing are shown as `\u{202e}`, line ends and tabs are kept.
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\n' | '\t' => shown.push(letter),
            letter if letter.is_control() || is_direction(letter) => shown.extend(letter.escape_unicode()),
            letter => shown.push(letter),
        }
    }
    shown
}

/// A text in which whatever turns the direction of writing is a `U+FFFD`; it stays JSON if it was.
pub fn undirected(text: &str) -> Cow<'_, str> {
    match text.contains(is_direction) {
        true => Cow::Owned(text.replace(is_direction, "\u{fffd}")),
        false => Cow::Borrowed(text),
    }
}

/// What keeps a text from being a name: nothing left to compare, or something in it that nobody sees.
pub fn unfit(name: &str) -> Option<&'static str> {
    if name.chars().any(is_direction) {
        return Some("it holds a character that turns the direction of writing");
    }
    if name.chars().any(|letter| is_invisible(letter) && !matches!(letter, '\u{200c}' | '\u{200d}')) {
        return Some("it holds a character that nobody sees");
    }
    fold(name).is_empty().then_some("there is nothing in it to read")
}

/// Whether a character turns the direction of writing for what follows it.
pub fn is_direction(letter: char) -> bool {
    matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn cut(name: &str) -> String {
    name.chars().take(COMPARED_CHARS_MAX).collect()
}

/// Combining marks of Latin, Greek and Cyrillic. The vowel signs of other scripts are letters, not accents.
fn is_accent(letter: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&letter) && is_combining_mark(letter)
}

fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}')
}

fn is_gap(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '-' | '_' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

fn is_apostrophe(letter: char) -> bool {
    matches!(letter, '\u{2018}' | '\u{2019}' | '\u{2bc}' | '`' | '\u{b4}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn case_accents_and_joints_fold() {
        assert_eq!(fold("  Sleight-of_Hand "), "sleight of hand");
        assert_eq!(fold("Dextérité"), "dexterite");
        assert_eq!(fold("THIEVES’ CANT"), "thieves' cant");
        assert!(same("Hit\u{a0}points", "hit  POINTS"));
        assert!(!same("Strength", "Stealth"));
    }

    #[test]
    fn a_half_written_name_is_offered_first() {
        let known = ["Lore", "Lockpicking", "Perception", "Athletics"];
        assert_eq!(near("Lockpick", known), ["Lockpicking"]);
        assert_eq!(near("percepton", known), ["Perception"]);
        assert!(near("zzz", known).is_empty());
        assert!(near("", known).is_empty());
    }

    #[test]
    fn a_name_is_something_that_can_be_seen() {
        for name in ["", " ", "\u{200b}", "--", "A\u{202e}nn", "A\u{2066}nn", "An\u{200b}n", "\u{feff}Ann", "\u{200d}"]
        {
            assert!(unfit(name).is_some(), "{name:?}");
        }
        for name in ["Ann", "Żółć", "e\u{301}lan", "李", "علی\u{200c}رضا", "🐉", "O'Neil-3"] {
            assert_eq!(unfit(name), None, "{name:?}");
        }
        assert!(same("e\u{301}lan", "\u{c9}lan") && same("Ann\u{200b}", "ann"));
    }

    #[test]
    fn what_is_quoted_back_is_short_and_obeyed_by_nobody() {
        assert_eq!(quoted("a\u{202e}b\u{1b}[31m\nc"), "a\\u{202e}b\\u{1b}[31m c");
        assert_eq!(quoted(&"x".repeat(5000)).chars().count(), 40);
        assert_eq!(shortened("żółw", 4), "żółw");
        assert_eq!(shortened("żółwie", 4), "żół…");
        assert_eq!(undirected("a\u{202e}b"), "a\u{fffd}b");
    }

    #[test]
    fn only_a_slip_is_a_misspelling() {
        let labels = ["Roll", "Target", "Succeed", "Range"];
        assert_eq!(misspelt("Rol", labels), Some("Roll"));
        assert_eq!(misspelt("targets", labels), Some("Target"));
        assert_eq!(misspelt("Roll", labels), None);
        assert_eq!(misspelt("Strength", labels), None);
    }

    proptest! {
        #[test]
        fn the_short_way_for_ascii_is_the_long_way(name in "[ -~\\t\\n\\r]{0,40}") {
            prop_assert_eq!(fold(&name), decomposed(&name));
        }

        #[test]
        fn names_are_the_same_that_fold_alike(a in "[ABab_ \\-'’é\u{301}]{0,6}", b in "[ABab_ \\-'’é\u{301}]{0,6}") {
            prop_assert_eq!(same(&a, &b), fold(&a) == fold(&b));
        }

        #[test]
        fn folding_twice_is_folding_once(name in "\\PC{0,40}") {
            prop_assert_eq!(fold(&fold(&name)), fold(&name));
        }

        #[test]
        fn any_two_names_are_compared(wanted in "\\PC{0,300}", known in proptest::collection::vec("\\PC{0,100}", 0..20)) {
            let best = near(&wanted, known.iter().map(String::as_str));
            prop_assert!(best.len() <= SUGGESTIONS_MAX);
        }
    }
}
