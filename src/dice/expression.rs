//! An expression: notation that was read, validated and can be rolled.

use crate::dice::advantage::{self, Mode};
use crate::dice::ast::{Count, Dice, DieSlot, Int, Node, Number, Request, Sign, Stage, Test};
use crate::dice::bounds::{Kind, validate};
use crate::dice::die::Die;
use crate::dice::error::{Code, DiceError};
use crate::dice::evaluate;
use crate::dice::limits::Limits;
use crate::dice::near;
use crate::dice::parse::{self, Dialect};
use crate::dice::print::print_request;
use crate::dice::roll::Roll;
use crate::dice::roller::Roller;
use crate::dice::span::Span;
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

    /// The same with advantage or disadvantage.
    ///
    /// # Errors
    /// `invalid_advantage_usage` unless there is exactly one d20 term, its count is 1, and it
    /// keeps or drops nothing yet.
    pub fn with_mode(&self, mode: Mode) -> Result<Expression, DiceError> {
        let mut request = self.request.clone();
        let span = Span::new(0, self.text.len());
        advantage::apply(&mut request.check, mode, span)?;
        Expression::new(request)
    }

    /// Every label in it, each once, in order.
    pub fn labels(&self) -> Vec<String> {
        let mut labels: Vec<String> = Vec::new();
        let mut open = vec![&self.request.check.node];
        while let Some(node) = open.pop() {
            if let Node::Labelled(_, own) = node {
                let new: Vec<String> = own.iter().filter(|label| !labels.contains(label)).cloned().collect();
                labels.extend(new);
            }
            let children: Vec<&Node> = node.children().collect();
            open.extend(children.into_iter().rev());
        }
        labels
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
            redraws |= dice.modifiers.iter().any(|own| matches!(own.kind.stage(), Stage::Reroll | Stage::Explode));
        });
        redraws
    }

    /// The same with a number added; it stands last, and 0 changes nothing.
    ///
    /// # Errors
    /// What [`parse`] would say of the result.
    pub fn plus(&self, number: i64) -> Result<Expression, DiceError> {
        if number == 0 {
            return Ok(self.clone());
        }
        let span = Span::new(0, self.text.len());
        let most = Limits::DEFAULT.literal;
        if number.unsigned_abs() > most.unsigned_abs() {
            return Err(DiceError::limit("for a number", most, span, "1d20 + 1000"));
        }
        let sign = if number < 0 { Sign::Minus } else { Sign::Plus };
        let added = (sign, Node::Number(Number::int(number.abs(), span)));
        let mut request = self.request.clone();
        match &mut request.check.node {
            Node::Sum(terms) => terms.push(added),
            node => {
                let whole = node.clone();
                *node = Node::Sum(vec![(Sign::Plus, whole), added]);
            }
        }
        let expression = Expression::new(request)?;
        // What was added may pass the limits of a text.
        parse::request(expression.as_str(), Dialect::Notation)?;
        Ok(expression)
    }

    /// The same with another kind of die in the first dice term, as a dice chain asks for.
    ///
    /// # Errors
    /// What [`parse`] would say of the result; `invalid_die` when there are no dice.
    pub fn with_main_die(&self, die: Die) -> Result<Expression, DiceError> {
        self.change_main(&mut |dice| dice.die = DieSlot::Fixed(die.clone()))
    }

    /// The same with the first dice term replaced by the one of `with` (`2d20kh1`).
    ///
    /// A label stays where it is. The first term must be a single die, since it is one die that
    /// advantage in any system replaces; its own modifiers stay, in front of the new ones.
    ///
    /// # Errors
    /// `invalid_advantage_usage` when `with` is not a dice term by itself or the first term is
    /// not a single die; else what [`parse`] would say of the result.
    pub fn replace_main_die(&self, with: &Expression) -> Result<Expression, DiceError> {
        let span = Span::new(0, self.text.len());
        let refuse = |message: &str| {
            Err(DiceError::new(
                Code::InvalidAdvantageUsage,
                span,
                message,
                "Roll one die, and replace it by dice such as 2d20kh1.",
                "1d20 + 5",
            ))
        };
        let Node::Dice(new) = &with.request.check.node else {
            return refuse("Only a dice term can replace the main die.");
        };
        if self.main_count() != 1 {
            return refuse("There is no single main die to replace.");
        }
        self.change_main(&mut |dice| {
            let mut modifiers = std::mem::take(&mut dice.modifiers);
            let place = new.modifiers.first().map(|modifier| modifier.kind.stage());
            let after = place.and_then(|stage| modifiers.iter().position(|own| own.kind.stage() > stage));
            let rest = modifiers.split_off(after.unwrap_or(modifiers.len()));
            modifiers.extend(new.modifiers.iter().cloned());
            modifiers.extend(rest);
            dice.count = Count::Int(Int::Literal(new.count()));
            dice.die = new.die.clone();
            dice.modifiers = modifiers;
        })
    }

    fn change_main(&self, change: &mut dyn FnMut(&mut Dice)) -> Result<Expression, DiceError> {
        let mut request = self.request.clone();
        let mut found = false;
        request.check.node.visit_dice_mut(&mut |dice| {
            if !found {
                found = true;
                change(dice);
            }
        });
        if found {
            return Expression::new(request);
        }
        Err(DiceError::new(
            Code::InvalidDie,
            Span::new(0, self.text.len()),
            "There are no dice here.",
            "Write a die.",
            "1d20 + 5",
        ))
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
