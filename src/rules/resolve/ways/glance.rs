//! In how many ways the dice of an attempt fall, told at a glance.
//!
//! It spares the walks of [`super`]: a walk finds out only at its bound, and this by a few rolls.

use std::collections::BTreeMap;

use crate::dice::odds::{DeepWalker, Extra, Pool};
use crate::dice::{DrawError, Expression, Roller};
use crate::rules::resolve::attempt::Attempt;
use crate::rules::resolve::scattered::Scattered;

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
    least.max(sum / SURELY).max(counted(attempt).unwrap_or(0.0))
}

/// Parts of a bit to which the depth of a sequence is rounded up.
const PARTS: f64 = 8.0;

/// Numbers of sequences by their depth, in parts of a bit.
type Depths = BTreeMap<u32, f64>;

/// The sequences that a walk follows to their end, where every die is drawn once and then for each explosion: few rolls of dice
/// that explode show the long ones, which are most of them. None where that cannot be told.
fn counted(attempt: &Attempt) -> Option<f64> {
    let expressions: Vec<&Expression> = std::iter::once(&attempt.expression).chain(&attempt.opposing).collect();
    let mut all = Depths::from([(0, 1.0)]);
    for expression in expressions {
        for pool in expression.pools()? {
            let own = depths(&pool)?;
            let mut next = Depths::new();
            for (depth, number) in &all {
                for (more, times) in own.iter().filter(|(more, _)| is_followed(depth + **more)) {
                    *next.entry(depth + more).or_default() += number * times;
                }
            }
            all = next;
        }
    }
    Some(all.values().sum())
}

fn is_followed(depth: u32) -> bool {
    f64::from(depth) <= PARTS * DeepWalker::DEPTH.log2()
}

/// The sequences of one pool.
fn depths(pool: &Pool) -> Option<Depths> {
    if !pool.is_drawn_once() {
        return None;
    }
    let all = pool.faces.len() as f64;
    let bursts = pool.faces.iter().filter(|face| face.explodes).count() as f64;
    let stays = all - bursts;
    let depth = |draws: usize| (draws as f64 * all.log2() * PARTS).ceil() as u32;
    let Some(chains) = pool.chains else {
        return Some(Depths::from([(depth(pool.count), all.powf(pool.count as f64))]));
    };
    let mut found = Depths::new();
    let mut number = stays.powf(pool.count as f64);
    for exploded in 0..=chains.most {
        let depth = depth(pool.count + exploded);
        if !is_followed(depth) {
            break;
        }
        *found.entry(depth).or_default() += number;
        // One more explosion: one more die may have it, or any die after any of those before.
        number *= match chains.extra {
            Extra::Dice | Extra::Part => bursts * (pool.count + exploded) as f64,
            Extra::OneDie => bursts * all / stays * pool.count.saturating_sub(exploded) as f64,
        } / (exploded + 1) as f64;
    }
    Some(found)
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
