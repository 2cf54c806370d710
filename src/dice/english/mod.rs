//! Plain English to notation.
//!
//! ```text
//! request = { word } [ "." | "?" | "!" ] [ "#" comment ]
//! word    = filler | NUMBER | number-word | notation | NUMBER "sided" | "percentile"
//!         | "plus" | "minus" | "times" | "divided by"
//!         | [ "with" | "at" ] ( "advantage" | "disadvantage" )
//!         | ("keep"|"take"|"drop") ["the"] [NUMBER] ("highest"|"lowest") [NUMBER]
//!         | "reroll" NUMBER "s" { ("and"|"or"|",") NUMBER "s" }
//!         | "exploding" | ["count"] NUMBER ("+" | "or higher") | ("minimum"|"maximum") ["of"] NUMBER
//! ```
//!
//! Every word must be understood, and there must be a die: what is left over is refused, never
//! guessed. The words are turned into notation, which is then read as any other.

mod lexicon;
mod phrase;
mod piece;

use crate::dice::english::phrase::Translation;
use crate::dice::english::piece::{Piece, Pieces};
use crate::dice::error::{Code, DiceError};
use crate::dice::expression::{Expression, parse, strict};
use crate::dice::limits::Limits;
use crate::dice::span::Span;

/// Reads notation, or else plain English.
///
/// # Errors
/// As [`parse`](crate::dice::parse); for English with the part that was not understood. English
/// without a die is refused, while notation may be a bare number.
pub fn read(text: &str) -> Result<Expression, DiceError> {
    let error = match strict(text) {
        Ok(expression) => return Ok(expression),
        Err(error) => error,
    };
    if text.len() > Limits::DEFAULT.text_bytes || error.code == Code::Empty {
        return Err(error);
    }
    match english(text) {
        English::Read(expression) => Ok(expression),
        // Notation that was understood and refused is not a sentence gone wrong: `1d1!` never ends.
        English::Refused(_) if error.code == Code::NonTerminating => Err(error),
        English::Refused(error) => Err(error),
        English::Notation => parse(text),
    }
}

/// "A bonus die" is dice, not a bonus: the words must not be passed over as fillers.
fn bonus_dice(text: &str) -> Option<DiceError> {
    let lower = text.to_ascii_lowercase();
    let words: Vec<&str> =
        lower.split(|next: char| !next.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let named = words.windows(2).find_map(|pair| match pair {
        [kind @ ("bonus" | "penalty"), "die" | "dice"] => Some(*kind),
        _ => None,
    })?;
    let (letter, start) = (named.get(..1)?, lower.find(named)?);
    Some(DiceError::new(
        Code::OutOfScopeSyntax,
        Span::new(start, start + named.len()),
        format!("How many {named} dice, and on what, this does not say well enough."),
        format!("With percentile dice write `d%{letter}1` for one {named} die, `d%{letter}2` for two."),
        format!("d%{letter}1"),
    ))
}

/// What became of a text as English.
enum English {
    Read(Expression),
    Refused(DiceError),
    /// It is not English at all: what is wrong with it as notation matters.
    Notation,
}

fn english(text: &str) -> English {
    let pieces = match Pieces::of(text) {
        Ok(pieces) => pieces,
        Err(error) => return English::Refused(error),
    };
    if !pieces.list.iter().any(Piece::is_english) {
        return English::Notation;
    }
    if let Some(error) = bonus_dice(text) {
        return English::Refused(error);
    }
    let translation = match Translation::of(&pieces.list) {
        Ok(translation) => translation,
        Err(error) => return English::Refused(error),
    };
    let mut notation = translation.text();
    notation.push_str(pieces.comment);
    match strict(&notation) {
        Err(error) => English::Refused(DiceError { span: translation.source(&error.span, text.len()), ..error }),
        Ok(expression) if expression.dice().is_empty() => English::Refused(DiceError::new(
            Code::UnparseableInput,
            Span::new(0, text.len()),
            "There is no die in this.",
            "Say which dice to roll.",
            "1d20 + 5",
        )),
        Ok(expression) => English::Read(expression),
    }
}
