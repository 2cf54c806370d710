//! An expression: notation that was read, validated and can be rolled.

mod change;

use crate::dice::ast::{Dice, Request, Test};

use crate::dice::bounds::{Kind, validate};
use crate::dice::die::Die;
use crate::dice::error::DiceError;
use crate::dice::limits::Limits;
use crate::dice::modifiers::Stage;
use crate::dice::parse::{self, Dialect};
use crate::dice::print::print_request;
use crate::dice::roll::Roll;
use crate::dice::roller::Roller;
use crate::dice::{evaluate, near};
use std::fmt;

/// A request that can be rolled. Printed, it is its canonical text, and that text read again is an
/// equal expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    request: Request,
    text: String,
    kind: Kind,
}

/// Reads notation. Variables (`{name}`) are refused; see [`parse_formula`](crate::dice::parse_formula).
///
/// # Errors
/// A [`DiceError`] of any code but `invalid_parameters` and `draw_failed`; nothing that could fail
/// is left to the roll.
pub fn parse(text: &str) -> Result<Expression, DiceError> {
    strict(text).map_err(|error| suggest(error, text))
}

/// Gives a refusal of [`strict`] its hint and example.
pub(crate) fn suggest(error: DiceError, text: &str) -> DiceError {
    near::suggest(error, text, &|offer| strict(offer).ok().map(|expression| expression.text))
}

/// As [`parse`], without looking for a near text.
pub(crate) fn strict(text: &str) -> Result<Expression, DiceError> {
    let expression = Expression::new(parse::request(text, Dialect::Notation)?)?;
    // Parentheses that the canonical text adds in front of a comparison count as nesting.
    if matches!(expression.request.check.test, Some(Test::Compare(..))) {
        parse::request(&expression.text, Dialect::Notation)?;
    }
    Ok(expression)
}

impl Expression {
    pub(crate) fn new(request: Request) -> Result<Self, DiceError> {
        let kind = validate(&request)?;
        let mut text = String::with_capacity(24);
        print_request(&mut text, &request);
        // A log holds this text, and checking the log reads it again.
        let most = Limits::DEFAULT.text_bytes;
        if text.len() > most {
            let span = request.check.node.span();
            return Err(DiceError::limit("bytes when written out", most, span, "2d6 + 3"));
        }
        Ok(Expression { request, text, kind })
    }

    pub(crate) fn request(&self) -> &Request {
        &self.request
    }

    /// The canonical text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Rolls it.
    ///
    /// # Errors
    /// `draw_failed` when the roller gives no face. Everything else was refused when the
    /// expression was read, before any draw.
    pub fn roll(&self, roller: &mut dyn Roller) -> Result<Roll, DiceError> {
        evaluate::roll(&self.request, &self.text, self.kind == Kind::Successes, roller)
    }

    /// Whether the result is a number of successes: of dice, or of repeated checks.
    pub fn counts(&self) -> bool {
        self.kind == Kind::Successes || self.request.counts_checks()
    }

    /// Every die that is named in it, each once, in order: for a table's policy on dice.
    pub fn dice(&self) -> Vec<Die> {
        let mut dice: Vec<Die> = Vec::new();
        self.visit_dice(&mut |term| {
            if !dice.contains(term.die()) {
                dice.push(term.die().clone());
            }
        });
        dice
    }

    /// How many dice it asks for, repeats included, before anything explodes or is rerolled.
    pub fn asked(&self) -> u64 {
        let mut asked = 0u64;
        self.visit_dice(&mut |term| asked = asked.saturating_add(u64::try_from(term.count()).unwrap_or(0)));
        asked.saturating_mul(self.request.repeat.map_or(1, u64::from))
    }

    /// The value, floored, when no dice and no test are in it.
    pub fn constant(&self) -> Option<i64> {
        let mut dice = 0;
        self.visit_dice(&mut |_| dice += 1);
        if dice > 0 || self.request.check.test.is_some() {
            return None;
        }
        let value = evaluate::constant(&self.request.check.node).ok()?.floor().whole()?;
        Some(value.saturating_mul(i64::from(self.request.repeat.unwrap_or(1))))
    }

    /// Every label in it, each once, in order.
    pub fn labels(&self) -> Vec<String> {
        self.request.check.node.labels()
    }

    /// The die of the first dice term.
    pub fn main_die(&self) -> Option<Die> {
        let mut first = None;
        self.request.check.node.visit_dice(&mut |dice| {
            first.get_or_insert_with(|| dice.die().clone());
        });
        first
    }

    /// The number of dice that the first dice term asks for: 0 when there is none.
    pub fn main_count(&self) -> i64 {
        let mut first = None;
        self.request.check.node.visit_dice(&mut |dice| {
            first.get_or_insert(dice.count());
        });
        first.unwrap_or(0)
    }

    /// Whether one of its dice may be drawn more than once: it explodes or is rerolled.
    pub fn redraws(&self) -> bool {
        let mut redraws = false;
        self.visit_dice(&mut |dice| {
            redraws |= dice.has(Stage::Reroll) || dice.has(Stage::Explode);
        });
        redraws
    }

    fn visit_dice<'a>(&'a self, visit: &mut dyn FnMut(&'a Dice)) {
        self.request.check.node.visit_dice(visit);
        if let Some(target) = self.request.check.test.as_ref().and_then(|test| test.node()) {
            target.visit_dice(visit);
        }
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::str::FromStr for Expression {
    type Err = DiceError;

    fn from_str(text: &str) -> Result<Self, DiceError> {
        parse(text)
    }
}
