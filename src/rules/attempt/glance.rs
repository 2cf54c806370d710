//! In how many ways the dice of an attempt fall, told at a glance.
//!
//! Apart from the [`ways`](super::ways), which it spares: a walk finds out only at its bound, and this by a few rolls.

use super::Attempt;
use super::scattered::Scattered;
use crate::dice::odds::DeepWalker;
use crate::dice::{DrawError, Roller};

/// Rolls from which the number of sequences is told.
const GLANCES: u32 = 1000;
/// The mean of that many is rarely above the truth, and hardly ever so many times.
const SURELY: f64 = 4.0;

/// A number of sequences of faces that a walk surely meets, for all that a glance can tell. A roll that is one of `n` equally
/// likely ways shows `n`: no number of sequences is smaller than the least `n` there is, and the mean of `n` over rolls by
/// chance is the number of sequences (Knuth, "Estimating the efficiency of backtrack programs", 1975).
pub(super) fn sequences(attempt: &Attempt) -> f64 {
    let (mut least, mut sum) = (f64::MAX, 0.0);
    let mut dice = Counted { dice: Scattered::default(), ways: 1.0 };
    for _ in 0..GLANCES {
        dice.ways = 1.0;
        // What cannot be rolled to its end, or is not followed there, has as many ways as it has got to, or more.
        let _ = attempt.roll(&mut dice);
        least = dice.ways.min(least);
        sum += dice.ways / f64::from(GLANCES);
    }
    least.max(sum / SURELY)
}

/// Dice that count in how many ways they could have fallen.
struct Counted {
    dice: Scattered,
    ways: f64,
}

impl Roller for Counted {
    fn source(&self) -> &'static str {
        self.dice.source()
    }

    fn draw(&mut self, low: i64, high: i64) -> Result<i64, DrawError> {
        if self.ways > DeepWalker::DEPTH {
            return Err(DrawError::TooFew { used: 0 });
        }
        self.ways *= high.saturating_sub(low).saturating_add(1) as f64;
        self.dice.draw(low, high)
    }
}
