//! Is it fair? Counts of faces, and how surprising they would be from fair dice.
//!
//! Pearson's chi-square test ("On the criterion…", Philosophical Magazine, 1900). Its p-value is the chance that fair
//! dice deviate at least as much. One small p-value among many tests is to be expected, so a family of tests is held
//! against [`threshold`], which keeps the chance of any false alarm below a stated rate.

mod tally;

pub use tally::{Compared, DieKind, FaceCount, Tally, compare, each_die, tally};

use statrs::function::gamma::checked_gamma_ur;

/// The chance of a false alarm of a whole family of tests: one in a million.
pub const FALSE_ALARM_RATE: f64 = 1e-6;

/// How many times more often than its p-value says a fair die's statistic may be so large.
///
/// The chi-square distribution is an approximation, and worst far out, where alarms are. With the
/// usual five expected in a cell, sixty cells pass a p-value of 5e-8 thirty times too often; with
/// as many as [`expected_min`] asks for, up to 1.6 times (summing the exact distribution of the
/// statistic of independent Poisson cells, 1 to 10,000 of them).
const UNDERSTATED_MAX: f64 = 2.0;

/// How many must be expected in each of so many cells; neighbours are joined until they are. What
/// spoils the approximation is the skewness of a cell, which many cells even out.
fn expected_min(cells: usize) -> f64 {
    (1000.0 / (cells.max(1) as f64).sqrt()).max(30.0)
}

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
/// Neighbouring cells are joined until enough are expected in each (at least 30, and 1000 where there are few cells).
/// `None` when fewer than two cells are left: too few observations to say anything.
pub fn chi_square(observed: &[u64], chances: &[f64]) -> Option<ChiSquare> {
    let count: u64 = observed.iter().sum();
    let whole: f64 = chances.iter().sum();
    let mut cells: Vec<(f64, f64)> = Vec::with_capacity(observed.len());
    let mut open = (0.0, 0.0);
    let enough = expected_min(observed.len());
    for (observed, chance) in observed.iter().zip(chances) {
        open.0 += *observed as f64;
        open.1 += chance / whole * count as f64;
        if open.1 >= enough {
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
    Some(ChiSquare { statistic, degrees, p_value: p_value(statistic, degrees) })
}

/// The chance that the statistic is at least so large: the regularised upper incomplete gamma function Q(degrees / 2, statistic / 2).
fn p_value(statistic: f64, degrees: u32) -> f64 {
    // The function takes no 0. What else it does not take is no statistic of fair dice.
    if statistic <= 0.0 { 1.0 } else { checked_gamma_ur(f64::from(degrees) / 2.0, statistic / 2.0).unwrap_or(0.0) }
}

/// The p-value below which one of so many tests is an alarm, for a false-alarm rate of the whole family (Bonferroni's
/// bound, which needs no independence), with room for p-values that are too small.
pub fn threshold(rate: f64, tests: usize) -> f64 {
    rate / tests.max(1) as f64 / UNDERSTATED_MAX
}

#[cfg(test)]
mod tests {
    use super::p_value;

    #[test]
    fn known_p_values() {
        // Statistic, degrees, p; worked out to 25 places with mpmath.
        let table = [
            (3.841_458_820_694_124, 1, 0.050_000_000_000_000_06),
            (18.307_038_053_275_146, 10, 0.05),
            (135.806_723_471_163_88, 99, 0.008_338_552_602_055_629),
            (0.0, 5, 1.0),
            (23.928_126_983_7, 1, 9.999_999_964_859_514e-7),
            (10_000.0, 9_999, 0.495_298_394_538_683_5),
            (600.0, 99, 9.781_170_421_206_751e-73),
            (1e-3, 3, 0.999_991_592_080_941_9),
        ];
        for (statistic, degrees, p) in table {
            let found = p_value(statistic, degrees);
            assert!((found - p).abs() < 1e-10 * p, "{statistic} {degrees}: {found}");
        }
        // Two degrees of freedom: exp(-x / 2), exactly.
        assert!((p_value(40.0, 2) - (-20.0_f64).exp()).abs() < 1e-20);
    }
}
