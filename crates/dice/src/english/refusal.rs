//! Refuses words that are not understood, with the word that was meant, or the nearest notation.

use crate::english::piece::{ADVANTAGE, ARTICLES, FILLERS, JOINTS, NOUNS, OTHERS, Piece, Token};
use crate::error::{Code, DiceError, Fault, Rewrite};
use crate::text::{Span, shown};

/// Words that stand for something that notation has: for what it is, how it is written there (`D`
/// the dice before, `N` a number, `n` one that may be left out, `R` the rest), an example, and the
/// words. Without `D` the example alone is shown.
const IN_NOTATION: [(&str, &str, &str, &str); 19] = [
    (
        "to compare it",
        "D vs N",
        "1d20 + 5 vs 15",
        "vs versus against dc ac tn difficulty target least beat",
    ),
    (
        "to stay at or under it",
        "D under N",
        "1d100 under 45",
        "under most",
    ),
    (
        "for several rolls",
        "repeat(D, N)",
        "repeat(4d6kh3, 6)",
        "times twice",
    ),
    (
        "to multiply",
        "(D) * N",
        "2d6 * 2",
        "times multiplied double doubled",
    ),
    ("to divide", "(D) / N", "7d6 / 2", "divided half halved"),
    (
        "",
        "",
        "3d8",
        "sided four-sided six-sided eight-sided ten-sided twelve-sided twenty-sided",
    ),
    ("", "", "4dF", "fudge fate"),
    (
        "to count dice",
        "DtN",
        "8d10t8",
        "count counting success successes hits or",
    ),
    (
        "to keep the highest",
        "Dkhn",
        "4d6kh3",
        "keep keeping take best top highest higher better",
    ),
    (
        "to keep the lowest",
        "Dkln",
        "4d6kh3",
        "keep keeping take worst lowest lower",
    ),
    (
        "to drop the lowest",
        "Ddln",
        "4d6dl1",
        "drop dropping discard remove lowest",
    ),
    (
        "to drop the highest",
        "Ddhn",
        "4d6dl1",
        "drop dropping discard remove highest",
    ),
    (
        "to reroll once",
        "DroN",
        "2d6ro1",
        "reroll rerolling rerolled",
    ),
    ("", "", "6d6!>=5", "exploding explode explodes on"),
    ("", "", "1d%b1", "bonus"),
    ("", "", "1d%p1", "penalty"),
    ("to cap dice", "DmaxN", "2d6max5", "maximum"),
    (
        "to add it",
        "D + N",
        "1d20 + 5",
        "add adds added adding modifier",
    ),
    (
        "to say what for",
        "D # R",
        "1d20 + 5 # initiative",
        "for to initiative damage attack hit save check skill",
    ),
];

/// The refusal of the pieces `from..to` and unknown words after them; `before`: what was read.
pub(super) fn unknown(pieces: &[Piece], from: usize, to: usize, before: &str) -> DiceError {
    let mut to = to.max(from + 1);
    while pieces
        .get(to)
        .and_then(word)
        .is_some_and(|word| !is_known(word))
    {
        to += 1;
    }
    let part = pieces.get(from..to).unwrap_or_default();
    let (start, end) = part
        .first()
        .zip(part.last())
        .map_or((0, 0), |(first, last)| (first.span.start, last.span.end));
    let message = format!(
        "`{}` is not understood.",
        shown(&text(part)).chars().take(40).collect::<String>()
    );
    let slip =
        |piece| suggest(word(piece).filter(|word| !is_known(word) && in_notation(word).is_none())?);
    let found = part.iter().filter_map(word).find_map(in_notation);
    let hint = match found {
        Some(notation) => format!("Write the whole in notation, as in `{notation}`."),
        None => "Leave it out, or write it as dice notation.".to_owned(),
    };
    let (span, example) = (Span::new(start, end), found.unwrap_or("1d20 + 5"));
    let error = Fault::new(Code::UnparseableInput, span, message).hint(hint, example);
    let slips = part
        .iter()
        .filter_map(|piece| Some(Rewrite::new("").replace(piece.span.clone(), slip(piece)?)));
    let end = pieces.last().map_or(0, |last| last.span.end);
    let offers = offers(pieces.get(from..).unwrap_or_default(), before).into_iter();
    let offers = offers.map(|(purpose, offer)| Rewrite::new(purpose).replace(0..end, offer));
    slips.take(1).chain(offers).fold(error, DiceError::offering)
}

/// What a sentence may mean whose unknown words begin with `rest`, as purpose and notation, where
/// each word fits in.
fn offers(rest: &[Piece], before: &str) -> Vec<(&'static str, String)> {
    let number = |piece: &Piece| match &piece.token {
        Token::Number(value)
        | Token::Spelled(value)
        | Token::Face(value)
        | Token::AtLeast(value) => Some(*value),
        Token::Word(word)
            if "twice double doubled half halved"
                .split(' ')
                .any(|two| two == word) =>
        {
            Some(2)
        }
        _ => None,
    };
    let numbers: Vec<i64> = rest.iter().filter_map(number).collect();
    let fits = |template: &str, words: &str| {
        let has = |word: &str| words.split(' ').any(|known| known == word);
        let is_link =
            |word: &str| ARTICLES.contains(&word) || ["of", "on", "by", "with"].contains(&word);
        // A comment may hold any word that has no other meaning.
        let is_comment =
            |word: &str| template.contains('R') && !is_known(word) && in_notation(word).is_none();
        let is_taken = |piece: &Piece| match word(piece) {
            Some(word) => has(word) || is_comment(word) || is_link(word) && !template.contains('R'),
            None => number(piece).is_some() && template.contains(['N', 'n']),
        };
        rest.iter().filter_map(word).any(has) && rest.iter().all(is_taken)
    };
    let filled = |template: &str| {
        let least = if template.contains('N') {
            *numbers.first()?
        } else {
            numbers.first().copied().unwrap_or(1)
        };
        let text = template
            .replace(['N', 'n'], &least.to_string())
            .replace('R', &text(rest));
        Some(text.replace('D', before))
    };
    let is_whole =
        |template: &str| template.contains('D') && !before.is_empty() && numbers.len() <= 1;
    let fitting = IN_NOTATION
        .iter()
        .filter(|(_, template, _, words)| is_whole(template) && fits(template, words));
    fitting
        .filter_map(|(purpose, template, ..)| Some((*purpose, filled(template)?)))
        .collect()
}

fn text(pieces: &[Piece]) -> String {
    pieces
        .iter()
        .map(|piece| piece.text.as_str())
        .collect::<Vec<_>>()
        .join(" ")
}

fn in_notation(word: &str) -> Option<&'static str> {
    let found = IN_NOTATION
        .iter()
        .find(|(.., words)| words.split(' ').any(|known| known == word));
    found.map(|(_, _, notation, _)| *notation)
}

fn word(piece: &Piece) -> Option<&str> {
    let Token::Word(word) = &piece.token else {
        return None;
    };
    Some(word)
}

fn known() -> impl Iterator<Item = &'static str> {
    let lists = [&FILLERS[..], &ARTICLES, &JOINTS, &NOUNS, &ADVANTAGE];
    lists
        .into_iter()
        .flatten()
        .copied()
        .chain(OTHERS.split(' '))
}

fn is_known(word: &str) -> bool {
    known().any(|known| known == word)
}

/// The known word that is nearest to `word`, if one is near: one slip, in a long word two. A word
/// with something before it (`unadvantage`) is another word, not a slip.
fn suggest(word: &str) -> Option<&'static str> {
    let other = known().filter(|known| known.len() > 3 && !word.ends_with(known));
    let far = other.map(|known| (strsim::damerau_levenshtein(word, known), known));
    far.filter(|(distance, known)| *distance <= if known.len() < 8 { 1 } else { 2 })
        .min()
        .map(|(_, known)| known)
}
