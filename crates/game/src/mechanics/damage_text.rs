//! Damage as people write it: on a sheet, in a stat block, in a call.
//!
//! ```text
//! damage = part { separator part }      separator = "plus" | "and" | ";" | ","
//! part   = amount [ type ]              1d6+3 slashing, 1d6+3 (slashing), 7 (1d8 + 3) slashing damage
//! ```

use crate::record::state::AttackDamage;
use rollbook_dice::{Formula, parse_formula};
use rollbook_text::names::fold;

/// Words between two parts.
const SEPARATORS: [&str; 4] = [" plus ", " and ", ";", ","];
/// Bytes of an amount, and of a type.
const BYTES_MAX: usize = 80;
/// Bytes of a whole text.
const TEXT_MAX: usize = 300;
/// Parts of a text. Stat blocks have two or three.
const PARTS_MAX: usize = 8;

/// The parts of a text, 1 to 8 of them within 300 bytes; `None` where it is anything else.
pub fn read(text: &str) -> Option<Vec<AttackDamage>> {
    if text.len() > TEXT_MAX { None } else { parts(text, PARTS_MAX) }
}

fn parts(text: &str, most: usize) -> Option<Vec<AttackDamage>> {
    let left = most.checked_sub(1)?;
    // The whole may have a comma of its own: `max(1, 1d6)`.
    if let Some(only) = part(text) {
        return Some(vec![only]);
    }
    let at = SEPARATORS.iter().flat_map(|own| text.match_indices(own));
    let mut at: Vec<(usize, &str)> = at.collect();
    at.sort_unstable();
    at.into_iter().find_map(|(at, separator)| {
        let first = part(text.get(..at)?)?;
        let rest = parts(text.get(at + separator.len()..)?, left)?;
        Some(std::iter::once(first).chain(rest).collect())
    })
}

/// `1d6+3 slashing`: the longest beginning that is dice, and the type behind it.
fn part(text: &str) -> Option<AttackDamage> {
    let text = text.trim().trim_end_matches('.');
    // `7 (1d8 + 3) slashing`: the average stands before the dice.
    let inner = text.split_once('(').filter(|(average, _)| average.trim().parse::<i64>().is_ok());
    if let Some((dice, kind)) = inner.and_then(|(_, rest)| rest.split_once(')'))
        && let Some(formula) = formula(dice)
    {
        return with_type(&formula, kind);
    }
    let ends = text.char_indices().filter(|(_, letter)| letter.is_whitespace()).map(|(at, _)| at);
    let mut ends: Vec<usize> = ends.chain([text.len()]).collect();
    ends.reverse();
    ends.into_iter().find_map(|end| {
        let (amount, kind) = text.split_at_checked(end)?;
        with_type(&formula(amount)?, kind)
    })
}

/// The dice of an amount. `1d8/1d10` is no division: it is said of a weapon that may be held in two ways.
pub fn formula(text: &str) -> Option<Formula> {
    let text = text.trim();
    let divided = text.split('/').skip(1).any(has_dice);
    (!text.is_empty() && text.len() <= BYTES_MAX && !divided).then(|| parse_formula(text).ok())?
}

/// Whether a text begins with dice: `1d8`, `d6`, `2d6 halved`.
pub fn has_dice(text: &str) -> bool {
    let behind = text.trim_start().trim_start_matches(|letter: char| letter.is_ascii_digit());
    behind
        .strip_prefix(['d', 'D'])
        .is_some_and(|rest| rest.starts_with(|letter: char| letter.is_ascii_digit() || letter == '%'))
}

fn with_type(amount: &Formula, kind: &str) -> Option<AttackDamage> {
    let kind = kind.trim();
    let bare = kind.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(kind).trim();
    let bare = bare.strip_suffix("damage").or_else(|| bare.strip_prefix("damage ")).unwrap_or(bare).trim();
    let kind = (!bare.is_empty()).then(|| bare.to_owned());
    let own = AttackDamage { amount: amount.to_string(), damage_type: kind };
    own.damage_type.as_deref().is_none_or(is_type).then_some(own)
}

/// Words that no damage type has: those of sentences, and those that turn the number round.
const NO_TYPE: [&str; 25] = [
    "and", "plus", "or", "the", "a", "damage", "if", "when", "on", "to", "with", "per", "each", "only", "half",
    "halved", "twice", "double", "doubled", "minus", "less", "times", "more", "vs", "against",
];

/// Whether a text can be a damage type: up to three words of letters.
pub fn is_type(text: &str) -> bool {
    let letters = |letter: char| letter.is_alphabetic() || matches!(letter, '-' | '\'');
    let word = |word: &str| word.chars().all(letters) && !NO_TYPE.contains(&fold(word).as_str());
    let words = text.split(' ');
    text.len() <= BYTES_MAX
        && text.starts_with(char::is_alphabetic)
        && words.clone().count() <= 3
        && words.clone().all(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_many_parts_is_none_however_long_it_is() {
        assert_eq!(read(&["1"; PARTS_MAX].join(",")).map(|parts| parts.len()), Some(PARTS_MAX));
        assert_eq!(read(&["1"; PARTS_MAX + 1].join(",")), None);
        for separator in SEPARATORS {
            for times in [40, 15_000] {
                assert_eq!(read(&format!("{}1!", format!("1{separator}").repeat(times))), None);
            }
        }
        assert_eq!(read("max(1, 1d6) fire and 1d8 cold").map(|parts| parts.len()), Some(2));
    }
}
