//! Plain English to notation.
//!
//! ```text
//! request = { word } [ "." | "?" | "!" ] [ "#" comment ]
//! word    = filler | NUMBER | number-word | notation | NUMBER "sided" | "percentile"
//!         | "plus" | "minus" | "times" | "divided by"
//!         | [ "with" | "at" ] ( "advantage" | "disadvantage" )
//!         | ("without" | "no") advantage-word                    (neither, also where both are named)
//!         | ("add" NUMBER "to" | "subtract" NUMBER "from") before all | ("plus"|"minus") "negative" NUMBER
//!         | [ "keep"|"take"|"drop"|"discard"|"remove"|"without" ] ["the"] [NUMBER] end [NUMBER] [ "of" ]
//!         | ("keep"|"drop") NUMBER
//!         | [ "vs"|"against" ] ["a"|"the"] [ "DC"|"AC"|"difficulty" ] NUMBER
//!         | "at" ("least"|"most") NUMBER | "under" NUMBER "on" before all
//!         | [NUMBER] ("bonus"|"penalty") ("die"|"dice")          (after percentile dice)
//!         | "reroll" NUMBER "s" { ("and"|"or"|",") NUMBER "s" } | "reroll" open
//!         | "exploding" ["on" (NUMBER ["s"] | open)] | ["count"] open ["on"]
//!         | ("minimum"|"maximum") ["of"] NUMBER
//! open    = NUMBER "+" | NUMBER "or" ("higher"|"lower")
//! number  = "zero" to "ninety nine" | [number] "dozen" | [number] "hundred" [["and"] number]
//! end     = "highest" | "higher" | "best" | "lowest" | "lower" | "worst"
//! ```
//!
//! What dice do is said behind them or before them. `15 or higher` counts dice; behind arithmetic, where no
//! die is left to be counted, it is a check of the total. A number that may be either (`8d10 difficulty
//! 7`) is refused with both rewrites.
//!
//! Every word must be understood, and there must be a die: what is left over is refused, never
//! guessed. The words are turned into notation, which is then read as any other. A refusal offers
//! a rewrite only when every word is accounted for: a word that was not understood may turn the
//! meaning round (`without`, `half`, `at least`), so none is left out to make a text readable.

mod ambiguous;
mod faces;
mod lexicon;
mod phrase;
mod piece;
mod refusal;
mod selection;
mod target;
mod translator;

use crate::dice::english::ambiguous::{behind_label, loss};
use crate::dice::english::piece::Pieces;
use crate::dice::english::translator::Translation;
use crate::dice::error::{Code, DiceError, settle};
use crate::dice::expression::Expression;
use crate::dice::limits::Limits;
use crate::dice::notation::{parse, strict, suggest};
use crate::dice::text::{Span, shown};
use std::ops::Range;

/// Reads notation, or else plain English.
///
/// # Errors
/// As [`parse()`]; for English with the part that was not understood. English
/// without a die is refused, while notation may be a bare number.
pub fn read(text: &str) -> Result<Expression, DiceError> {
    let error = match strict(text) {
        Ok(expression) => {
            return match twofold(text, &expression) {
                Some(error) => Err(suggest(error, text)),
                None => Ok(expression),
            };
        }
        Err(error) => error,
    };
    if text.len() > Limits::DEFAULT.text_bytes || error.code == Code::Empty {
        return Err(error);
    }
    // `d20?` and `1d20+5.` are a question and a sentence.
    let bare = text.trim_end_matches(|end: char| end.is_whitespace() || matches!(end, '.' | '?'));
    if bare.len() < text.trim_end().len()
        && let Ok(expression) = strict(bare)
        && !expression.dice().is_empty()
    {
        if let Some(error) = loss(bare, &expression) {
            return Err(suggest(error, bare));
        }
        if behind_label(bare, &expression).is_none() {
            return Ok(expression);
        }
    }
    match english(text) {
        English::Read(expression) => Ok(expression),
        // Notation that was understood and refused is not a sentence gone wrong: `1d1!` never ends.
        English::Refused(_) if error.code == Code::NonTerminating => Err(suggest(error, text)),
        English::Refused(error) => Err(error),
        English::Notation => parse(text),
    }
}

/// The refusal of a text that notation reads in one way and a person may mean in another.
fn twofold(text: &str, expression: &Expression) -> Option<DiceError> {
    behind_label(text, expression).or_else(|| loss(text, expression))
}

/// What became of a text as English.
enum English {
    Read(Expression),
    Refused(DiceError),
    /// It is not English at all: what is wrong with it as notation matters.
    Notation,
}

fn english(text: &str) -> English {
    match attempt(text) {
        None => English::Notation,
        Some(Ok(expression)) => English::Read(expression),
        Some(Err(error)) => {
            let canonical = |offer: &str| {
                let read = strict(offer).ok().or_else(|| attempt(offer)?.ok());
                read.filter(|expression| !expression.dice().is_empty()).map(|expression| expression.to_string())
            };
            let mut error = settle(error, text, &canonical);
            // An example is notation, also where the hint mends the sentence.
            if strict(&error.example).is_err()
                && let Some(example) = canonical(&error.example)
            {
                error.example = example;
            }
            English::Refused(error)
        }
    }
}

/// The message of a refusal of the notation, which quotes what was typed and not what it became.
fn in_words(error: &DiceError, notation: &str, text: &str, span: &Range<usize>) -> String {
    let quoted = notation.get(error.span.clone()).unwrap_or("").to_lowercase();
    let typed = text.get(span.clone()).unwrap_or("").trim();
    if error.code != Code::UnparseableInput || typed.is_empty() || typed.to_lowercase().contains(&quoted) {
        return error.message.clone();
    }
    let short: String = shown(typed).chars().take(40).collect();
    format!("`{short}` cannot be read here.")
}

/// The sentence as an expression; `None` when it is no sentence. What is wrong with the sentence
/// comes with rewrites of it.
fn attempt(text: &str) -> Option<Result<Expression, DiceError>> {
    let pieces = match Pieces::of(text) {
        Ok(pieces) => pieces,
        Err(error) => return Some(Err(error)),
    };
    if !pieces.are_english() {
        return None;
    }
    let translation = match Translation::of(&pieces.list) {
        Ok(translation) => translation,
        Err(error) => return Some(Err(error)),
    };
    let mut notation = translation.text();
    notation.push_str(pieces.comment);
    // A sign that was typed may part a loss; "divided by" divides.
    let parts = |expression: &Expression| loss(&notation, expression).filter(|_| text.contains('/'));
    let read = strict(&notation).and_then(|expression| match parts(&expression) {
        Some(error) => Err(error),
        None => Ok(expression),
    });
    Some(match read {
        Err(error) => {
            let error = suggest(error, &notation);
            let span = translation.source(&error.span, text.len());
            Err(DiceError { message: in_words(&error, &notation, text, &span), span, ..error })
        }
        Ok(expression) if expression.dice().is_empty() => Err(DiceError::new(
            Code::UnparseableInput,
            Span::new(0, text.len()),
            "There is no die in this.",
            "Say which dice to roll.",
            "1d20 + 5",
        )),
        Ok(expression) => Ok(expression),
    })
}
