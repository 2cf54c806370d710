//! What is known of a distribution that was not worked out: its ends, how many outcomes, how wide its numbers.

use crate::expression::tree::Factor;
use crate::odds::budget::{Budget, LOOK_UP, Stop};

/// Words that an outcome takes where values are looked up: key, ways, and room to grow.
pub(super) const LOOKED_UP_WORDS: u64 = 6;

/// What is known of a distribution that was not worked out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    pub(super) low: f64,
    pub(super) high: f64,
    /// Outcomes, at most.
    pub(super) outcomes: f64,
    /// What every value is a multiple of one part of; infinite where that is not known.
    pub(super) parts: f64,
    /// The width of its ways.
    pub(super) bits: f64,
}

pub(super) fn charge(budget: &mut Budget, operations: f64, bits: f64) -> Result<(), Stop> {
    budget.widen(bits)?;
    budget.charge(operations as usize, 0)
}

/// Charges for so many products of ways of so many bits each.
fn charge_products(budget: &mut Budget, operations: f64, a: f64, b: f64) -> Result<(), Stop> {
    charge(budget, operations, a + b)?;
    // Half of either width on average, and two words multiplied a step.
    budget.take((operations * (a / 64.0) * (b / 64.0) / 8.0) as u64)
}

impl Size {
    pub(super) fn constant(value: f64) -> Self {
        let parts = if value.fract() == 0.0 { 1.0 } else { 1_000_000.0 };
        Size { low: value, high: value, outcomes: 1.0, parts, bits: 0.0 }
    }

    /// Values and ways that arise from each pair of two.
    pub(super) fn pair(&self, other: &Size, (low, high): (f64, f64), parts: f64) -> Size {
        let places = (high - low) * parts + 1.0;
        let outcomes = (self.outcomes * other.outcomes).min(places);
        Size { low, high, outcomes, parts, bits: self.bits + other.bits }
    }

    /// Whether its values lie close together, so that they need not be looked up.
    fn is_dense(&self) -> bool {
        self.parts <= 1.0 && self.outcomes > 1.0 && self.high - self.low <= self.outcomes * 4.0
    }

    pub(super) fn add(&self, other: &Size, budget: &mut Budget) -> Result<Size, Stop> {
        let sum = self.pair(other, (self.low + other.low, self.high + other.high), self.parts.max(other.parts));
        if self.is_dense() && other.is_dense() {
            let operations = (self.high - self.low + 1.0) * (other.high - other.low + 1.0);
            charge_products(budget, operations, self.bits, other.bits)?;
            budget.hold((sum.high - sum.low) as usize, 0)?;
            return Ok(sum);
        }
        let shifted = (self.is_dense() && other.outcomes <= 1.0) || (other.is_dense() && self.outcomes <= 1.0);
        if !shifted {
            self.look_up(other, &sum, budget)?;
        }
        Ok(sum)
    }

    /// Charges for looking up the value of each pair.
    pub(super) fn look_up(&self, other: &Size, result: &Size, budget: &mut Budget) -> Result<(), Stop> {
        let pairs = self.outcomes * other.outcomes;
        charge(budget, pairs * LOOK_UP as f64, result.bits)?;
        charge_products(budget, pairs, self.bits, other.bits)?;
        budget.hold(result.outcomes as usize, LOOKED_UP_WORDS)
    }

    pub(super) fn multiply(&self, factor: Factor, other: &Size, budget: &mut Budget) -> Result<Size, Stop> {
        let corner = |a: f64, b: f64| match factor {
            Factor::Times => a * b,
            Factor::Divide | Factor::DivideFloor => a / b,
        };
        let corners = [(self.low, other.low), (self.low, other.high), (self.high, other.low), (self.high, other.high)];
        let ends = corners.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |ends, (a, b)| {
            let value = corner(*a, *b);
            (ends.0.min(value), ends.1.max(value))
        });
        let parts = match factor {
            Factor::Times => self.parts * other.parts,
            Factor::DivideFloor => 1.0,
            Factor::Divide if other.outcomes <= 1.0 => self.parts * other.low.abs() * other.parts,
            Factor::Divide => f64::INFINITY,
        };
        let result = self.pair(other, ends, parts);
        self.look_up(other, &result, budget)?;
        Ok(result)
    }

    /// Of the values turned round.
    pub(super) fn negative(self) -> Size {
        Size { low: -self.high, high: -self.low, ..self }
    }
}
