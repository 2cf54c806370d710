//! The words, numbers, signs and bits of notation of an English request.

use crate::text::is_minus;
use std::ops::Range;

/// One word, number, sign or bit of notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) token: Token,
    pub(super) text: String,
    /// Its bytes in the sentence.
    pub(super) span: Range<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// Letters, in lower case, perhaps with a hyphen.
    Word(String),
    /// `3`.
    Number(i64),
    /// `three`.
    Spelled(i64),
    /// `1s`, `ones`.
    Face(i64),
    /// `8+`.
    AtLeast(i64),
    Sign(char),
    Comma,
    /// Anything else, to be read as notation.
    Notation(String),
}

pub(super) const ARTICLES: [&str; 3] = ["a", "an", "the"];
pub(super) const FILLERS: [&str; 9] = [
    "roll", "throw", "toss", "cast", "me", "please", "at", "die", "dice",
];
pub(super) const JOINTS: [&str; 2] = ["and", "with"];
pub(super) const NOUNS: [&str; 3] = ["modifier", "mod", "bonus"];
pub(super) const ADVANTAGE: [&str; 5] = ["adv", "advantage", "dis", "disadv", "disadvantage"];
/// Every other word with a meaning.
pub(super) const OTHERS: &str = "plus minus of percentile keep drop highest lowest reroll rerolling exploding explode count counting \
                                 minimum or higher more hundred d df";

/// Whether it means nothing, apart from joining dice.
pub(super) fn is_filler(piece: &Piece) -> bool {
    piece.token == Token::Comma
        || [&FILLERS[..], &ARTICLES, &JOINTS]
            .iter()
            .any(|words| is_one_of(piece, words))
}

pub(super) fn is_one_of(piece: &Piece, words: &[&str]) -> bool {
    matches!(&piece.token, Token::Word(word) if words.contains(&word.as_str()))
}

/// The sentence in pieces. Brackets hold their content together, spaces and signs included.
pub(super) fn pieces(sentence: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut start = 0;
    while let Some(rest) = sentence.get(start..).filter(|rest| !rest.is_empty()) {
        let first = rest.chars().next().unwrap_or(' ');
        let mut end = start + first.len_utf8();
        let token = match first {
            _ if first.is_whitespace() => None,
            ',' => Some(Token::Comma),
            '+' => Some(Token::Sign('+')),
            _ if is_minus(first) => Some(Token::Sign('-')),
            _ => {
                end = start + run_length(rest);
                let run = sentence.get(start..end).unwrap_or_default();
                let after = sentence.get(end..).unwrap_or_default();
                let token = token_of(&run.to_lowercase(), after);
                end += usize::from(matches!(token, Token::AtLeast(_)));
                Some(token)
            }
        };
        let text = || sentence.get(start..end).unwrap_or_default().to_owned();
        pieces.extend(token.map(|token| Piece {
            token,
            text: text(),
            span: start..end,
        }));
        start = end;
    }
    pieces
}

/// Bytes up to the next space, comma or sign outside brackets; a hyphen between letters is none.
fn run_length(rest: &str) -> usize {
    let mut depth = 0_usize;
    for (at, char) in rest.char_indices() {
        match char {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            '-' if is_hyphen(rest, at) => {}
            ',' | '+' => return at,
            _ if is_minus(char) => return at,
            _ if char.is_whitespace() => return at,
            _ => {}
        }
    }
    rest.len()
}

fn is_hyphen(rest: &str, at: usize) -> bool {
    let (before, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
    before
        .chars()
        .all(|char| char.is_alphabetic() || char == '-')
        && after.chars().nth(1).is_some_and(char::is_alphabetic)
}

fn token_of(run: &str, after: &str) -> Token {
    let letters = run.trim_start_matches(|char: char| char.is_ascii_digit());
    let number = run
        .strip_suffix(letters)
        .and_then(|digits| digits.parse::<i64>().ok());
    let is_open = after
        .strip_prefix('+')
        .is_some_and(|after| !after.starts_with(|char: char| char.is_alphanumeric()));
    match (number, letters) {
        (Some(value), "") if is_open => Token::AtLeast(value),
        (Some(value), "") => Token::Number(value),
        (Some(face), "s") => Token::Face(face),
        _ if !run.chars().all(|char| char.is_alphabetic() || char == '-') => {
            Token::Notation(run.to_owned())
        }
        _ => match (spelled(run), face(run)) {
            (Some(value), _) => Token::Spelled(value),
            (None, Some(face)) => Token::Face(face),
            (None, None) => Token::Word(run.to_owned()),
        },
    }
}

const ONES: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen \
                    seventeen eighteen nineteen";
const TENS: &str = "twenty thirty forty fifty sixty seventy eighty ninety";

/// The value of `zero` to `ninety-nine`, and of `hundred`.
pub(super) fn spelled(word: &str) -> Option<i64> {
    let place = |words: &str, word: &str| words.split(' ').position(|known| known == word);
    let value = match word.split_once('-') {
        Some((tens, ones)) => {
            (place(TENS, tens)? + 2) * 10
                + place(ONES, ones).filter(|ones| (1..10).contains(ones))?
        }
        None if word == "hundred" => 100,
        None => place(ONES, word).or_else(|| Some((place(TENS, word)? + 2) * 10))?,
    };
    i64::try_from(value).ok()
}

/// The value of `ones` to `twenties`.
fn face(word: &str) -> Option<i64> {
    match word {
        "sixes" => Some(6),
        "twenties" => Some(20),
        _ => spelled(word.strip_suffix('s')?),
    }
}
