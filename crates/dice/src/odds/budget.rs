//! A bound on the work of working out odds.

use crate::error::{Code, DiceError, Fault};
use crate::text::Span;

/// Steps that one question may take, each two to three nanoseconds.
const STEPS_MAX: u64 = 250_000_000;

/// Steps that looking up a value takes, beside counting its ways.
pub(super) const LOOK_UP: usize = 300;

/// Steps that any operation takes, however short the numbers.
const OPERATION: u64 = 60;

/// Words up to which a product takes no longer than the upkeep of its numbers.
const PRODUCT_FREE_WORDS: u64 = 8;

/// 64-bit words that one distribution may hold, 64 MiB.
const WORDS_MAX: u64 = 8 << 20;

/// 64-bit words of the widest number. One of so many ways is as good as none, its fraction pages long.
const NUMBER_WORDS_MAX: u64 = 264;

/// Why odds were not worked out.
pub(super) enum Stop {
    /// 128 bits are too few: count in big integers.
    Narrow,
    Refused(DiceError),
}

/// What is left of the bound.
pub(super) struct Budget {
    left: u64,
}

impl Budget {
    pub(super) fn new() -> Self {
        Budget { left: STEPS_MAX }
    }

    /// Takes off the cost of so many operations on numbers of so many words (see
    /// [`Weight::words`](super::weight::Weight::words)).
    pub(super) fn charge(&mut self, operations: usize, words: u64) -> Result<(), Stop> {
        let each = if words == 0 { 1 } else { 40 + 2 * words };
        let cost = u64::try_from(operations)
            .unwrap_or(u64::MAX)
            .saturating_mul(each)
            .max(OPERATION);
        self.take(cost)
    }

    /// As [`Budget::charge`], for products of numbers of which both may be wide.
    pub(super) fn charge_products(&mut self, operations: usize, words: u64) -> Result<(), Stop> {
        let wide = words.saturating_sub(PRODUCT_FREE_WORDS);
        let long = u64::try_from(operations)
            .unwrap_or(u64::MAX)
            .saturating_mul(wide.saturating_mul(wide) / 2);
        self.take(long)?;
        self.charge(operations, words)
    }

    /// Takes off so many steps.
    fn take(&mut self, cost: u64) -> Result<(), Stop> {
        self.left = self.left.checked_sub(cost).ok_or_else(too_much)?;
        Ok(())
    }

    /// Refuses a distribution of so many outcomes with numbers of so many words.
    pub(super) fn hold(&self, outcomes: usize, words: u64) -> Result<(), Stop> {
        let held = u64::try_from(outcomes)
            .unwrap_or(u64::MAX)
            .saturating_mul(2 + words);
        if held > WORDS_MAX || words > NUMBER_WORDS_MAX {
            Err(too_much())
        } else {
            Ok(())
        }
    }
}

fn too_much() -> Stop {
    Stop::Refused(
        Fault::new(
            Code::LimitExceeded,
            Span::default(),
            "The exact odds of this would take too long to work out.",
        )
        .hint("Ask for fewer or smaller dice.", "20d6kh10"),
    )
}

/// Turns "too wide for 128 bits" into a stop.
pub(super) trait OrNarrow<T> {
    fn wide(self) -> Result<T, Stop>;
}

impl<T> OrNarrow<T> for Option<T> {
    fn wide(self) -> Result<T, Stop> {
        self.ok_or(Stop::Narrow)
    }
}
