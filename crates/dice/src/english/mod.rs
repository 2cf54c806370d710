//! Plain English to notation: a closed grammar, which is in [`parser`].
//!
//! Notation is tried first, also after a verb ("roll (2d6 + 3) * 2, please"). What the grammar does
//! not read as a whole is refused, with the word that was probably meant or the notation that is
//! near; nothing is left out and nothing guessed.

mod parser;
mod piece;
mod refusal;

use crate::english::piece::{ADVANTAGE, Piece, Token, is_filler, is_one_of, pieces};
use crate::error::{Code, DiceError, settle};
use crate::expression::Expression;
use crate::limits;
use crate::notation::{mark_at_dice, parse, strict, suggest, unambiguous};
use std::ops::Range;

/// Words that notation has, too: alone they make no English.
const NOTATION: &str =
    "vs under bands kh kl dh dl ro rr min max df adv advantage dis disadv disadvantage";

/// Reads notation, which may be a bare number, or else plain English, which has a die.
/// Errors: as [`parse()`]; for English with the part that was not understood.
pub fn read(text: &str) -> Result<Expression, DiceError> {
    let error = match strict(text) {
        Ok(expression) => return unambiguous(text, expression),
        Err(error) => error,
    };
    if text.len() > limits::TEXT_BYTES || error.code == Code::Empty {
        return Err(error);
    }
    let sentence = Sentence::parse(text)?;
    if let Some(read) = sentence.notation() {
        return read;
    }
    if !is_english(&sentence.pieces) {
        return parse(text);
    }
    parser::expression(&sentence.pieces, sentence.comment).map_err(|error| {
        let canonical = |offer: &str| {
            let english = || {
                Sentence::parse(offer)
                    .and_then(|sentence| parser::expression(&sentence.pieces, sentence.comment))
            };
            let read = strict(offer).or_else(|_| english()).ok()?;
            (!read.dice().is_empty()).then(|| read.to_string())
        };
        let mut error = settle(error, text, &canonical);
        // An example is notation, also where the hint mends the sentence.
        if let Some(example) = canonical(&error.example) {
            error.example = example;
        }
        error
    })
}

/// Whether there is a word that notation does not have, or advantage before all.
fn is_english(pieces: &[Piece]) -> bool {
    let word = |piece: &Piece| match &piece.token {
        Token::Word(word) => {
            word == "a" || (word.len() > 1 && NOTATION.split(' ').all(|known| known != word))
        }
        Token::AtLeast(_) | Token::Spelled(_) => true,
        _ => false,
    };
    pieces
        .first()
        .is_some_and(|piece| is_one_of(piece, &ADVANTAGE))
        || pieces.iter().any(word)
}

/// A text with its pieces, without the mark at its end and the comment after it.
struct Sentence<'t> {
    text: &'t str,
    pieces: Vec<Piece>,
    /// From the `#` on.
    comment: &'t str,
    has_mark: bool,
}

impl<'t> Sentence<'t> {
    /// Errors: where an exclamation mark could be a die's.
    fn parse(text: &'t str) -> Result<Self, DiceError> {
        let (whole, comment) = text.split_at(text.find('#').unwrap_or(text.len()));
        let bare = whole
            .trim_end_matches(|end: char| end.is_whitespace() || matches!(end, '.' | '?' | '!'));
        let sentence = Sentence {
            text,
            pieces: pieces(bare),
            comment,
            has_mark: bare.len() < whole.trim_end().len(),
        };
        let marks = whole.get(bare.len()..).unwrap_or_default();
        let is_dice = matches!(
            sentence.pieces.last().map(|piece| &piece.token),
            Some(Token::Notation(_))
        );
        if marks.contains('!') && !is_english(&sentence.pieces) {
            return Ok(Sentence {
                pieces: pieces(whole.trim_end()),
                has_mark: false,
                ..sentence
            });
        }
        if !marks.contains('!') || !is_dice {
            return Ok(sentence);
        }
        Err(mark_at_dice(
            text,
            sentence.without_verbs().start,
            bare.len()..whole.len(),
        ))
    }

    /// What is left without fillers before it and after it.
    fn without_verbs(&self) -> Range<usize> {
        let first = self.pieces.iter().find(|piece| !is_filler(piece));
        let last = self.pieces.iter().rev().find(|piece| !is_filler(piece));
        first
            .zip(last)
            .map_or(0..0, |(first, last)| first.span.start..last.span.end)
    }

    /// The whole as notation after a verb, before a mark; `None` where it is none.
    fn notation(&self) -> Option<Result<Expression, DiceError>> {
        let range = self.without_verbs();
        let rest = format!(
            "{}{}",
            self.text.get(range.clone()).unwrap_or_default(),
            self.comment
        );
        let is_changed = range.start > 0 || self.has_mark || range.end < self.text.trim_end().len();
        if range.is_empty() || !is_changed {
            return None;
        }
        let inner: Vec<Piece> = self
            .pieces
            .iter()
            .filter(|piece| range.contains(&piece.span.start))
            .cloned()
            .collect();
        let read = match strict(&rest) {
            Ok(expression) if expression.dice().is_empty() => return None,
            Ok(expression) => unambiguous(&rest, expression),
            Err(_) if is_english(&inner) || inner.len() == self.pieces.len() => return None,
            Err(error) => Err(suggest(error, &rest)),
        };
        Some(read.map_err(|error| {
            let within = |at: usize| {
                self.text
                    .ceil_char_boundary((at + range.start).min(self.text.len()))
            };
            DiceError {
                span: within(error.span.start)..within(error.span.end),
                ..error
            }
        }))
    }
}
