//! What stands between two signs: dice, a number, braces, a name, or half or twice a name.

use super::dice::dice_mentions;
use super::scan::{skip_space, word_at};
use crate::rules::language::plain::Names;

/// Words that a name may have.
const NAME_WORDS_MAX: usize = 4;

/// What stands between two signs, in notation, and where it ends.
pub fn operand(words: &str, start: usize, names: &Names) -> Option<(usize, String)> {
    let rest = words.get(start..)?;
    if rest.starts_with('{') {
        let end = start + rest.find('}')? + 1;
        return Some((end, words.get(start..end)?.to_owned()));
    }
    if let Some(dice) = dice_mentions(rest).next().filter(|dice| dice.start == 0) {
        let end = start + dice.end;
        let modifiers = words.get(end..)?;
        let length = modifiers.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(modifiers.len());
        let full = words.get(start..end + length)?;
        if length > 0 && crate::dice::parse(full).is_ok() {
            return Some((end + length, full.to_owned()));
        }
        return Some((end, words.get(start..end)?.to_owned()));
    }
    let sign = if rest.starts_with(['-', '\u{2212}']) { rest.chars().next()?.len_utf8() } else { 0 };
    let number = rest.get(sign..)?;
    let digits = number.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(number.len());
    if digits > 0 {
        let minus = if sign > 0 { "-" } else { "" };
        if let Some((end, times)) = per_level(words, start + sign + digits) {
            return Some((end, format!("{minus}{} * {times}", number.get(..digits)?)));
        }
        return Some((start + sign + digits, format!("{minus}{}", number.get(..digits)?)));
    }
    for (word, before, after) in [("half", "floor(", " / 2)"), ("twice", "2 * ", ""), ("double", "2 * ", "")] {
        if let Some(then) = word_at(words, start, word) {
            let then = skip_space(words, then);
            let then = word_at(words, then, "of").map_or(then, |end| skip_space(words, end));
            if let Some((end, sum)) = together(words, then, names) {
                return Some((end, format!("{before}{sum}{after}")));
            }
            let (end, variable) = match words.get(then..)?.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
                Some((inner, _)) => (then + inner.len() + 2, inner.to_owned()),
                None => name(words, then, names)?,
            };
            return Some((end, format!("{before}{{{variable}}}{after}")));
        }
    }
    let alone = || name(words, start, names).map(|(end, variable)| (end, format!("{{{variable}}}")));
    together(words, start, names).or_else(alone)
}

/// `the sum of STR and CON`, `the average of STR, CON and SIZ`: two names or more.
fn together(words: &str, start: usize, names: &Names) -> Option<(usize, String)> {
    let start = word_at(words, start, "the").map_or(start, |end| skip_space(words, end));
    let kinds = [("sum", false), ("total", false), ("average", true), ("mean", true)];
    let (end, mean) = kinds.iter().find_map(|(word, mean)| Some((word_at(words, start, word)?, *mean)))?;
    let mut at = word_at(words, skip_space(words, end), "of")?;
    let mut all: Vec<String> = Vec::new();
    while let Some((end, variable)) = name(words, skip_space(words, at), names) {
        all.push(format!("{{{variable}}}"));
        at = end;
        let next = skip_space(words, end);
        let comma = words.get(next..).is_some_and(|rest| rest.starts_with(','));
        let next = if comma { skip_space(words, next + 1) } else { next };
        let and = word_at(words, next, "and");
        match (comma, and) {
            (false, None) => break,
            (_, and) if name(words, skip_space(words, and.unwrap_or(next)), names).is_none() => break,
            (_, and) => at = and.unwrap_or(next),
        }
    }
    let (sum, many) = (all.join(" + "), all.len());
    (many > 1).then(|| (at, if mean { format!("floor(({sum}) / {many})") } else { format!("({sum})") }))
}

/// What a number is multiplied by in `6 per level above the first`.
fn per_level(words: &str, start: usize) -> Option<(usize, &'static str)> {
    let mut at = start;
    for word in ["per", "level"] {
        at = word_at(words, skip_space(words, at), word)?;
    }
    let behind = |all: &[&str]| all.iter().try_fold(at, |at, word| word_at(words, skip_space(words, at), word));
    let above = [["above", "the", "first"], ["after", "the", "first"], ["beyond", "the", "first"]];
    let short = [["above", "first"], ["after", "first"], ["above", "1st"], ["after", "1st"]];
    let end = above.iter().find_map(|all| behind(all)).or_else(|| short.iter().find_map(|all| behind(all)));
    Some(end.map_or((at, "{level}"), |end| (end, "({level} - 1)")))
}

/// The longest known name that begins here.
pub(super) fn name(words: &str, start: usize, names: &Names) -> Option<(usize, String)> {
    let mut end = start;
    let mut best = None;
    for _ in 0..NAME_WORDS_MAX {
        let at = skip_space(words, end);
        let rest = words.get(at..)?;
        let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '\'' | '’' | '_' | '-');
        let length = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
        // A dash by itself is a sign, and no part of a name.
        if !rest.starts_with(char::is_alphanumeric) {
            break;
        }
        end = at + length;
        if let Some(variable) = words.get(start..end).and_then(|run| names.variable(run)) {
            best = Some((end, variable.to_owned()));
        }
    }
    best
}
