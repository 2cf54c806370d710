//! Is it fair? Counts of faces, and how surprising they would be from fair dice.
//!
//! Pearson's chi-square test ("On the criterion…", Philosophical Magazine, 1900). Its p-value is the
//! chance that fair dice deviate at least as much. One small p-value among many tests is to be
//! expected, so a family of tests is held against [`threshold`], which keeps the chance of any
//! false alarm below a stated rate.

mod gamma;
mod tally;

pub use tally::{FaceCount, Tally, compare, tally};

use gamma::upper;

/// The chance of a false alarm of a whole family of tests: one in a million.
pub const FALSE_ALARM_RATE: f64 = 1e-6;

/// Cells are joined until at least so many are expected in each, as the approximation needs.
const EXPECTED_MIN: f64 = 5.0;

/// The result of a chi-square test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChiSquare {
    /// The sum of squared deviations, each over what was expected.
    pub statistic: f64,
    /// Cells less one, after joining.
    pub degrees: u32,
    /// The chance that fair dice deviate at least as much, from 0 to 1.
    pub p_value: f64,
}

/// Tests counts against chances.
///
/// Neighbouring cells are joined until at least 5 are expected in each. `None` when fewer than two
/// cells are left: too few observations to say anything.
pub fn chi_square(observed: &[u64], chances: &[f64]) -> Option<ChiSquare> {
    let count: u64 = observed.iter().sum();
    let whole: f64 = chances.iter().sum();
    let mut cells: Vec<(f64, f64)> = Vec::with_capacity(observed.len());
    let mut open = (0.0, 0.0);
    for (observed, chance) in observed.iter().zip(chances) {
        open.0 += *observed as f64;
        open.1 += chance / whole * count as f64;
        if open.1 >= EXPECTED_MIN {
            cells.push(open);
            open = (0.0, 0.0);
        }
    }
    // What is left over goes to the last cell.
    if let Some(last) = cells.last_mut() {
        last.0 += open.0;
        last.1 += open.1;
    }
    let degrees = u32::try_from(cells.len().checked_sub(1)?).ok()?;
    if degrees == 0 {
        return None;
    }
    let deviation = |(observed, expected): &(f64, f64)| (observed - expected).powi(2) / expected;
    let statistic: f64 = cells.iter().map(deviation).sum();
    Some(ChiSquare { statistic, degrees, p_value: upper(f64::from(degrees) / 2.0, statistic / 2.0) })
}

/// The p-value below which one of so many tests is an alarm, for a false-alarm rate of the whole
/// family (Bonferroni's bound, which needs no independence).
pub fn threshold(rate: f64, tests: usize) -> f64 {
    rate / tests.max(1) as f64
}
