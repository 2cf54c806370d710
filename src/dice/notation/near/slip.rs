//! Slips of a finger in notation: letters and signs the wrong way round, missing or misspelt.

use crate::dice::expression::advantage::WORDS as ADVANTAGE;
use crate::dice::expression::tree::Function;
use crate::dice::modifiers::{self};

/// Words that are neither of advantage, nor of a function, nor of a modifier.
const OTHERS: [&str; 3] = ["repeat", "under", "bands"];

/// `4d6k3h` and `4d6hk3` for `4d6kh3`.
pub(super) fn swapped_keep(before: &str, word: &str, after: &str) -> Option<String> {
    if matches!(word, "hk" | "lk" | "hd" | "ld") {
        let swapped: String = word.chars().rev().collect();
        return Some(format!("{before}{swapped}{after}"));
    }
    if !matches!(word, "h" | "l") {
        return None;
    }
    let head = before.trim_end_matches(|char: char| char.is_ascii_digit());
    let number = before.get(head.len()..).unwrap_or("");
    head.ends_with(['k', 'K', 'd', 'D']).then(|| format!("{head}{word}{number}{after}"))
}

/// `4d6h3` for `4d6kh3`, right behind a die.
pub(super) fn bare_keep(before: &str, word: &str, after: &str) -> Option<String> {
    let sides = before.trim_end_matches(|char: char| char.is_ascii_digit());
    let die = sides.len() < before.len() && sides.ends_with(['d', 'D']);
    (die && matches!(word, "h" | "l")).then(|| format!("{before}k{word}{after}"))
}

/// `=>` for `>=`.
pub(super) fn swapped_sign(before: &str, rest: &str) -> Option<String> {
    let before = before.strip_suffix('=')?;
    let sign = rest.get(..1).filter(|sign| matches!(*sign, "<" | ">"))?;
    Some(format!("{before}{sign}={}", rest.get(1..)?))
}

/// `disadvantge` for `disadvantage`.
pub(super) fn misspelt(before: &str, word: &str, after: &str) -> Vec<String> {
    if word.len() < 3 {
        return Vec::new();
    }
    let functions = Function::ALL.into_iter().map(Function::as_str);
    let known = ADVANTAGE.into_iter().map(|(word, _)| word).chain(functions).chain(OTHERS);
    // Shorter words, and signs, are not taken for misspelt.
    let modifiers = modifiers::words().map(|word| word.text);
    let modifiers = modifiers.filter(|word| word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_alphabetic()));
    let mut near: Vec<(usize, &str)> = known
        .chain(modifiers)
        .map(|known| (strsim::damerau_levenshtein(word, known), known))
        .filter(|(distance, known)| *distance > 0 && *distance <= known.len() / 3)
        .collect();
    near.sort_unstable();
    near.dedup();
    near.into_iter().map(|(_, known)| format!("{before}{known}{after}")).collect()
}

/// A parenthesis too few or too many.
pub(super) fn unbalanced(text: &str, before: &str, rest: &str) -> Option<String> {
    let count = |wanted: char| text.matches(wanted).count();
    let (open, closed) = (count('('), count(')'));
    if open > closed {
        return Some(format!("{}{}", text.trim_end(), ")".repeat(open - closed)));
    }
    let extra = rest.strip_prefix(')')?;
    Some(format!("{before}{extra}"))
}

/// `!=` for `<>`: not equal, as programmers write it.
pub(super) fn unequal(before: &str, rest: &str) -> Option<String> {
    Some(format!("{before}<>{}", rest.strip_prefix("!=")?))
}

/// `2d6[fire]kh1` for `2d6kh1[fire]`: a label stands behind the modifiers.
pub(super) fn label_before(before: &str, rest: &str) -> Option<String> {
    let open = before.trim_end().strip_suffix(']')?.rfind('[')?;
    let (dice, label) = before.split_at_checked(open)?;
    let modifiers = rest.find(|char: char| char.is_ascii_whitespace() || "+-*/,)#[".contains(char));
    let (modifiers, after) = rest.split_at_checked(modifiers.unwrap_or(rest.len()))?;
    Some(format!("{}{modifiers}{}{after}", dice.trim_end(), label.trim_end()))
}
