//! The incomplete gamma function, for p-values.
//!
//! Abramowitz and Stegun, "Handbook of Mathematical Functions", 6.5.29 (series) and 6.5.31
//! (continued fraction, evaluated by Lentz's method); the logarithm of the gamma function after
//! Lanczos (SIAM J. Numerical Analysis, 1964). Relative error below 1e-10 in the ranges used here.

/// Terms of the series or the fraction.
const STEPS: u32 = 100_000;

/// Relative size of a term that no longer matters.
const PRECISION: f64 = 1e-15;

/// The regularised upper incomplete gamma function Q(a, x).
pub(super) fn upper(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let scale = (a * x.ln() - x - log_gamma(a)).exp();
    let value = if x < a + 1.0 { 1.0 - scale * series(a, x) } else { scale * fraction(a, x) };
    value.clamp(0.0, 1.0)
}

fn series(a: f64, x: f64) -> f64 {
    let mut term = 1.0 / a;
    let mut sum = term;
    for step in 1..=STEPS {
        term *= x / (a + f64::from(step));
        sum += term;
        if term < sum * PRECISION {
            break;
        }
    }
    sum
}

fn fraction(a: f64, x: f64) -> f64 {
    let tiny = f64::MIN_POSITIVE / PRECISION;
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / tiny;
    let mut d = 1.0 / b;
    let mut value = d;
    for step in 1..=STEPS {
        let step = f64::from(step);
        let numerator = -step * (step - a);
        b += 2.0;
        d = numerator * d + b;
        d = 1.0 / if d.abs() < tiny { tiny } else { d };
        c = b + numerator / c;
        c = if c.abs() < tiny { tiny } else { c };
        let factor = d * c;
        value *= factor;
        if (factor - 1.0).abs() < PRECISION {
            break;
        }
    }
    value
}

fn log_gamma(x: f64) -> f64 {
    const COEFFICIENTS: [f64; 8] = [
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    let x = x - 1.0;
    let mut sum = 0.999_999_999_999_809_9;
    for (coefficient, place) in COEFFICIENTS.iter().zip(1_u8..) {
        sum += coefficient / (x + f64::from(place));
    }
    let t = x + 7.5;
    (2.0 * std::f64::consts::PI).ln() / 2.0 + (x + 0.5) * t.ln() - t + sum.ln()
}

#[cfg(test)]
mod tests {
    use super::upper;

    #[test]
    fn known_p_values() {
        // Statistic, degrees, p; worked out to 25 places with mpmath.
        let table = [
            (3.841_458_820_694_124, 1.0, 0.050_000_000_000_000_06),
            (18.307_038_053_275_146, 10.0, 0.05),
            (135.806_723_471_163_88, 99.0, 0.008_338_552_602_055_629),
            (0.0, 5.0, 1.0),
            (23.928_126_983_7, 1.0, 9.999_999_964_859_514e-7),
            (10_000.0, 9_999.0, 0.495_298_394_538_683_5),
            (600.0, 99.0, 9.781_170_421_206_751e-73),
            (1e-3, 3.0, 0.999_991_592_080_941_9),
        ];
        for (statistic, degrees, p) in table {
            let found = upper(degrees / 2.0, statistic / 2.0);
            assert!((found - p).abs() < 1e-10 * p, "{statistic} {degrees}: {found}");
        }
        // Two degrees of freedom: exp(-x / 2), exactly.
        assert!((upper(1.0, 20.0) - (-20.0_f64).exp()).abs() < 1e-20);
    }
}
