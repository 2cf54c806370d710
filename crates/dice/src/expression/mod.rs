//! An expression: notation that was read, validated and can be rolled.
//!
//! 1. [`tree`]: what a notation is read into.
//! 2. [`arithmetic`]: of values, and its refusals.
//! 3. [`mod@print`]: the canonical text.
//! 4. [`advantage`]: one d20 becomes two.
//! 5. [`bounds`]: what is refused before the first draw; `if` with a condition that no dice decide.

pub(crate) mod advantage;
pub(crate) mod arithmetic;
pub(crate) mod bounds;
pub(crate) mod print;
pub(crate) mod tree;

use crate::die::Die;
use crate::error::DiceError;
use crate::expression::bounds::{Kind, settle, validate};
use crate::expression::print::print_request;
use crate::expression::tree::{Dice, Request, Test};
use crate::limits;
use crate::modifiers::Stage;
use std::fmt;

/// A request that can be rolled. Printed, it is its canonical text, which read again is equal.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    request: Request,
    text: String,
    kind: Kind,
}

impl Expression {
    pub(crate) fn new(mut request: Request) -> Result<Self, DiceError> {
        settle(&mut request.check.node);
        if let Some(target) = request.check.test.as_mut().and_then(Test::node_mut) {
            settle(target);
        }
        let kind = validate(&request)?;
        let mut text = String::with_capacity(24);
        print_request(&mut text, &request);
        // A log holds this text, and checking the log reads it again.
        let most = limits::TEXT_BYTES;
        if text.len() > most {
            let span = request.check.node.span();
            return Err(DiceError::limit(
                "bytes when written out",
                most,
                span,
                "2d6 + 3",
            ));
        }
        Ok(Expression {
            request,
            text,
            kind,
        })
    }

    pub(crate) fn request(&self) -> &Request {
        &self.request
    }

    pub(crate) fn kind(&self) -> Kind {
        self.kind
    }

    /// The canonical text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether the result is a number of successes: of dice, or of repeated checks.
    pub fn counts(&self) -> bool {
        self.kind == Kind::Successes || self.request.counts_checks()
    }

    /// Whether its total is compared with something.
    pub fn is_compared(&self) -> bool {
        self.request.check.test.is_some() || self.request.repeat.is_some()
    }

    /// Every die that is named in it, each once, in order: for a table's policy on dice.
    pub fn dice(&self) -> Vec<Die> {
        let mut dice: Vec<Die> = Vec::new();
        self.visit_dice(&mut |term| {
            dice.extend((!dice.contains(term.die())).then(|| term.die().clone()))
        });
        dice
    }

    /// How many dice it asks for, repeats included, before anything explodes or is rerolled.
    pub fn asked(&self) -> u64 {
        let mut asked = 0u64;
        self.visit_dice(&mut |term| {
            asked = asked.saturating_add(u64::try_from(term.count()).unwrap_or(0))
        });
        asked.saturating_mul(self.request.repeat.map_or(1, u64::from))
    }

    /// Every label in it, each once, in order.
    pub fn labels(&self) -> Vec<String> {
        self.request.check.node.labels()
    }

    /// The die of the first dice term.
    pub fn main_die(&self) -> Option<Die> {
        self.request
            .check
            .node
            .first_dice()
            .map(|dice| dice.die().clone())
    }

    /// The number of dice that the first dice term asks for: 0 when there is none.
    pub fn main_count(&self) -> i64 {
        self.request.check.node.first_dice().map_or(0, Dice::count)
    }

    /// Whether symbols may fall.
    pub fn has_symbols(&self) -> bool {
        self.dice().iter().any(Die::has_symbols)
    }

    /// Whether it is dice that show symbols and no numbers.
    pub fn is_numberless(&self) -> bool {
        let dice = self.dice();
        !dice.is_empty() && dice.iter().all(Die::is_numberless)
    }

    /// Whether one of its dice may be drawn more than once: it explodes or is rerolled.
    pub fn redraws(&self) -> bool {
        let mut redraws = false;
        self.visit_dice(&mut |dice| redraws |= dice.has(Stage::Reroll) || dice.has(Stage::Explode));
        redraws
    }

    pub(crate) fn visit_dice<'a>(&'a self, visit: &mut dyn FnMut(&'a Dice)) {
        self.request.check.visit_dice(visit);
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
