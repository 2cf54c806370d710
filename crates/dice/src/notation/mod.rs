//! Text to expression, and expressions made of others.
//!
//! 1. [`suggestions`]: did you mean.
//! 2. [`mod@parse`]: the grammar, and its parser.
//! 3. [`binder`], [`formula`]: expressions with variables, as rules write them.
//! 4. [`change`]: an expression with something added, replaced or doubled.
//! 5. [`structured`]: a roll as parameters.
//! 6. [`ambiguous`]: what is typed and may mean two things.
//! 7. [`words`]: the canonical text as people say it.

mod ambiguous;
pub(crate) mod binder;
mod change;
pub(crate) mod formula;
pub(crate) mod parse;
pub(crate) mod structured;
pub(crate) mod suggestions;
pub(crate) mod words;

pub(crate) use crate::notation::ambiguous::{mark_at_dice, unambiguous};

use crate::error::DiceError;
use crate::expression::Expression;
use crate::expression::tree::Test;
use crate::notation::parse::Dialect;

/// Reads notation. Variables (`{name}`) are refused; see [`parse_formula`](crate::parse_formula).
/// Errors: A [`DiceError`] of any code but `invalid_parameters` and `draw_failed`; nothing that
/// could fail is left to the roll.
pub fn parse(text: &str) -> Result<Expression, DiceError> {
    strict(text).map_err(|error| suggest(error, text))
}

/// Gives a refusal of [`strict`] its hint and example.
pub(crate) fn suggest(error: DiceError, text: &str) -> DiceError {
    suggestions::suggest(error, text, &|offer| {
        strict(offer).ok().map(|expression| expression.to_string())
    })
}

/// As [`parse()`], without looking for a near text.
pub fn strict(text: &str) -> Result<Expression, DiceError> {
    let expression = Expression::new(parse::request(text, Dialect::Notation)?)?;
    // Parentheses that the canonical text adds in front of a comparison count as nesting.
    if matches!(expression.request().check.test, Some(Test::Compare(..))) {
        parse::request(expression.as_str(), Dialect::Notation)?;
    }
    Ok(expression)
}

impl std::str::FromStr for Expression {
    type Err = DiceError;

    fn from_str(text: &str) -> Result<Self, DiceError> {
        parse(text)
    }
}
