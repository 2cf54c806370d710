//! A bound on the work of working out odds.

use crate::error::{Code, DiceError, Fault};
use crate::text::Span;

/// Steps that one question may take by the estimate, each two to three nanoseconds.
pub(super) const STEPS_MAX: u64 = 250_000_000;

/// How many times the estimate may turn out to have been too low before the work stops.
const TOO_LOW_MAX: u64 = 2;

/// Steps that looking up a value takes, beside counting its ways.
pub(super) const LOOK_UP: usize = 300;

/// Steps that any operation takes, however short the numbers: so an estimate is short, too.
const OPERATION: u64 = 60;

/// Words up to which a product takes no longer than the upkeep of its numbers.
const PRODUCT_FREE_WORDS: u64 = 8;

/// The widest number of ways, in bits. One of so many is as good as none, its fraction pages long.
const BITS_MAX: f64 = 16_384.0;

/// Bits that all ways of a distribution together may have, and so that may be written out: 2.5 MB.
const WRITTEN_BITS_MAX: f64 = 20_000_000.0;

/// 64-bit words that one distribution may hold, 64 MiB.
const WORDS_MAX: u64 = 8 << 20;

/// Why odds were not worked out.
pub(super) enum Stop {
    /// 128 bits are too few: count in big integers.
    Narrow,
    Refused(DiceError),
}

/// What is left of the bound.
pub(super) struct Budget {
    left: u64,
    /// Words that every number is taken to have at least: an estimate has no numbers to ask.
    words: u64,
}

impl Budget {
    pub(super) fn new() -> Self {
        Budget {
            left: STEPS_MAX * TOO_LOW_MAX,
            words: 0,
        }
    }

    /// The bound that an estimate is held against.
    pub(super) fn estimate() -> Self {
        Budget {
            left: STEPS_MAX,
            words: 0,
        }
    }

    /// Steps left.
    #[cfg(test)]
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// Takes every number to be up to so many bits wide from here on.
    pub(super) fn widen(&mut self, bits: f64) -> Result<(), Stop> {
        if bits > BITS_MAX {
            return Err(too_much());
        }
        // Numbers grow up to that: half of it on average.
        self.words = if bits <= 128.0 {
            0
        } else {
            (bits / 128.0) as u64 + 4
        };
        Ok(())
    }

    /// Refuses so many outcomes with ways of so many bits when they would take too long to show.
    pub(super) fn show(&mut self, outcomes: f64, bits: f64) -> Result<(), Stop> {
        if outcomes * bits > WRITTEN_BITS_MAX {
            return Err(too_much());
        }
        // A fraction's common factor takes a subtraction a bit, four words a step, after the work.
        self.widen(bits)?;
        Budget::estimate().take((outcomes * bits * bits / 256.0) as u64)
    }

    /// Takes off the cost of so many operations on numbers of so many words (see
    /// [`Weight::words`](super::weight::Weight::words)).
    pub(super) fn charge(&mut self, operations: usize, words: u64) -> Result<(), Stop> {
        let words = words.max(self.words);
        let each = if words == 0 { 1 } else { 40 + 2 * words };
        let cost = u64::try_from(operations)
            .unwrap_or(u64::MAX)
            .saturating_mul(each)
            .max(OPERATION);
        self.take(cost)
    }

    /// As [`Budget::charge`], for products of numbers of which both may be wide.
    pub(super) fn charge_products(&mut self, operations: usize, words: u64) -> Result<(), Stop> {
        let wide = words.max(self.words).saturating_sub(PRODUCT_FREE_WORDS);
        let long = u64::try_from(operations)
            .unwrap_or(u64::MAX)
            .saturating_mul(wide.saturating_mul(wide) / 2);
        self.take(long)?;
        self.charge(operations, words)
    }

    /// Takes off so many steps.
    pub(super) fn take(&mut self, cost: u64) -> Result<(), Stop> {
        self.left = self.left.checked_sub(cost).ok_or_else(too_much)?;
        Ok(())
    }

    /// Refuses a distribution of so many outcomes with numbers of so many words.
    pub(super) fn hold(&self, outcomes: usize, words: u64) -> Result<(), Stop> {
        let words = words.max(self.words);
        let held = u64::try_from(outcomes)
            .unwrap_or(u64::MAX)
            .saturating_mul(2 + words);
        if held > WORDS_MAX {
            Err(too_much())
        } else {
            Ok(())
        }
    }
}

pub(super) fn too_much() -> Stop {
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
