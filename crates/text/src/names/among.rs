//! Names at the beginning of what was typed, whose words belong together where a list says so.

use super::{fold, same};

/// How many of the first words name something of a list: the most that are one of its names, else
/// that are a word of one.
pub fn leading(words: &[&str], known: &[String]) -> Option<usize> {
    let is_name = |many: &usize| known.iter().any(|name| same(name, &first(words, *many)));
    let is_part = |many: &usize| {
        let words = fold(&first(words, *many));
        !words.is_empty()
            && known
                .iter()
                .any(|name| format!(" {} ", fold(name)).contains(&format!(" {words} ")))
    };
    (1..=words.len())
        .rev()
        .find(is_name)
        .or_else(|| (1..=words.len()).rev().find(is_part))
}

/// So many of the first words, as a text.
pub fn first(words: &[&str], many: usize) -> String {
    words.get(..many).unwrap_or_default().join(" ")
}

/// Whether a text is one of these names.
pub fn is_one_of(text: &str, known: &[String]) -> bool {
    known.iter().any(|name| same(name, text))
}

#[test]
fn the_longest_name_counts_and_else_a_word_of_one() {
    let known = ["Sabeth Quoin", "Sabeth", "Wrecker 1", "Jory Penrake"].map(str::to_owned);
    let many = |text: &str| leading(&text.split(' ').collect::<Vec<_>>(), &known);
    assert_eq!(many("sabeth quoin Lockpicking 15"), Some(2));
    assert_eq!(many("Sabeth Lockpicking"), Some(1));
    assert_eq!(many("jory Melee"), Some(1));
    assert_eq!(many("wrecker 1 Melee"), Some(2));
    assert_eq!(many("Jo Melee"), None);
    assert_eq!(many(""), None);
}
