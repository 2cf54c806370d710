//! Parts of a maximum in words: `half`, `three quarters of`, `40% of`, `1/5 of`.

use crate::rules::language::health::trigger::Part;
use crate::rules::language::number_words::number_word;
use crate::rules::language::range;

/// What a maximum is divided by, one of them and several.
const DIVISORS: [(&str, &str, i64); 9] = [
    ("half", "halves", 2),
    ("third", "thirds", 3),
    ("quarter", "quarters", 4),
    ("fourth", "fourths", 4),
    ("fifth", "fifths", 5),
    ("sixth", "sixths", 6),
    ("eighth", "eighths", 8),
    ("tenth", "tenths", 10),
    ("twentieth", "twentieths", 20),
];
/// Words between a part and what it is of.
const OWN: [&str; 7] = ["of ", "the ", "your ", "their ", "its ", "maximum ", "max "];
/// Words behind a number that change nothing: it is passed on the way to worse.
const AND_BEYOND: [&str; 6] = [" or more", " or less", " or lower", " or fewer", " or below", " or higher"];

/// A part, and the words behind it.
pub(super) fn part(words: &str) -> Option<(Part, &str)> {
    if let Some((number, rest)) = range::number(words) {
        if let Some(rest) = rest.trim_start().strip_prefix('%') {
            return Some((valid(number, 100)?, rest.trim_start()));
        }
        let (by, rest) = range::number(rest.strip_prefix('/')?)?;
        return Some((valid(number, by)?, rest.trim_start()));
    }
    let (first, behind) = words.split_once(' ')?;
    if let Some((_, _, by)) = DIVISORS.iter().find(|(one, ..)| *one == first) {
        return Some((valid(1, *by)?, behind));
    }
    let of = if ["a", "one", "an"].contains(&first) { 1 } else { number_word(first, 2..=19)? };
    let (second, rest) = behind.split_once(' ').unwrap_or((behind, ""));
    let (_, _, by) = DIVISORS.iter().find(|(one, many, _)| if of == 1 { *one == second } else { *many == second })?;
    Some((valid(of, *by)?, rest))
}

fn valid(of: i64, by: i64) -> Option<Part> {
    ((2..=100).contains(&by) && (1..by).contains(&of)).then_some(Part { of, by })
}

/// `at half hit points`, `at a third of hit points`, `at 40% of hit points`: which part, and the name of the track.
pub(super) fn at(folded: &str) -> Option<(Part, &str)> {
    let (part, mut name) = part(folded.strip_prefix("at ")?)?;
    while let Some(rest) = OWN.iter().find_map(|own| name.strip_prefix(own)) {
        name = rest;
    }
    (!name.is_empty()).then_some((part, name))
}

/// `half`, `a quarter of the maximum`: a part with nothing else behind it.
pub(super) fn of_maximum(words: &str) -> Option<Part> {
    let padded = format!("{words} ");
    let (part, mut rest) = part(&padded)?;
    while let Some(behind) = OWN.iter().find_map(|own| rest.strip_prefix(own)) {
        rest = behind;
    }
    rest.trim().is_empty().then_some(part)
}

/// The words without `or more` and the like at their end.
pub(super) fn bare(words: &str) -> &str {
    AND_BEYOND.iter().find_map(|own| words.strip_suffix(own)).unwrap_or(words)
}
