//! A distribution in as many lines as a person reads.

use crate::odds::distribution::Distribution;
use crate::odds::ratio::Ratio;

/// Totals at either end are left out while all of them together are less likely than this.
const TAIL: f64 = 5e-6;

/// A line: one total, or several in a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// The least total.
    pub first: i64,
    /// The greatest total; that of `first` for a single one.
    pub last: i64,
    /// The chance of any of them.
    pub chance: Ratio,
}

/// What a person is shown of a distribution.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranges {
    /// The lines, rising.
    pub rows: Vec<Range>,
    /// How many totals lie below the first line.
    pub below: usize,
    /// How many totals lie above the last line.
    pub above: usize,
}

impl Distribution {
    /// The distribution in at most `rows_max` lines.
    ///
    /// The tails that hold less than one roll in 200,000 are left out. If that leaves too many
    /// totals, each line is a range of a round width.
    pub fn ranges(&self, rows_max: usize) -> Ranges {
        let shares = self.shares();
        let below = tail(shares.iter().copied());
        let above = tail(shares.iter().rev().copied()).min(shares.len().saturating_sub(below + 1));
        let shown: Vec<i64> = self.totals().skip(below).take(shares.len() - below - above).collect();
        let (Some(first), Some(last)) = (shown.first().copied(), shown.last().copied()) else {
            return Ranges { rows: Vec::new(), below: 0, above: 0 };
        };
        let width = if shown.len() <= rows_max {
            1
        } else {
            round_width(last.saturating_sub(first), rows_max.saturating_sub(1).max(1))
        };
        // A whole distribution begins where it begins (1-25, 26-50), a part of one at round numbers.
        let start = if below == 0 { first } else { first.div_euclid(width) * width };
        let mut rows: Vec<(i64, i64)> = Vec::new();
        for total in shown {
            let low = start + (total - start).div_euclid(width) * width;
            match rows.last_mut() {
                Some((begun, end)) if width > 1 && start + (*begun - start).div_euclid(width) * width == low => {
                    *end = total;
                }
                _ => rows.push((total, total)),
            }
        }
        let rows = rows.into_iter().map(|(first, last)| {
            let chance = self.between(first, last);
            Range { first, last, chance }
        });
        Ranges { rows: rows.collect(), below, above }
    }
}

/// How many at the beginning are together less likely than [`TAIL`].
fn tail(shares: impl Iterator<Item = f64>) -> usize {
    let mut sum = 0.0;
    shares
        .take_while(|share| {
            sum += share;
            sum < TAIL
        })
        .count()
}

/// The least of 2, 5, 10, 20, 25, 50, 100, 200, 250, … that covers the span in so many steps.
fn round_width(span: i64, steps: usize) -> i64 {
    let steps = i64::try_from(steps).unwrap_or(i64::MAX);
    let covers = |width: &i64| *width > 1 && span / width < steps;
    let mut unit = 1_i64;
    loop {
        let [two, five] = [2, 5].map(|times| unit.saturating_mul(times));
        // A quarter of a unit to come: 25, 250, but not 2.5.
        let quarter = if unit >= 10 { five / 2 } else { five };
        if let Some(width) = [unit, two, quarter, five].into_iter().find(covers) {
            return width;
        }
        unit = unit.saturating_mul(10);
    }
}
