//! Numbers: exact fractions while there are any, floating point after `sqrt(2)`, `sin` or `pi`.

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};
use num_rational::Ratio;

use rollbook_dice::odds;

/// Bits above or below the line of a fraction.
const BITS_MAX: u64 = 16_384;
/// Significant digits of a number that is not whole.
const DIGITS: usize = 6;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    // It cannot be read from this byte on.
    Unreadable { at: usize, why: String },
    Zero,
    Large,
    // A number too near zero for all the digits that are shown.
    Small,
    // What the function does not take, in words.
    Outside(String),
}

/// An exact fraction, or a floating-point number, zero or normal: others have too few digits.
#[derive(Debug, Clone, PartialEq)]
pub enum Number {
    Exact(Ratio<BigInt>),
    Real(f64),
}

impl Number {
    pub fn whole(value: impl Into<BigInt>) -> Number {
        Number::Exact(Ratio::from_integer(value.into()))
    }

    fn exact(value: Ratio<BigInt>) -> Result<Number, Fault> {
        let bits = value.numer().bits().max(value.denom().bits());
        if bits > BITS_MAX {
            Err(Fault::Large)
        } else {
            Ok(Number::Exact(value))
        }
    }

    pub fn real(value: f64) -> Result<Number, Fault> {
        match value {
            _ if !value.is_finite() => Err(Fault::Large),
            _ if value.is_subnormal() => Err(Fault::Small),
            _ => Ok(Number::Real(value)),
        }
    }

    /// A floating-point number that cannot be zero, so that a zero is one that was too small.
    fn real_but_zero(value: f64) -> Result<Number, Fault> {
        if value == 0.0 {
            Err(Fault::Small)
        } else {
            Number::real(value)
        }
    }

    /// Digits of which so many stand after the point, and a power of ten: `12.5e3`.
    pub fn parse(digits: &str, point: usize, power: i32) -> Result<Number, Fault> {
        let digits: BigInt = digits.parse().map_err(|_| Fault::Large)?;
        let power = power - i32::try_from(point).map_err(|_| Fault::Large)?;
        Number::exact(Ratio::from_integer(digits) * ten().pow(power))
    }

    /// As floating point: infinite if too large; with fewer digits, at last zero, if too small.
    pub fn to_f64(&self) -> f64 {
        match self {
            Number::Exact(value) => {
                let (top, bottom) = (value.numer(), value.denom());
                odds::Ratio::new(
                    top.sign() == Sign::Minus,
                    top.magnitude().clone(),
                    bottom.magnitude().clone(),
                )
                .to_f64()
            }
            Number::Real(value) => *value,
        }
    }

    /// As a floating-point number with all its digits.
    pub fn as_real(&self) -> Result<f64, Fault> {
        let value = self.to_f64();
        if value == 0.0 && !self.is_zero() {
            Err(Fault::Small)
        } else {
            Number::real(value).map(|_| value)
        }
    }

    /// The number, where it is whole and so many bits are enough.
    pub fn small(&self) -> Option<i32> {
        match self {
            Number::Exact(value) if value.is_integer() => i32::try_from(value.numer()).ok(),
            Number::Exact(_) | Number::Real(_) => None,
        }
    }

    pub fn plus(&self, other: &Number) -> Result<Number, Fault> {
        match (self, other) {
            (Number::Exact(a), Number::Exact(b)) => Number::exact(a + b),
            _ => Number::real(self.to_f64() + other.to_f64()),
        }
    }

    pub fn times(&self, other: &Number) -> Result<Number, Fault> {
        match (self, other) {
            (Number::Exact(a), Number::Exact(b)) => Number::exact(a * b),
            _ if self.is_zero() || other.is_zero() => Ok(Number::whole(0)),
            _ => Number::real_but_zero(self.as_real()? * other.as_real()?),
        }
    }

    pub fn over(&self, other: &Number) -> Result<Number, Fault> {
        match (self, other) {
            _ if other.is_zero() => Err(Fault::Zero),
            (Number::Exact(a), Number::Exact(b)) => Number::exact(a / b),
            _ if self.is_zero() => Ok(Number::whole(0)),
            _ => Number::real_but_zero(self.as_real()? / other.as_real()?),
        }
    }

    /// What is left after dividing as often as it goes; its sign is the dividend's.
    pub fn remainder(&self, other: &Number) -> Result<Number, Fault> {
        match (self, other) {
            _ if other.is_zero() => Err(Fault::Zero),
            (Number::Exact(a), Number::Exact(b)) => Number::exact(a % b),
            _ => Number::real(self.as_real()? % other.as_real()?),
        }
    }

    pub fn power(&self, other: &Number) -> Result<Number, Fault> {
        if self.is_zero() && other.is_negative() {
            return Err(Fault::Zero);
        }
        if let (Number::Exact(value), Some(times)) = (self, other.small()) {
            let bits = value
                .numer()
                .bits()
                .max(value.denom().bits())
                .saturating_sub(1);
            // Before anything is multiplied: 9 ^ 9 ^ 9 takes no time.
            return match bits.saturating_mul(u64::from(times.unsigned_abs())) > BITS_MAX {
                true => Err(Fault::Large),
                false => Number::exact(value.pow(times)),
            };
        }
        if *other == Number::Exact(half()) {
            return self.root();
        }
        if self.is_negative() {
            return Err(Fault::Outside(
                "a number below zero has only whole powers".to_owned(),
            ));
        }
        match self.is_zero() {
            true => Number::real(0_f64.powf(other.as_real()?)),
            false => Number::real_but_zero(self.as_real()?.powf(other.as_real()?)),
        }
    }

    /// The square root; exact where it is a fraction.
    pub fn root(&self) -> Result<Number, Fault> {
        if self.is_negative() {
            return Err(Fault::Outside(
                "a number below zero has no square root".to_owned(),
            ));
        }
        if let Number::Exact(value) = self {
            let root = Ratio::new(value.numer().sqrt(), value.denom().sqrt());
            if &root * &root == *value {
                return Number::exact(root);
            }
        }
        Number::real(self.as_real()?.sqrt())
    }

    pub fn negative(&self) -> Number {
        match self {
            Number::Exact(value) => Number::Exact(-value),
            Number::Real(value) => Number::Real(-value),
        }
    }

    pub fn floor(&self) -> Number {
        match self {
            Number::Exact(value) => Number::Exact(value.floor()),
            Number::Real(value) => Number::Real(value.floor()),
        }
    }

    /// To the nearest whole number, halves upward, as dice are rounded.
    pub fn round(&self) -> Result<Number, Fault> {
        Ok(self.plus(&Number::Exact(half()))?.floor())
    }

    pub fn is_negative(&self) -> bool {
        match self {
            Number::Exact(value) => value.numer().sign() == Sign::Minus,
            Number::Real(value) => *value < 0.0,
        }
    }

    pub fn is_zero(&self) -> bool {
        match self {
            Number::Exact(value) => value.numer().sign() == Sign::NoSign,
            Number::Real(value) => *value == 0.0,
        }
    }

    pub fn compare(&self, other: &Number) -> Ordering {
        match (self, other) {
            (Number::Exact(a), Number::Exact(b)) => a.cmp(b),
            _ => self.to_f64().total_cmp(&other.to_f64()),
        }
    }

    /// The fraction, where it is one and not whole.
    pub fn fraction(&self) -> Option<String> {
        match self {
            Number::Exact(value) if !value.is_integer() => Some(value.to_string()),
            Number::Exact(_) | Number::Real(_) => None,
        }
    }

    /// In decimal: a whole number with all digits, else at most six; `1.5e-9` where many zeros are.
    pub fn decimal(&self) -> String {
        let (value, shift) = match self {
            Number::Exact(value) if value.is_integer() => return value.to_string(),
            // A fraction may be beyond floating point, so its size is taken out.
            Number::Exact(value) => {
                let digits = |number: &BigInt| {
                    i32::try_from(number.magnitude().to_string().len()).unwrap_or(0)
                };
                let shift = digits(value.numer()) - digits(value.denom());
                (Number::Exact(value / ten().pow(shift)).to_f64(), shift)
            }
            Number::Real(value) => (*value, 0),
        };
        let written = format!("{:.*e}", DIGITS - 1, value.abs());
        let (digits, power) = written.split_once('e').unwrap_or((&written, "0"));
        let sign = if value < 0.0 { "-" } else { "" };
        format!(
            "{sign}{}",
            placed(&digits.replace('.', ""), power.parse().unwrap_or(0) + shift)
        )
    }
}

fn half() -> Ratio<BigInt> {
    Ratio::new(BigInt::from(1), BigInt::from(2))
}

fn ten() -> Ratio<BigInt> {
    Ratio::from_integer(BigInt::from(10))
}

/// Digits whose first stands for that power of ten, without zeros at the end.
fn placed(digits: &str, power: i32) -> String {
    let digits = digits.trim_end_matches('0');
    let Some((first, rest)) = digits.split_at_checked(1) else {
        return "0".to_owned();
    };
    match usize::try_from(power) {
        Ok(up) if up < 15 => {
            let padded = format!("{digits:0<width$}", width = up + 1);
            let (whole, part) = padded.split_at(up + 1);
            if part.is_empty() {
                whole.to_owned()
            } else {
                format!("{whole}.{part}")
            }
        }
        Err(_) if power >= -5 => {
            format!(
                "0.{}{digits}",
                "0".repeat(power.unsigned_abs().saturating_sub(1) as usize)
            )
        }
        Ok(_) | Err(_) if rest.is_empty() => format!("{first}e{power}"),
        Ok(_) | Err(_) => format!("{first}.{rest}e{power}"),
    }
}
