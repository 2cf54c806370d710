//! Slips of a finger in notation: letters and signs the wrong way round, missing or misspelt, and numbers that are written in
//! another way.

use crate::error::Rewrite;
use crate::expression::advantage::WORDS as ADVANTAGE;
use crate::expression::tree::Function;
use crate::modifiers::{self};

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
    let functions = Function::NAMED.into_iter().map(Function::as_str);
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

/// `1 000` and `1,000` for `1000`.
pub(super) fn one_number(before: &str, rest: &str) -> Option<String> {
    let before = before.trim_end();
    let rest = rest.strip_prefix(',').unwrap_or(rest);
    let ends = before.ends_with(|char: char| char.is_ascii_digit());
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    (ends && digits == 3).then(|| format!("{before}{rest}"))
}

/// `2d6+1,5` for `2d6+1.5`: a comma between digits separates nothing.
pub(super) fn decimal_comma(text: &str, before: &str, rest: &str) -> Option<Rewrite> {
    let digits = rest.strip_prefix(',').filter(|digits| digits.starts_with(|char: char| char.is_ascii_digit()))?;
    let ends = before.ends_with(|char: char| char.is_ascii_digit());
    ends.then(|| Rewrite::new("for a decimal point").replace(0..text.len(), format!("{before}.{digits}")))
}

/// `.5` for `0.5`.
pub(super) fn bare_point(before: &str, rest: &str) -> Option<String> {
    let digits = rest.strip_prefix('.')?.starts_with(|char: char| char.is_ascii_digit());
    digits.then(|| format!("{before}0{rest}"))
}

/// `d1oo` for `d100`: the letter for the digit.
pub(super) fn letter_for_zero(before: &str, word: &str, after: &str) -> Option<String> {
    let digits = before.ends_with(|char: char| char.is_ascii_digit()) && !word.is_empty();
    let zeros = digits && word.bytes().all(|byte| byte == b'o');
    zeros.then(|| format!("{before}{}{after}", word.replace('o', "0")))
}

/// `bands 7 10` for `bands 7, 10`.
pub(super) fn bands_apart(before: &str, rest: &str) -> Option<String> {
    let behind = before.to_ascii_lowercase().rfind("bands")?;
    let numbers = format!("{}{rest}", before.get(behind + "bands".len()..)?);
    let each: Vec<&str> = numbers.split([' ', ',']).filter(|number| !number.is_empty()).collect();
    let whole = |number: &&str| number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let head = before.get(..behind)?;
    each.iter().all(whole).then(|| format!("{head}bands {}", each.join(", ")))
}

/// `≥`, `≤`, `≠`, dashes and signs as wide as ideographs, in the characters that are read.
pub(super) fn plain_signs(text: &str) -> Option<String> {
    let plain: String = text
        .chars()
        .map(|char| match char {
            '≥' => ">=".to_owned(),
            '≤' => "<=".to_owned(),
            '≠' => "<>".to_owned(),
            '—' | '―' | '‐' | '‑' => "-".to_owned(),
            '\u{a0}' | '\u{202f}' | '\u{3000}' => " ".to_owned(),
            // The wide forms of ASCII stand in its order.
            '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(char) - 0xfee0).unwrap_or(char).to_string(),
            other => other.to_string(),
        })
        .collect();
    (plain != text).then_some(plain)
}
