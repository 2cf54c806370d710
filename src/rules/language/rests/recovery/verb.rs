//! Reads the words before and behind a name for what becomes of it: `to max`, `clears`, `1d6`, `mark one box of`.

use super::recoverable::Recoverable;
use crate::dice::{Formula, parse_formula};
use crate::rules::language::number_words::number_word;
use crate::rules::language::rests::recovery::{Names, plain};
use crate::rules::language::rests::rest::RestEffect;

/// Words that an expression before a name has at most.
const EXPRESSION_WORDS_MAX: usize = 20;
/// What stands between a number and a name, and says nothing more: `one box of stress`.
const UNITS: [&str; 19] = [
    "box of",
    "boxes of",
    "segment of",
    "segments of",
    "step of",
    "steps of",
    "slot of",
    "slots of",
    "level of",
    "levels of",
    "point of",
    "points of",
    "mark of",
    "marks of",
    "tick of",
    "ticks of",
    "of",
    "your",
    "their",
];
const TO_MAX: [&str; 16] = [
    "to maximum",
    "to the maximum",
    "to their maximum",
    "to its maximum",
    "to max",
    "to full",
    "to the max",
    "to their max",
    "to its max",
    "return to max",
    "return to full",
    "returns to max",
    "returns to full",
    "back to max",
    "are full",
    "is full",
];
const CLEARED: [&str; 12] = [
    "clears",
    "clear",
    "heals",
    "heal",
    "is cleared",
    "are cleared",
    "is healed",
    "are healed",
    "is gone",
    "are gone",
    "goes away",
    "go away",
];
const EMPTIED: [&str; 3] = ["to 0", "to zero", "empties"];
/// Last words before a number that give it, beside those that clear: `a warm meal gives back 2 hit points`.
const GIVING: [&str; 20] = [
    "back",
    "gain",
    "gains",
    "get",
    "gets",
    "give",
    "gives",
    "mend",
    "mends",
    "recover",
    "recovers",
    "refresh",
    "refreshes",
    "regain",
    "regains",
    "restore",
    "restores",
    "return",
    "returns",
    "with",
];
/// Words behind a counted name that change nothing: `1d6 hit points back`.
const BACK: [&str; 22] = [
    "again",
    "are",
    "back",
    "clear",
    "clears",
    "cleared",
    "come",
    "comes",
    "each",
    "heal",
    "heals",
    "healed",
    "is",
    "left",
    "mend",
    "mends",
    "recovered",
    "regained",
    "restored",
    "return",
    "returns",
    "more",
];
/// Words behind a verb that change nothing: `stress clears completely`.
const WHOLLY: [&str; 12] =
    ["again", "all", "also", "at", "away", "completely", "entirely", "fully", "once", "too", "value", "wholly"];
/// Words before a name, articles aside, of which no more is known than that it is not all: `half of stress`.
const PARTLY: [&str; 22] = [
    "superficial",
    "aggravated",
    "light",
    "minor",
    "except",
    "few",
    "fewer",
    "half",
    "least",
    "less",
    "most",
    "much",
    "never",
    "no",
    "not",
    "of",
    "only",
    "quarter",
    "some",
    "third",
    "two-thirds",
    "without",
];
/// Words before a name that change nothing.
const ARTICLES: [&str; 7] = ["the", "your", "their", "its", "his", "her", "own"];
/// Verbs before `all`, or before the name itself.
const CLEARING: [&str; 8] = ["clear", "clears", "heal", "heals", "remove", "removes", "erase", "erases"];

/// What becomes of something.
#[derive(Debug, Clone)]
pub(super) enum Verb {
    Max,
    Clear,
    Zero,
    /// As good as it can be, whichever way it counts.
    Whole,
    Gives(Formula),
    Marks(u8),
    /// So much lower, whichever way it counts.
    Less(u8),
    /// So much higher.
    More(u8),
}

impl Verb {
    /// Whether it may be about several names.
    pub(super) fn is_shared(&self) -> bool {
        !matches!(self, Self::Gives(_) | Self::Marks(_) | Self::Less(_) | Self::More(_))
    }
}

pub(super) fn effects(of: &[&Recoverable], verb: &Verb) -> Vec<RestEffect> {
    let effect = |own: &&Recoverable| {
        let track = own.name.clone();
        let gives = |track: String, count: &u8| {
            Some(RestEffect::Gives { track, amount: parse_formula(&count.to_string()).ok()? })
        };
        Some(match verb {
            Verb::Max => RestEffect::ToMax { track },
            Verb::Clear => RestEffect::Clears { track },
            Verb::Zero => RestEffect::ToZero { track },
            Verb::Whole if own.fills => RestEffect::Clears { track },
            Verb::Whole => RestEffect::ToMax { track },
            Verb::Gives(amount) => RestEffect::Gives { track, amount: amount.clone() },
            Verb::Marks(count) => RestEffect::Marks { track, count: u32::from(*count) },
            Verb::Less(count) if own.fills => gives(track, count)?,
            Verb::More(count) if !own.fills => gives(track, count)?,
            Verb::Less(count) | Verb::More(count) => RestEffect::Marks { track, count: u32::from(*count) },
        })
    };
    of.iter().filter_map(effect).collect()
}

/// What the words around a name say, and whether the verb stands before it.
pub(super) fn verb(words: &str, before: &str, after: &str, names: &Names) -> (Option<Verb>, bool) {
    let after = ["boxes ", "box ", "slots ", "slot "].iter().find_map(|unit| after.strip_prefix(unit)).unwrap_or(after);
    // What stands behind one of these words, where they begin what stands behind the name.
    let behind = |openings: &[&str]| {
        let rest = openings.iter().find_map(|own| after.strip_prefix(own))?;
        (!rest.starts_with(char::is_alphanumeric)).then_some(rest)
    };
    let all_of_it = |rest: &str| says_only(rest, &WHOLLY) && !is_part(before);
    if let Some(rest) = behind(&TO_MAX) {
        return (all_of_it(rest).then_some(Verb::Max), false);
    }
    let says_no_more = || says_only(after, &BACK);
    if let Some(count) = marks(before) {
        return (Some(Verb::Marks(count)).filter(|_| says_no_more()), false);
    }
    if let Some(change) = changed(before) {
        return (change.filter(|_| says_no_more()), false);
    }
    if let Some((notation, is_given)) = amount(words, before, names) {
        let notation = if says_no_more() { Some(notation) } else { of_each(&notation, after, names) };
        return (notation.filter(|_| is_given).and_then(|own| gift(&own)).map(Verb::Gives), false);
    }
    let last = before.rsplit(' ').next().unwrap_or_default();
    let (all, verb) = match before.strip_suffix("all").or_else(|| before.strip_suffix("all the")) {
        Some(rest) => (true, rest.trim_end().rsplit(' ').next().unwrap_or_default()),
        None => (false, last),
    };
    if CLEARING.contains(&verb) {
        let verb = if verb.starts_with("heal") { Verb::Whole } else { Verb::Clear };
        return (Some(verb).filter(|_| all_of_it(after)), true);
    }
    if let Some(rest) = behind(&EMPTIED) {
        return (all_of_it(rest).then_some(Verb::Zero), false);
    }
    if let Some(rest) = behind(&CLEARED) {
        if let Some(number) = rest.strip_prefix(" by ").filter(|_| !is_part(before)) {
            return (by(number, names).map(Verb::Gives), false);
        }
        let verb = if after.starts_with("heal") { Verb::Whole } else { Verb::Clear };
        return (Some(verb).filter(|_| all_of_it(rest)), false);
    }
    ((all && all_of_it(after)).then_some(Verb::Whole), all)
}

/// `by 1`, `by one`, `by {CON}`: what stands behind a verb.
fn by(number: &str, names: &Names) -> Option<Formula> {
    let bare = number.trim_end_matches(['.', ' ']);
    let notation = match counted(bare) {
        Some(count) => count.to_string(),
        None => plain::whole(bare, names)?.notation,
    };
    gift(&notation)
}

/// Whether the words before a name say that it is not about all of it.
pub(super) fn is_part(before: &str) -> bool {
    let words = before.rsplit([',', ';']).next().unwrap_or_default();
    let last = words.rsplit(' ').find(|word| !word.is_empty() && !ARTICLES.contains(word));
    last.is_some_and(|word| PARTLY.contains(&word))
}

/// A number of points, which is none below zero.
fn gift(notation: &str) -> Option<Formula> {
    let formula = parse_formula(notation).ok()?;
    let is_gift = formula.bind(&mut |_| None).ok().and_then(|own| own.constant()).is_none_or(|points| points >= 0);
    is_gift.then_some(formula)
}

/// So many for each of what the words behind the name count: `2 hit points per level`.
fn of_each(notation: &str, after: &str, names: &Names) -> Option<String> {
    let counted = ["per ", "for each ", "for every ", "times "].iter().find_map(|each| after.strip_prefix(each))?;
    let factor = plain::whole(counted.strip_prefix("your ").unwrap_or(counted), names)?.notation;
    let Some((count, size)) = notation.split_once('d') else { return Some(format!("({notation}) * {factor}")) };
    size.parse::<u32>().ok()?;
    Some(match count {
        "" | "1" if factor.starts_with('{') && factor.ends_with('}') => format!("{factor}d{size}"),
        "" | "1" => format!("({factor})d{size}"),
        count => format!("({count} * {factor})d{size}"),
    })
}

/// The number before the name, an expression or `one`, and whether the words before it give it.
fn amount(words: &str, before: &str, names: &Names) -> Option<(String, bool)> {
    let bare = without_unit(before);
    let (start, notation) = match counted(bare.rsplit(' ').next().unwrap_or_default()) {
        Some(number) => (bare.rfind(' ').map_or(0, |at| at + 1), number.to_string()),
        None => ending(words.get(..bare.len())?, names)?,
    };
    let opening = bare.get(..start)?.trim_end_matches('+');
    let last = opening.trim_end().rsplit(' ').next().unwrap_or_default();
    let gives = || opening.ends_with(' ') && (GIVING.contains(&last) || CLEARING.contains(&last));
    Some((notation, last.is_empty() || gives()))
}

/// Whether words are these alone.
fn says_only(words: &str, known: &[&str]) -> bool {
    let end = |letter: char| letter.is_whitespace() || letter == '.';
    words.split(end).all(|word| word.is_empty() || known.contains(&word))
}

/// `mark one box of`, `mark two`, `mark`: how many are marked before the name.
fn marks(before: &str) -> Option<u8> {
    let words = before.rsplit([',', ';']).next()?.trim();
    let number = words.strip_prefix("mark").or_else(|| words.strip_prefix("tick"))?;
    match without_unit(number.strip_prefix('s').unwrap_or(number).trim()).trim() {
        "" | "the" => Some(1),
        number => counted(number).or_else(|| number.parse().ok()).filter(|count| *count > 0),
    }
}

/// `lose 2`, `2 less`: what is lost is no gift. `Some(None)` where it is not known how much, as with dice.
fn changed(before: &str) -> Option<Option<Verb>> {
    let words = before.rsplit([',', ';']).next()?.trim();
    let number = |words: &str| {
        let words = without_unit(words.trim()).trim();
        counted(words).or_else(|| words.parse().ok()).filter(|count| *count > 0)
    };
    let behind = |openings: &[&str]| openings.iter().find_map(|own| words.strip_prefix(own));
    let ending = |endings: &[&str]| endings.iter().find_map(|own| words.strip_suffix(own));
    if let Some(count) = behind(&["lose ", "loses ", "spend ", "spends "]) {
        return Some(number(count).map(Verb::Less));
    }
    if let Some(count) = behind(&["gain ", "gains "]) {
        return number(count).map(|count| Some(Verb::More(count)));
    }
    if let Some(count) = ending(&[" less", " fewer"]) {
        return Some(number(count).map(Verb::Less));
    }
    ending(&[" more"]).map(|count| number(count).map(Verb::More))
}

/// What stands before `box of` and its like.
fn without_unit(before: &str) -> &str {
    let bare = UNITS.iter().find_map(|unit| {
        let rest = before.strip_suffix(unit)?;
        rest.ends_with(' ').then(|| rest.trim_end())
    });
    bare.unwrap_or(before)
}

/// A small number in letters.
fn counted(word: &str) -> Option<u8> {
    match word {
        "a" | "an" => Some(1),
        word => number_word(word, 1..=4).and_then(|number| u8::try_from(number).ok()),
    }
}

/// The longest expression with which the words end, and where it begins.
fn ending(words: &str, names: &Names) -> Option<(usize, String)> {
    let starts = words.char_indices().rev().filter(|(at, letter)| {
        let before = words.get(..*at).and_then(|before| before.chars().next_back());
        !letter.is_whitespace() && !before.is_some_and(|before| before.is_alphanumeric() || "{([)]}".contains(before))
    });
    let starts: Vec<usize> = starts.map(|(at, _)| at).take(EXPRESSION_WORDS_MAX).collect();
    starts.into_iter().rev().find_map(|at| {
        let signs = plain::in_signs(words.get(at..)?, names);
        let found = plain::expression_at(words, at, names).filter(|found| found.at.end == words.len());
        let notation = Some(signs).filter(|own| parse_formula(own).is_ok()).or(found.map(|found| found.notation))?;
        Some((at, notation))
    })
}
