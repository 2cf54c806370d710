//! How names are compared everywhere: folded, and with a suggestion when they miss.
//!
//! Authors, assistants and players write "Sleight of Hand", "sleight-of-hand" and "SLEIGHT_OF_HAND"
//! and mean one thing; nobody's keyboard agrees about accents. Two names are the same when their
//! folded forms are equal. Nothing is ever corrected silently: a similar name is suggested, never
//! taken.

mod among;
mod everyday;
mod find;
mod quoted;
mod slip;
mod suggest;
mod written;

use std::fmt::Display;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

pub use among::{first, is_one_of, leading};
pub use everyday::is_everyday;
pub use find::{Found, Words, find};
pub use quoted::{
    for_markup, for_shell, in_one_line, is_direction, listed, printable, quoted, shortened,
    undirected,
};
pub use slip::{Slip, slip};
pub use suggest::{misspellings, misspelt, suggest};
pub use written::{Written, is_unspaced, written};

/// The folded name of something, also of several.
pub fn plurals(name: &str) -> impl Iterator<Item = String> {
    let name = fold(name);
    // `lily` and `lilies`, whichever of them the author wrote; `zombies` may be of `zombie`.
    let of_y = name.strip_suffix('y').map(|stem| format!("{stem}ies"));
    let of_ies = name
        .strip_suffix("ies")
        .map(|stem| ["y", "ie"].map(|ending| format!("{stem}{ending}")));
    let regular = ["", "s", "es"].map(|ending| format!("{name}{ending}"));
    regular
        .into_iter()
        .chain(of_y)
        .chain(of_ies.into_iter().flatten())
}

/// A number with the word that fits it: "1 entry", "3 entries".
pub fn counted<N: Display + PartialEq + From<u8>>(count: N, one: &str, many: &str) -> String {
    let word = if count == N::from(1) { one } else { many };
    format!("{count} {word}")
}

/// A name and the whole number after it, where there is one: `Burning 2`.
pub fn numbered(text: &str) -> (&str, Option<i64>) {
    match text
        .rsplit_once(' ')
        .map(|(name, number)| (name, number.parse::<i64>()))
    {
        Some((name, Ok(number))) => (name, Some(number)),
        Some((_, Err(_))) | None => (text, None),
    }
}

/// The form in which names are compared: lower case, without Latin, Greek or Cyrillic accents, `-`,
/// `_` and any white space as one space, none at either end, curly apostrophes straight, `ß` as
/// `ss`.
///
/// Folding twice is folding once (a property test).
pub fn fold(name: &str) -> String {
    // Most names are ASCII, which has neither accents nor letters of several parts; every call
    // compares many.
    if !name.is_ascii() {
        return decomposed(name);
    }
    // Of these again most are words with single spaces.
    let mut after_gap = true;
    let is_plain = name.chars().all(|letter| match letter {
        ' ' => !std::mem::replace(&mut after_gap, true),
        letter => {
            after_gap = false;
            !is_gap(letter) && !is_apostrophe(letter)
        }
    });
    if is_plain && !after_gap {
        return name.to_ascii_lowercase();
    }
    spaced(name.chars().map(lower)).collect()
}

/// An ASCII letter of a folded name.
fn lower(letter: char) -> char {
    match letter {
        '`' => '\'',
        letter => letter.to_ascii_lowercase(),
    }
}

fn decomposed(name: &str) -> String {
    let letters = name
        .nfkd()
        .flat_map(char::to_lowercase)
        .nfkd()
        .flat_map(|letter| match letter {
            // Two spellings of one word: mäßig, mässig.
            'ß' => ['s', 's'].into_iter().take(2),
            letter => [letter, letter].into_iter().take(1),
        });
    let mut folded = String::with_capacity(name.len());
    folded.extend(spaced(
        letters.filter(|letter| !is_accent(*letter) && !is_invisible(*letter)),
    ));
    folded
}

/// Letters with single spaces.
fn spaced(mut letters: impl Iterator<Item = char>) -> impl Iterator<Item = char> {
    // A gap is known by the letter after it: there is none before the first and after the last.
    let (mut begun, mut after_gap) = (false, None);
    std::iter::from_fn(move || {
        if let Some(letter) = after_gap.take() {
            return Some(letter);
        }
        let mut gap = false;
        let letter = letters.find(|letter| {
            gap |= is_gap(*letter);
            !is_gap(*letter)
        })?;
        let letter = if is_apostrophe(letter) { '\'' } else { letter };
        if gap && begun {
            after_gap = Some(letter);
            return Some(' ');
        }
        begun = true;
        Some(letter)
    })
}

/// Whether two names mean the same thing: whether they fold to the same form, without writing it
/// down.
#[inline]
pub fn same(a: &str, b: &str) -> bool {
    match (a.as_bytes(), b.as_bytes()) {
        // Most names differ in it.
        ([a, ..], [b, ..]) if differ(*a, *b) => false,
        _ => fold_alike(a, b),
    }
}

/// Whether two folded forms differ that are alike up to here, by letters that fold to themselves.
fn differ(a: u8, b: u8) -> bool {
    !a.eq_ignore_ascii_case(&b) && a.is_ascii_alphanumeric() && b.is_ascii_alphanumeric()
}

fn fold_alike(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let mut letters = a.bytes().zip(b.bytes());
    match letters.find(|(a, b)| !a.eq_ignore_ascii_case(b)) {
        Some((a, b)) if differ(a, b) => false,
        None if a.len() == b.len() => true,
        _ if a.is_ascii() && b.is_ascii() => {
            spaced(a.chars().map(lower)).eq(spaced(b.chars().map(lower)))
        }
        _ => fold(a) == fold(b),
    }
}

/// What keeps a text from being a name: nothing left to compare, or something in it that nobody
/// sees.
pub fn unfit(name: &str) -> Option<&'static str> {
    if name.chars().any(is_direction) {
        return Some("it holds a character that turns the direction of writing");
    }
    if name
        .chars()
        .any(|letter| is_invisible(letter) && !matches!(letter, '\u{200c}' | '\u{200d}'))
    {
        return Some("it holds a character that nobody sees");
    }
    fold(name)
        .is_empty()
        .then_some("there is nothing in it to read")
}

/// Combining marks of Latin, Greek and Cyrillic. The vowel signs of other scripts are letters, not
/// accents.
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
        assert!(same("mäßig", "mässig") && same("GROẞ", "gross"));
        assert!(!same("Strength", "Stealth"));
    }

    #[test]
    fn a_name_is_something_that_can_be_seen() {
        for name in [
            "",
            " ",
            "\u{200b}",
            "--",
            "A\u{202e}nn",
            "A\u{2066}nn",
            "An\u{200b}n",
            "\u{feff}Ann",
            "\u{200d}",
        ] {
            assert!(unfit(name).is_some(), "{name:?}");
        }
        for name in [
            "Ann",
            "Żółć",
            "e\u{301}lan",
            "李",
            "علی\u{200c}رضا",
            "🐉",
            "O'Neil-3",
        ] {
            assert_eq!(unfit(name), None, "{name:?}");
        }
        assert!(same("e\u{301}lan", "\u{c9}lan") && same("Ann\u{200b}", "ann"));
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
    }
}
