//! Plain English to notation: a closed grammar, which stands in [`parser`].
//!
//! Notation is tried first, also behind a verb ("roll (2d6 + 3) * 2, please"). What the grammar does not read as a whole is refused,
//! with the word that was probably meant or the notation that is near; nothing is left out and nothing guessed.

mod parser;
mod piece;
mod refusal;

use crate::dice::english::parser::{ADVANTAGE, ARTICLES, FILLERS, VERBS};
use crate::dice::english::piece::{Piece, Token, pieces};
use crate::dice::error::{Code, DiceError, Rewrite, settle};
use crate::dice::expression::Expression;
use crate::dice::limits::Limits;
use crate::dice::notation::{parse, strict, suggest, unambiguous};
use crate::dice::text::Span;
use std::ops::Range;

/// Words that notation has, too: alone they make no English.
const NOTATION: &str = "vs under bands kh kl dh dl ro rr min max df adv advantage dis disadv disadvantage";

/// Reads notation, or else plain English.
///
/// # Errors
/// As [`parse()`]; for English with the part that was not understood. English
/// without a die is refused, while notation may be a bare number.
pub fn read(text: &str) -> Result<Expression, DiceError> {
    let error = match strict(text) {
        Ok(expression) => return unambiguous(text, expression),
        Err(error) => error,
    };
    if text.len() > Limits::DEFAULT.text_bytes || error.code == Code::Empty {
        return Err(error);
    }
    let sentence = Sentence::of(text)?;
    if let Some(read) = sentence.notation() {
        return read;
    }
    if !is_english(&sentence.pieces) {
        return parse(text);
    }
    parser::expression(&sentence.pieces, sentence.comment).map_err(|error| {
        let canonical = |offer: &str| {
            let english = || Sentence::of(offer).and_then(|own| parser::expression(&own.pieces, own.comment));
            let read = strict(offer).or_else(|_| english()).ok()?;
            (!read.dice().is_empty()).then(|| read.to_string())
        };
        let mut error = settle(error, text, &canonical);
        // An example is notation, also where the hint mends the sentence.
        if strict(&error.example).is_err()
            && let Some(example) = canonical(&error.example)
        {
            error.example = example;
        }
        error
    })
}

/// Whether there is a word that notation does not have, or advantage before all.
fn is_english(pieces: &[Piece]) -> bool {
    let word = |piece: &Piece| match &piece.token {
        Token::Word(word) => word == "a" || (word.len() > 1 && NOTATION.split(' ').all(|known| known != word)),
        Token::AtLeast(_) | Token::Spelled(_) => true,
        _ => false,
    };
    pieces.first().is_some_and(|piece| is_one_of(piece, &ADVANTAGE)) || pieces.iter().any(word)
}

fn is_one_of(piece: &Piece, words: &[&str]) -> bool {
    matches!(&piece.token, Token::Word(word) if words.contains(&word.as_str()))
}

/// A text with its pieces, without the mark at its end and the comment behind it.
struct Sentence<'t> {
    text: &'t str,
    pieces: Vec<Piece>,
    /// From the `#` on.
    comment: &'t str,
    has_mark: bool,
}

impl<'t> Sentence<'t> {
    /// # Errors
    /// Where an exclamation mark could be a die's.
    fn of(text: &'t str) -> Result<Self, DiceError> {
        let (whole, comment) = text.split_at(text.find('#').unwrap_or(text.len()));
        let bare = whole.trim_end_matches(|end: char| end.is_whitespace() || matches!(end, '.' | '?' | '!'));
        let sentence = Sentence { text, pieces: pieces(bare), comment, has_mark: bare.len() < whole.trim_end().len() };
        let marks = whole.get(bare.len()..).unwrap_or_default();
        let is_dice = matches!(sentence.pieces.last().map(|piece| &piece.token), Some(Token::Notation(_)));
        if marks.contains('!') && !is_english(&sentence.pieces) {
            return Ok(Sentence { pieces: pieces(whole.trim_end()), has_mark: false, ..sentence });
        }
        if !marks.contains('!') || !is_dice {
            return Ok(sentence);
        }
        let error = DiceError::new(
            Code::Ambiguous,
            Span::new(bare.len(), whole.trim_end().len()),
            "The `!` could mean exploding dice, or just end the sentence.",
            "For exploding dice write `5d6!` by itself; else leave the `!` out.",
            "5d6!",
        );
        let range = sentence.without_verbs();
        let exploding = Rewrite::new("for exploding dice").delete(0..range.start);
        let without = Rewrite::new("without exploding").delete(0..range.start).delete(bare.len()..whole.len());
        Err(suggest(error.offering(exploding).offering(without), text))
    }

    /// What is left without verbs and articles before it and politeness behind it.
    fn without_verbs(&self) -> Range<usize> {
        let is_opening = |piece: &&Piece| [&VERBS[..], &ARTICLES, &FILLERS].iter().any(|words| is_one_of(piece, words));
        let is_closing = |piece: &&Piece| piece.token == Token::Comma || is_one_of(piece, &FILLERS);
        let first = self.pieces.iter().find(|piece| !is_opening(piece));
        let last = self.pieces.iter().rev().find(|piece| !is_closing(piece));
        first.zip(last).map_or(0..0, |(first, last)| first.span.start..last.span.end)
    }

    fn in_range(&self, range: &Range<usize>) -> &'t str {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// The whole as notation behind a verb, before a mark; `None` where it is none. A number with a sign behind a verb may be a
    /// constant (`roll +3 d20`).
    fn notation(&self) -> Option<Result<Expression, DiceError>> {
        let range = self.without_verbs();
        let rest = format!("{}{}", self.in_range(&range), self.comment);
        let is_signed = self.in_range(&range).starts_with(['+', '-', '\u{2212}', '\u{2013}']);
        let is_changed = range.start > 0 || self.has_mark || range.end < self.text.trim_end().len();
        if range.is_empty() || !is_changed || is_signed && range.start > 0 {
            return None;
        }
        let inner: Vec<Piece> = self.pieces.iter().filter(|piece| range.contains(&piece.span.start)).cloned().collect();
        let read = match strict(&rest) {
            Ok(expression) if expression.dice().is_empty() => return None,
            Ok(expression) => unambiguous(&rest, expression),
            Err(_) if is_english(&inner) || inner.len() == self.pieces.len() => return None,
            Err(error) => Err(suggest(error, &rest)),
        };
        Some(read.map_err(|error| {
            let within = |at: usize| self.text.ceil_char_boundary((at + range.start).min(self.text.len()));
            DiceError { span: within(error.span.start)..within(error.span.end), ..error }
        }))
    }
}
