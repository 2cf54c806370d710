//! A budget for walking all ways in which dice can fall.
//!
//! It counts dice thrown and conditions evaluated, not states, since a state of a thousand dice
//! costs a thousand times one die's. It counts no time, so results do not depend on the machine.

use crate::language::checks::Check;
use rollbook_dice::Formula;

/// The work that is left, in dice thrown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Work {
    left: u64,
}

/// The cost of binding and judging, besides the dice.
const STATE: u64 = 8;
/// Bytes of an expression that cost as much as a die.
const BYTES_A_DIE: u64 = 8;

impl Work {
    /// This much work.
    pub fn new(dice: u64) -> Self {
        Self { left: dice }
    }

    /// No bound.
    pub fn endless() -> Self {
        Self::new(u64::MAX)
    }

    /// Takes work; false, and nothing is left, where it is more than there is.
    pub fn take(&mut self, dice: u64) -> bool {
        let enough = self.left >= dice;
        self.left = if enough { self.left - dice } else { 0 };
        enough
    }

    /// Whether nothing is left.
    pub fn is_done(&self) -> bool {
        self.left == 0
    }

    /// At most this much of it, for a part. [`Self::take_part`] then takes what the part used.
    pub fn part(&self, dice: u64) -> Self {
        Self::new(self.left.min(dice))
    }

    /// Takes what a part used since it began.
    pub fn take_part(&mut self, began: &Self, part: &Self) {
        self.take(began.left.saturating_sub(part.left));
    }
}

impl Check {
    /// The cost of one state besides its dice.
    pub(crate) fn weight(&self) -> u64 {
        let bytes =
            |formula: &Formula| u64::try_from(formula.to_string().len()).unwrap_or(u64::MAX);
        let formulas = std::iter::once(&self.roll).chain(&self.target);
        let asked: usize = self
            .conditions()
            .map(|when| when.measures().len().max(1))
            .sum();
        STATE
            + u64::try_from(asked).unwrap_or(u64::MAX)
            + formulas.map(bytes).sum::<u64>() / BYTES_A_DIE
    }
}
