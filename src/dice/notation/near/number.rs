//! Numbers that are written in another way.

use crate::dice::error::Rewrite;

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
