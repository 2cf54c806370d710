//! What is said about words that are not understood: the word that was probably meant, or the notation that is near.

use crate::dice::english::parser::{ADVANTAGE, ARTICLES, FILLERS, JOINTS, NOUNS, OTHERS, VERBS};
use crate::dice::english::piece::{Piece, Token};
use crate::dice::error::{Code, DiceError, Rewrite};
use crate::dice::text::{Span, shown};

/// Words that stand for something that notation has, and how it is written there.
const IN_NOTATION: [(&str, &str); 16] = [
    ("1d20 + 5 vs 15", "vs versus against dc ac tn difficulty target least beat"),
    ("1d100 under 45", "under most below"),
    ("repeat(4d6kh3, 6)", "times twice thrice each"),
    ("2d6 * 2", "multiplied double doubled"),
    ("7d6 / 2", "divided half halved"),
    ("3d8", "sided four-sided six-sided eight-sided ten-sided twelve-sided twenty-sided"),
    ("4dF", "fudge fate"),
    ("8d10t8", "count counting success successes hits or"),
    ("4d6kh3", "keep best worst top take higher lower better keeping"),
    ("4d6dl1", "drop discard remove dropping"),
    ("2d6ro1", "reroll rerolling rerolled"),
    ("6d6!>=5", "exploding explode explodes on"),
    ("1d%b1", "bonus"),
    ("1d%p1", "penalty"),
    ("2d6max5", "maximum"),
    ("1d20 + 5 # initiative", "for to initiative damage attack hit save check skill"),
];

/// The refusal of the pieces from `from` to `to` and the words after them that mean nothing either.
pub(super) fn unknown(pieces: &[Piece], from: usize, to: usize) -> DiceError {
    let mut to = to.max(from + 1);
    while pieces.get(to).and_then(word).is_some_and(|word| !is_known(word)) {
        to += 1;
    }
    let part = pieces.get(from..to).unwrap_or_default();
    let (start, end) = part.first().zip(part.last()).map_or((0, 0), |(first, last)| (first.span.start, last.span.end));
    let text = part.iter().map(|piece| piece.text.as_str()).collect::<Vec<_>>().join(" ");
    let short: String = shown(&text).chars().take(40).collect();
    let message = format!("`{short}` is not understood.");
    let refuse =
        |hint: &str, example| DiceError::new(Code::UnparseableInput, Span::new(start, end), message, hint, example);
    let slip = |piece| near(word(piece).filter(|word| !is_known(word) && in_notation(word).is_none())?);
    if let Some((piece, meant)) = part.iter().find_map(|piece| Some((piece, slip(piece)?))) {
        let meant = Rewrite::new("").replace(piece.span.clone(), meant);
        return refuse("Leave it out, or write it as dice notation.", "1d20 + 5").offering(meant);
    }
    match part.iter().filter_map(word).find_map(in_notation) {
        Some(notation) => refuse(&format!("Write the whole in notation, as in `{notation}`."), notation),
        None => refuse("Leave it out, or write it as dice notation.", "1d20 + 5"),
    }
}

fn in_notation(word: &str) -> Option<&'static str> {
    let found = IN_NOTATION.iter().find(|(_, words)| words.split(' ').any(|known| known == word));
    found.map(|(notation, _)| *notation)
}

fn word(piece: &Piece) -> Option<&str> {
    match &piece.token {
        Token::Word(word) => Some(word),
        _ => None,
    }
}

fn known() -> impl Iterator<Item = &'static str> {
    [&VERBS[..], &ARTICLES, &FILLERS, &JOINTS, &NOUNS, &ADVANTAGE]
        .into_iter()
        .flatten()
        .copied()
        .chain(OTHERS.split(' '))
}

fn is_known(word: &str) -> bool {
    known().any(|known| known == word)
}

/// The known word that is nearest to `word`, if one is near: one slip, in a long word two. A word with something before it
/// (`unadvantage`) is another word, not a slip.
fn near(word: &str) -> Option<&'static str> {
    known()
        .filter(|known| known.len() > 3 && !word.ends_with(known))
        .map(|known| (strsim::damerau_levenshtein(word, known), known))
        .filter(|(distance, known)| *distance <= if known.len() < 8 { 1 } else { 2 })
        .min()
        .map(|(_, known)| known)
}
