//! Expressions as people write them in prose: "d20 + DEX modifier", "10 + CON modifier", "half DEX".
//!
//! ```text
//! plain   = operand { ("+"|"-"|"*"|"×"|"/"|"plus"|"minus"|"times") operand }
//! operand = dice | [ "-" ] NUMBER | "{" … "}" | ("half"|"twice") [ "of" ] name | name       name = one to four known words
//! ```
//!
//! The result is notation, which the dice engine then reads like any other.

use std::ops::Range;

use super::names::Names;

/// Words that a name may have.
const NAME_WORDS_MAX: usize = 4;
/// Operands of one expression; what follows is not read.
const OPERANDS_MAX: usize = 20;

/// An expression found in prose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Its bytes in the words.
    pub at: Range<usize>,
    /// It in notation.
    pub notation: String,
}

/// The longest expression that begins here.
pub fn expression_at(words: &str, start: usize, names: &Names) -> Option<Found> {
    let (mut end, mut notation) = operand(words, start, names)?;
    for _ in 1..OPERANDS_MAX {
        let Some((after, sign)) = operator(words, skip_space(words, end)) else {
            break;
        };
        let Some((next, piece)) = operand(words, skip_space(words, after), names) else {
            break;
        };
        notation = format!("{notation} {sign} {piece}");
        end = next;
    }
    Some(Found { at: start..end, notation })
}

/// The whole of the words as an expression; none when anything is left over but a full stop.
pub fn whole(words: &str, names: &Names) -> Option<Found> {
    let start = skip_space(words, 0);
    let found = expression_at(words, start, names)?;
    let rest = words.get(found.at.end..)?;
    rest.trim_matches(|letter: char| letter.is_whitespace() || letter == '.').is_empty().then_some(found)
}

/// The words with a sign for each word that means one and braces around each known name; what else stands there stays as it
/// is. What comes of it is notation only where the words were an expression.
pub fn in_signs(words: &str, names: &Names) -> String {
    let mut notation = String::with_capacity(words.len());
    let mut at = 0;
    while let Some(letter) = words.get(at..).and_then(|rest| rest.chars().next()) {
        let begins_word =
            !words.get(..at).and_then(|before| before.chars().next_back()).is_some_and(char::is_alphanumeric);
        let called =
            || name(words, at, names).filter(|(end, _)| !words.get(*end..).unwrap_or_default().starts_with('('));
        let braces = words.get(at..).filter(|_| letter == '{').and_then(|rest| rest.find('}'));
        let (end, piece) = if let Some(length) = braces {
            (at + length + 1, words.get(at..at + length + 1).unwrap_or_default().to_owned())
        } else if let Some((end, sign)) = operator(words, at).filter(|_| begins_word || !letter.is_alphabetic()) {
            (end, sign.to_owned())
        } else if let Some((end, variable)) = (begins_word && letter.is_alphabetic()).then(called).flatten() {
            (end, format!("{{{variable}}}"))
        } else {
            (at + letter.len_utf8(), letter.to_string())
        };
        notation.push_str(&piece);
        at = end.max(at + 1);
    }
    notation
}

/// Whether words begin with a sign that adds, takes away or multiplies; a dash between words is none.
pub fn begins_with_sign(words: &str) -> bool {
    let words = words.trim_start();
    let dash = words.starts_with('\u{2013}') && words.chars().nth(1).is_none_or(char::is_whitespace);
    !dash && operator(words, 0).is_some()
}

/// The first expression that begins with dice.
pub fn first_dice(words: &str, names: &Names) -> Option<Found> {
    let start = dice_mentions(words).next()?.start;
    expression_at(words, start, names)
}

/// A sign behind an expression that ends here with nothing to add behind it: `1d20 + + modifiers`, `1d20 +.`; both signs.
pub fn dangling(words: &str, end: usize) -> Option<Range<usize>> {
    let start = skip_space(words, end);
    let (after, _) = operator(words, start)?;
    let next = skip_space(words, after);
    let letter = words.get(next..)?.chars().next();
    match operator(words, next) {
        Some((second, _)) => Some(start..second),
        None if letter.is_none_or(|letter| matches!(letter, '.' | ',' | ';' | ')')) => Some(start..after),
        None => None,
    }
}

/// A name that is added to an expression that ends here, and means nothing: `d20 + FOO modifier`. A word that is neither a short
/// form in capitals nor called a modifier is prose.
pub fn undeclared(words: &str, end: usize) -> Option<Range<usize>> {
    let (after, _) = operator(words, skip_space(words, end))?;
    let start = skip_space(words, after);
    let rest = words.get(start..)?;
    let length = rest.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(rest.len());
    let word = rest.get(..length)?;
    let is_short = length > 1 && word.chars().all(char::is_uppercase);
    let next = skip_space(words, start + length);
    let is_called = ["modifier", "bonus", "score"].iter().any(|called| word_at(words, next, called).is_some());
    (length > 0 && (is_short || is_called)).then(|| start..start + length)
}

/// Dice that nobody can roll: `2d-6`, `3d0`.
pub fn impossible_dice(words: &str) -> impl Iterator<Item = Range<usize>> {
    words.match_indices(['d', 'D']).filter_map(|(at, _)| {
        let before = words.get(..at)?;
        let digits = before.len() - before.trim_end_matches(|letter: char| letter.is_ascii_digit()).len();
        let glued = before.get(..at - digits)?.chars().next_back().is_some_and(char::is_alphanumeric);
        let size = words.get(at + 1..)?;
        let sign = usize::from(size.starts_with('-'));
        let number = size.get(sign..)?;
        let length = number.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(number.len());
        let end = number.get(length..)?.chars().next();
        let wrong = length > 0 && (sign > 0 || number.get(..length)?.bytes().all(|digit| digit == b'0'));
        (digits > 0 && !glued && wrong && !end.is_some_and(char::is_alphanumeric))
            .then(|| at - digits..at + 1 + sign + length)
    })
}

/// Every place where dice are named, counts included: `2d6`, `d%`, `4dF`.
pub fn dice_mentions(words: &str) -> impl Iterator<Item = Range<usize>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        while let Some(at) = words.get(from..)?.find(['d', 'D']).map(|offset| from + offset) {
            from = at + 1;
            let before = words.get(..at)?;
            let digits = before.len() - before.trim_end_matches(|letter: char| letter.is_ascii_digit()).len();
            let start = at - digits;
            let glued = words.get(..start)?.chars().next_back().is_some_and(char::is_alphanumeric);
            if let (false, Some(end)) = (glued, die_end(words, at + 1)) {
                from = end;
                return Some(start..end);
            }
        }
        None
    })
}

/// Where the size of a die that begins here ends: `20`, `%`, `F`.
fn die_end(words: &str, at: usize) -> Option<usize> {
    let rest = words.get(at..)?;
    let digits = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
    let end = match (digits, rest.chars().next()?) {
        (1..=4, _) => return Some(at + digits),
        (0, '%') => at + 1,
        (0, 'F' | 'f') => at + 1,
        _ => return None,
    };
    let glued = words.get(end..)?.chars().next().is_some_and(char::is_alphanumeric);
    (!glued).then_some(end)
}

fn operand(words: &str, start: usize, names: &Names) -> Option<(usize, String)> {
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
        return Some((start + sign + digits, format!("{minus}{}", number.get(..digits)?)));
    }
    for (word, before, after) in [("half", "floor(", " / 2)"), ("twice", "2 * ", ""), ("double", "2 * ", "")] {
        if let Some(then) = word_at(words, start, word) {
            let then = skip_space(words, then);
            let then = word_at(words, then, "of").map_or(then, |end| skip_space(words, end));
            let (end, variable) = name(words, then, names)?;
            return Some((end, format!("{before}{{{variable}}}{after}")));
        }
    }
    name(words, start, names).map(|(end, variable)| (end, format!("{{{variable}}}")))
}

/// The longest known name that begins here.
fn name(words: &str, start: usize, names: &Names) -> Option<(usize, String)> {
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

fn operator(words: &str, at: usize) -> Option<(usize, &'static str)> {
    let rest = words.get(at..)?;
    let sign = match rest.chars().next()? {
        '+' => "+",
        '-' | '\u{2212}' | '\u{2013}' => "-",
        '*' | '×' => "*",
        '/' | '÷' => "/",
        _ => {
            let named = [("plus", "+"), ("minus", "-"), ("times", "*")];
            return named.into_iter().find_map(|(word, sign)| Some((word_at(words, at, word)?, sign)));
        }
    };
    Some((at + rest.chars().next()?.len_utf8(), sign))
}

/// Where this word ends when it stands here, in any case.
fn word_at(words: &str, at: usize, word: &str) -> Option<usize> {
    let end = at + word.len();
    let written = words.get(at..end)?;
    let glued = words.get(end..)?.chars().next().is_some_and(char::is_alphanumeric);
    (written.eq_ignore_ascii_case(word) && !glued).then_some(end)
}

fn skip_space(words: &str, at: usize) -> usize {
    let rest = words.get(at..).unwrap_or_default();
    at + (rest.len() - rest.trim_start().len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Place, Span};
    use crate::rules::attribute::Attribute;
    use crate::rules::modifier::Modifier;

    fn names() -> Names {
        let attribute = |name: &str, abbr: &str| Attribute {
            name: name.into(),
            abbr: Some(abbr.into()),
            about: String::new(),
            range: None,
            modifier: Modifier::score(),
            place: Place::default(),
            span: Span::default(),
        };
        Names::of_attributes(&[attribute("Dexterity", "DEX"), attribute("Constitution", "CON")])
    }

    fn read(words: &str) -> Option<String> {
        whole(words, &names()).map(|found| found.notation)
    }

    #[test]
    fn plain_words_become_notation() {
        assert_eq!(read("10 + CON modifier").as_deref(), Some("10 + {CON}"));
        assert_eq!(read("d20 plus your Dexterity").as_deref(), Some("d20 + {DEX}"));
        assert_eq!(read("half DEX").as_deref(), Some("floor({DEX} / 2)"));
        assert_eq!(read("8 × level – 1.").as_deref(), Some("8 * {level} - 1"));
        assert_eq!(read("CON score + {class base}").as_deref(), Some("{CON score} + {class base}"));
        assert_eq!(read("10 + CON - 1").as_deref(), Some("10 + {CON} - 1"));
        assert_eq!(read("10 + luck"), None);
        assert_eq!(read("a hearty meal"), None);
    }

    #[test]
    fn names_get_braces_and_words_get_signs() {
        for (words, notation) in [
            ("1d20 + DEX", "1d20 + {DEX}"),
            ("floor(DEX / 2) plus your Constitution", "floor({DEX} / 2) + {CON}"),
            ("1d{trait}!! × {DEX=1}", "1d{trait}!! * {DEX=1}"),
            ("DEXTROUS surplus", "DEXTROUS surplus"),
        ] {
            assert_eq!(in_signs(words, &names()), notation);
        }
    }

    #[test]
    fn the_first_dice_in_prose_take_what_is_added() {
        let found = first_dice("Roll 1d20 + modifiers against a difficulty.", &names()).expect("dice");
        assert_eq!((found.at, found.notation.as_str()), (5..21, "1d20 + {modifier}"));
        let found = first_dice("initiative (d20 + DEX modifier), highest", &names()).expect("dice");
        assert_eq!(found.notation, "d20 + {DEX}");
        let found = first_dice("roll 2d6 + whatever", &names()).expect("dice");
        assert_eq!(found.notation, "2d6");
    }

    #[test]
    fn what_is_added_and_means_nothing_is_found() {
        let found = |words: &str| undeclared(words, 3).map(|at| words[at].to_owned());
        assert_eq!(found("d20 + FOO modifier").as_deref(), Some("FOO"));
        assert_eq!(found("d20 + FOO").as_deref(), Some("FOO"));
        assert_eq!(found("d20 + luck bonus.").as_deref(), Some("luck"));
        for prose in ["d20 + whatever helps", "d20, FOO", "d20", "d20 + "] {
            assert_eq!(found(prose), None, "{prose}");
        }
    }

    #[test]
    fn dice_that_nobody_can_roll_are_found() {
        let found = |words: &str| impossible_dice(words).map(|at| words[at].to_owned()).collect::<Vec<_>>();
        assert_eq!(found("Also 2d-6 and 3d0, 1d00."), ["2d-6", "3d0", "1d00"]);
        assert!(found("2d6-1d4, id0, d-6, add-0, 2d10, 3d0x, 2d - 6").is_empty());
    }

    #[test]
    fn a_sign_with_nothing_behind_it_dangles() {
        assert_eq!(dangling("1d20 + + modifiers", 4), Some(5..8));
        assert_eq!(dangling("1d20 +.", 4), Some(5..6));
        for fine in ["1d20 + luck", "1d20 against it", "1d20.", "1d20 - your best guess"] {
            assert_eq!(dangling(fine, 4), None, "{fine}");
        }
    }

    #[test]
    fn dice_are_found_and_words_are_not() {
        let found: Vec<&str> = "from d4 to D12, 4dF, d%; id3, add2, 3d, dfoo, d20kh1, d12345".split(' ').collect();
        let words = found.join(" ");
        let named: Vec<&str> = dice_mentions(&words).map(|at| &words[at]).collect();
        assert_eq!(named, ["d4", "D12", "4dF", "d%", "d20"]);
    }
}
