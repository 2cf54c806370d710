//! The words that are known.

/// Words that mean nothing here.
pub(super) const FILLERS: [&str; 14] =
    ["roll", "a", "an", "the", "with", "and", "for", "please", "modifier", "mod", "bonus", "dice", "die", "check"];

/// Words that notation knows itself.
pub(super) const NOTATION: [&str; 10] =
    ["d", "df", "adv", "advantage", "dis", "disadv", "disadvantage", "vs", "under", "bands"];

/// Every other word with a meaning, for "did you mean".
pub(super) const MEANINGS: [&str; 27] = [
    "against",
    "plus",
    "minus",
    "times",
    "divided",
    "percentile",
    "sided",
    "keep",
    "take",
    "drop",
    "highest",
    "lowest",
    "reroll",
    "rerolling",
    "exploding",
    "explode",
    "explodes",
    "count",
    "counting",
    "minimum",
    "maximum",
    "success",
    "successes",
    "higher",
    "more",
    "fudge",
    "fate",
];

/// What a target is called.
pub(super) const TARGETS: [&str; 8] = ["dc", "ac", "tn", "difficulty", "target", "armor", "armour", "defense"];

/// Which end of the dice a word names: `h` or `l`.
pub(super) fn end(word: &str) -> Option<char> {
    match word {
        "highest" | "higher" | "best" | "better" | "top" | "largest" => Some('h'),
        "lowest" | "lower" | "worst" | "worse" | "bottom" | "smallest" => Some('l'),
        _ => None,
    }
}

const NUMBERS: [&str; 21] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
];

/// The value of `zero` to `twenty`.
pub(super) fn number(word: &str) -> Option<i64> {
    let place = NUMBERS.iter().position(|known| *known == word)?;
    i64::try_from(place).ok()
}

/// The value of `ones` to `twenties`, and of `sixes`.
pub(super) fn plural(word: &str) -> Option<i64> {
    match word {
        "sixes" => Some(6),
        "twenties" => Some(20),
        _ => number(word.strip_suffix('s')?),
    }
}

/// The known word that is nearest to `word`, if one is near.
pub(super) fn near(word: &str) -> Option<&'static str> {
    let known = FILLERS.into_iter().chain(NOTATION).chain(MEANINGS).chain(NUMBERS);
    known
        .filter(|known| known.len() > 3)
        .map(|known| (strsim::damerau_levenshtein(word, known), known))
        .filter(|(distance, known)| *distance <= known.len() / 3)
        .min()
        .map(|(_, known)| known)
}
