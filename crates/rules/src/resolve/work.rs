//! How much may still be done in looking at every way dice can fall.
//!
//! A state of one die costs little, one of a thousand dice costs a thousand times as much, and a long expression more than a
//! short one. So what is bounded is not how many states are looked at, but what that takes: roughly, dice thrown and
//! conditions asked. The same everywhere, so that what is found does not depend on the machine.

use crate::language::checks::Check;
use rollbook_dice::Formula;

/// Work that may still be done, in dice thrown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Work {
    left: u64,
}

/// What binding and judging take besides the dice.
const STATE: u64 = 8;
/// Bytes of an expression that are evaluated while a die is thrown.
const BYTES_A_DIE: u64 = 8;

impl Work {
    /// So much.
    pub fn of(dice: u64) -> Self {
        Self { left: dice }
    }

    /// As much as it takes: something else is the bound.
    pub fn endless() -> Self {
        Self::of(u64::MAX)
    }

    /// Takes from it; whether there was so much. What is too much takes everything.
    pub fn take(&mut self, dice: u64) -> bool {
        let enough = self.left >= dice;
        self.left = if enough { self.left - dice } else { 0 };
        enough
    }

    /// Whether nothing is left.
    pub fn is_done(&self) -> bool {
        self.left == 0
    }

    /// At most so much of it, for a part of the whole; what the part took is then taken here.
    pub fn part(&self, dice: u64) -> Self {
        Self::of(self.left.min(dice))
    }

    /// Takes what a part that began with so much has taken.
    pub fn take_part(&mut self, began: &Self, part: &Self) {
        self.take(began.left.saturating_sub(part.left));
    }
}

impl Check {
    /// What one state of it takes besides its dice.
    pub(crate) fn weight(&self) -> u64 {
        let bytes = |formula: &Formula| u64::try_from(formula.to_string().len()).unwrap_or(u64::MAX);
        let formulas = std::iter::once(&self.roll).chain(&self.target);
        let asked: usize = self.conditions().map(|when| when.measures().len().max(1)).sum();
        STATE + u64::try_from(asked).unwrap_or(u64::MAX) + formulas.map(bytes).sum::<u64>() / BYTES_A_DIE
    }
}
