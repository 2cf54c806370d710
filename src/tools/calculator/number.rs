//! The calculator's numbers: exact fractions as long as there are any, and floating-point numbers behind `sqrt(2)`, `sin` or `pi`.

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;

use crate::dice::odds::Ratio;

/// Bits above or below the line of a fraction.
const BITS_MAX: u64 = 16_384;
/// Significant digits of a number that is not whole.
const DIGITS: usize = 6;

/// Why there is no number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// A division by zero.
    Zero,
    /// A number too large to be written down.
    Large,
    /// A number too near zero for all the digits that are shown.
    Small,
    /// What the function does not take, in words.
    Outside(String),
}

/// An exact fraction in lowest terms with a positive denominator, or a floating-point number that is zero or normal: one that is nearer to
/// zero has too few digits.
#[derive(Debug, Clone, PartialEq)]
pub enum Number {
    Exact { top: BigInt, bottom: BigInt },
    Real(f64),
}

impl Number {
    pub fn whole(value: impl Into<BigInt>) -> Number {
        Number::Exact { top: value.into(), bottom: BigInt::from(1) }
    }

    /// `top / bottom`.
    pub fn fraction(top: BigInt, bottom: BigInt) -> Result<Number, Fault> {
        if bottom.sign() == Sign::NoSign {
            return Err(Fault::Zero);
        }
        let common = top.gcd(&bottom);
        let common = if bottom.sign() == Sign::Minus { -common } else { common };
        let (top, bottom) = (top / &common, bottom / common);
        if top.bits() > BITS_MAX || bottom.bits() > BITS_MAX {
            return Err(Fault::Large);
        }
        Ok(Number::Exact { top, bottom })
    }

    pub fn real(value: f64) -> Result<Number, Fault> {
        match value {
            _ if !value.is_finite() => Err(Fault::Large),
            _ if value.is_subnormal() => Err(Fault::Small),
            _ => Ok(Number::Real(value)),
        }
    }

    /// `part * 2^power`; the part is at least 1/4 and less than 4, or zero.
    fn scaled(part: f64, power: i64) -> Result<Number, Fault> {
        match i32::try_from(power) {
            _ if part == 0.0 => Ok(Number::Real(0.0)),
            Ok(power @ -1040..=1040) => Number::real(part * 2_f64.powi(power / 2) * 2_f64.powi(power - power / 2)),
            Ok(_) | Err(_) if power > 0 => Err(Fault::Large),
            Ok(_) | Err(_) => Err(Fault::Small),
        }
    }

    /// The number as `part * 2^power`, also where it is far outside what a floating-point number can be; the part is at least 1/2 and less
    /// than 2, or zero.
    fn parts(&self) -> (f64, i64) {
        match self {
            Number::Exact { top, bottom } => {
                let power = i64::try_from(top.bits()).unwrap_or(0) - i64::try_from(bottom.bits()).unwrap_or(0);
                let (above, below) = (top.magnitude(), bottom.magnitude());
                let (above, below) = match power {
                    0.. => (above.clone(), below << power.unsigned_abs()),
                    _ => (above << power.unsigned_abs(), below.clone()),
                };
                (Ratio::new(top.sign() == Sign::Minus, above, below).to_f64(), power)
            }
            Number::Real(0.0) => (0.0, 0),
            Number::Real(value) => {
                let bits = value.to_bits();
                let power = i64::try_from((bits >> 52) & 0x7ff).unwrap_or(0) - 1023;
                (f64::from_bits((bits & !(0x7ff << 52)) | (1023 << 52)), power)
            }
        }
    }

    /// Digits with a point and a power of ten: `12.5e3`.
    pub fn parse(digits: &str, point: usize, power: i32) -> Result<Number, Fault> {
        let top: BigInt = digits.parse().map_err(|_| Fault::Large)?;
        let power = power - i32::try_from(point).map_err(|_| Fault::Large)?;
        let ten = BigInt::from(10).pow(power.unsigned_abs());
        if power < 0 { Number::fraction(top, ten) } else { Number::fraction(top * ten, BigInt::from(1)) }
    }

    /// As a floating-point number: infinite where it is too large, and with fewer digits, at last zero, where it is too small.
    pub fn to_f64(&self) -> f64 {
        match self {
            Number::Exact { top, bottom } => {
                Ratio::new(top.sign() == Sign::Minus, top.magnitude().clone(), bottom.magnitude().clone()).to_f64()
            }
            Number::Real(value) => *value,
        }
    }

    /// As a floating-point number with all its digits.
    pub fn as_real(&self) -> Result<f64, Fault> {
        let value = self.to_f64();
        if value == 0.0 && !self.is_zero() { Err(Fault::Small) } else { Number::real(value).map(|_| value) }
    }

    /// The number, where it is whole and so many bits are enough.
    pub fn small(&self) -> Option<i32> {
        match self {
            Number::Exact { top, bottom } if *bottom == BigInt::from(1) => i32::try_from(top).ok(),
            Number::Exact { .. } | Number::Real(_) => None,
        }
    }

    /// Two exact numbers by one rule, others by another.
    fn with(
        &self,
        other: &Number,
        exact: impl FnOnce((&BigInt, &BigInt), (&BigInt, &BigInt)) -> Result<Number, Fault>,
        real: impl FnOnce(&Number, &Number) -> Result<Number, Fault>,
    ) -> Result<Number, Fault> {
        match (self, other) {
            (Number::Exact { top, bottom }, Number::Exact { top: other, bottom: below }) => {
                exact((top, bottom), (other, below))
            }
            _ => real(self, other),
        }
    }

    pub fn plus(&self, other: &Number) -> Result<Number, Fault> {
        self.with(
            other,
            |(a, b), (c, d)| Number::fraction(a * d + c * b, b * d),
            |a, b| Number::real(a.to_f64() + b.to_f64()),
        )
    }

    pub fn minus(&self, other: &Number) -> Result<Number, Fault> {
        self.with(
            other,
            |(a, b), (c, d)| Number::fraction(a * d - c * b, b * d),
            |a, b| Number::real(a.to_f64() - b.to_f64()),
        )
    }

    pub fn times(&self, other: &Number) -> Result<Number, Fault> {
        self.with(
            other,
            |(a, b), (c, d)| Number::fraction(a * c, b * d),
            |a, b| {
                let ((a, by), (b, more)) = (a.parts(), b.parts());
                Number::scaled(a * b, by + more)
            },
        )
    }

    pub fn over(&self, other: &Number) -> Result<Number, Fault> {
        if other.is_zero() {
            return Err(Fault::Zero);
        }
        self.with(
            other,
            |(a, b), (c, d)| Number::fraction(a * d, b * c),
            |a, b| {
                let ((a, by), (b, less)) = (a.parts(), b.parts());
                Number::scaled(a / b, by - less)
            },
        )
    }

    /// What is left after dividing as often as it goes; it has the sign of the number that is divided.
    pub fn remainder(&self, other: &Number) -> Result<Number, Fault> {
        if other.is_zero() {
            return Err(Fault::Zero);
        }
        self.with(
            other,
            |(a, b), (c, d)| Number::fraction((a * d) % (c * b), b * d),
            |a, b| Number::real(a.as_real()? % b.as_real()?),
        )
    }

    pub fn power(&self, other: &Number) -> Result<Number, Fault> {
        if let (Number::Exact { top, bottom }, Some(times)) = (self, other.small()) {
            let bits = top.bits().max(bottom.bits()).saturating_sub(1);
            if bits.saturating_mul(u64::from(times.unsigned_abs())) > BITS_MAX {
                return Err(Fault::Large);
            }
            let (top, bottom) = (top.pow(times.unsigned_abs()), bottom.pow(times.unsigned_abs()));
            return if times < 0 { Number::fraction(bottom, top) } else { Number::fraction(top, bottom) };
        }
        let half = Number::fraction(BigInt::from(1), BigInt::from(2))?;
        if *other == half {
            return self.root();
        }
        if self.is_negative() {
            return Err(Fault::Outside("a number below zero has only whole powers".to_owned()));
        }
        if self.is_zero() && other.is_negative() {
            return Err(Fault::Zero);
        }
        let (base, times) = (self.to_f64(), other.to_f64());
        let power = match self.is_zero() || base.is_normal() {
            true => base.powf(times),
            false => (self.natural() * times).exp(),
        };
        if power == 0.0 && !self.is_zero() { Err(Fault::Small) } else { Number::real(power) }
    }

    /// The natural logarithm of a number above zero.
    pub fn natural(&self) -> f64 {
        let value = self.to_f64();
        if value.is_normal() {
            return value.ln();
        }
        let (part, power) = self.parts();
        part.ln() + power as f64 * std::f64::consts::LN_2
    }

    /// The logarithm of a number above zero to the base 10; exact for the powers of ten.
    pub fn common_logarithm(&self) -> Result<Number, Fault> {
        let zeros = |number: &BigInt| {
            let digits = number.to_string();
            digits.strip_prefix('1').filter(|rest| rest.bytes().all(|digit| digit == b'0')).map(str::len)
        };
        if let Number::Exact { top, bottom } = self
            && let (Some(above), Some(below)) = (zeros(top), zeros(bottom))
        {
            return Ok(Number::whole(BigInt::from(above) - BigInt::from(below)));
        }
        let value = self.to_f64();
        Number::real(if value.is_normal() { value.log10() } else { self.natural() / std::f64::consts::LN_10 })
    }

    /// The square root; exact where it is a fraction.
    pub fn root(&self) -> Result<Number, Fault> {
        if self.is_negative() {
            return Err(Fault::Outside("a number below zero has no square root".to_owned()));
        }
        if let Number::Exact { top, bottom } = self {
            let (above, below) = (top.sqrt(), bottom.sqrt());
            if &above * &above == *top && &below * &below == *bottom {
                return Number::fraction(above, below);
            }
        }
        // An even power, which is halved.
        let (part, power) = self.parts();
        let odd = power.rem_euclid(2);
        Number::scaled((if odd == 0 { part } else { part * 2.0 }).sqrt(), (power - odd) / 2)
    }

    pub fn negative(&self) -> Number {
        match self {
            Number::Exact { top, bottom } => Number::Exact { top: -top, bottom: bottom.clone() },
            Number::Real(value) => Number::Real(-value),
        }
    }

    pub fn absolute(&self) -> Number {
        if self.is_negative() { self.negative() } else { self.clone() }
    }

    /// Toward minus infinity.
    pub fn floor(&self) -> Number {
        match self {
            Number::Exact { top, bottom } => Number::whole(top.div_floor(bottom)),
            Number::Real(value) => Number::Real(value.floor()),
        }
    }

    /// To the nearest whole number, halves upward, as dice are rounded.
    pub fn round(&self) -> Result<Number, Fault> {
        let half = Number::fraction(BigInt::from(1), BigInt::from(2))?;
        Ok(self.plus(&half)?.floor())
    }

    pub fn is_negative(&self) -> bool {
        match self {
            Number::Exact { top, .. } => top.sign() == Sign::Minus,
            Number::Real(value) => *value < 0.0,
        }
    }

    pub fn is_zero(&self) -> bool {
        match self {
            Number::Exact { top, .. } => top.sign() == Sign::NoSign,
            Number::Real(value) => *value == 0.0,
        }
    }

    pub fn compare(&self, other: &Number) -> Ordering {
        match (self, other) {
            (Number::Exact { top, bottom }, Number::Exact { top: other, bottom: below }) => {
                (top * below).cmp(&(other * bottom))
            }
            _ => self.to_f64().total_cmp(&other.to_f64()),
        }
    }

    /// The fraction, where it is one and not whole.
    pub fn exact(&self) -> Option<String> {
        match self {
            Number::Exact { top, bottom } if *bottom != BigInt::from(1) => Some(format!("{top}/{bottom}")),
            Number::Exact { .. } | Number::Real(_) => None,
        }
    }

    /// In decimal: a whole number with all its digits, else at most six significant ones; `1.5e-9` where many zeros would stand.
    pub fn decimal(&self) -> String {
        match self {
            Number::Exact { top, bottom } if *bottom == BigInt::from(1) => top.to_string(),
            Number::Exact { top, bottom } => {
                let sign = if top.sign() == Sign::Minus { "-" } else { "" };
                let (digits, power) = leading(top.magnitude(), bottom.magnitude());
                format!("{sign}{}", placed(&digits, power))
            }
            Number::Real(value) => {
                let written = format!("{:.*e}", DIGITS - 1, value.abs());
                let (digits, power) = written.split_once('e').unwrap_or((&written, "0"));
                let digits = placed(&digits.replace('.', ""), power.parse().unwrap_or(0));
                let sign = if *value < 0.0 && digits != "0" { "-" } else { "" };
                format!("{sign}{digits}")
            }
        }
    }
}

/// The significant digits of a fraction above zero, rounded half up, and the power of ten of the first of them.
fn leading(top: &BigUint, bottom: &BigUint) -> (String, i32) {
    let ten = |power: i32| BigUint::from(10_u8).pow(power.unsigned_abs());
    // As many digits before the point as there are above the line and not below it, or one less.
    let digits = |number: &BigUint| i32::try_from(number.to_string().len()).unwrap_or(i32::MAX);
    let mut power = digits(top) - digits(bottom);
    let at_least = |power: i32| if power < 0 { top * ten(power) >= *bottom } else { *top >= bottom * ten(power) };
    if !at_least(power) {
        power -= 1;
    }
    let places = i32::try_from(DIGITS).unwrap_or(6) - 1 - power;
    let (above, below) =
        if places < 0 { (top.clone(), bottom * ten(places)) } else { (top * ten(places), bottom.clone()) };
    let rounded = ((above * 2_u8 + &below) / (below * 2_u8)).to_string();
    // Rounding up may have made one digit more.
    if rounded.len() > DIGITS {
        power += 1
    };
    (rounded, power)
}

/// Digits whose first stands for that power of ten, without zeros at the end.
fn placed(digits: &str, power: i32) -> String {
    let digits = digits.trim_end_matches('0');
    let Some((first, rest)) = digits.split_at_checked(1) else { return "0".to_owned() };
    match usize::try_from(power) {
        Ok(up) if up < 15 => {
            let padded = format!("{digits:0<width$}", width = up + 1);
            let (whole, part) = padded.split_at(up + 1);
            if part.is_empty() { whole.to_owned() } else { format!("{whole}.{part}") }
        }
        Err(_) if power >= -5 => {
            format!("0.{}{digits}", "0".repeat(power.unsigned_abs().saturating_sub(1) as usize))
        }
        Ok(_) | Err(_) if rest.is_empty() => format!("{first}e{power}"),
        Ok(_) | Err(_) => format!("{first}.{rest}e{power}"),
    }
}
