//! The chances of rolls, each expression's odds worked out once.

use std::collections::HashMap;

use rollbook_dice::odds::{Distribution, Ratio};
use rollbook_dice::parse;
use rollbook_rules::Succeed;

/// Expressions whose odds are worked out; those of the rest are not known.
const EXPRESSIONS_MAX: usize = 1000;
/// Dice of an expression, and all their faces: beyond that, odds take more than microseconds.
const DICE_MAX: u64 = 30;
const FACES_MAX: u64 = 1200;

/// The odds of an expression, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Odds(usize);

#[derive(Debug, Default)]
pub struct Chances {
    numbers: HashMap<String, Option<Odds>>,
    odds: Vec<Distribution>,
    known: HashMap<(Odds, i64, bool), f64>,
}

impl Chances {
    pub fn of(&mut self, expression: &str) -> Option<Odds> {
        if let Some(known) = self.numbers.get(expression) {
            return *known;
        }
        if self.numbers.len() >= EXPRESSIONS_MAX {
            return None;
        }
        let odds = worked_out(expression).map(|odds| {
            self.odds.push(odds);
            Odds(self.odds.len() - 1)
        });
        self.numbers.insert(expression.to_owned(), odds);
        odds
    }

    /// The chance of reaching a total, or of not going over it.
    pub fn chance(&mut self, odds: Odds, total: i64, succeed: Succeed) -> f64 {
        let key = (odds, total, succeed == Succeed::AtLeast);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let chance = self.exact(odds, total, succeed).to_f64();
        self.known.insert(key, chance);
        chance
    }

    /// The same as a fraction.
    pub fn exact(&self, odds: Odds, total: i64, succeed: Succeed) -> Ratio {
        let odds = self.odds.get(odds.0);
        odds.map_or_else(Ratio::default, |odds| match succeed {
            Succeed::AtLeast => odds.at_least(total),
            Succeed::AtMost => odds.at_most(total),
        })
    }
}

fn worked_out(expression: &str) -> Option<Distribution> {
    let read = parse(expression).ok()?;
    let sides = read
        .dice()
        .iter()
        .map(|die| u64::from(die.sides()))
        .max()
        .unwrap_or(0);
    if read.asked() > DICE_MAX || read.asked().saturating_mul(sides) > FACES_MAX {
        return None;
    }
    // What was cut off would be missing from a tail.
    read.odds()
        .ok()
        .map(|odds| odds.totals)
        .filter(|totals| totals.cut().is_zero() || totals.cut().to_f64() < 1e-12)
}
