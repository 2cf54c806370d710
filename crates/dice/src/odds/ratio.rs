//! Exact fractions of any size.

use num_bigint::BigUint;
use num_integer::Integer;
use std::cmp::Ordering;
use std::fmt;

/// Bits of a denominator above which a fraction is reduced to its lowest terms only when it is
/// written out: their common factor takes longer to find than all else that is done with them.
const REDUCED_BITS: u64 = 512;

/// An exact fraction: a chance, or a mean. Written out in lowest terms.
#[derive(Clone, Debug)]
pub struct Ratio {
    negative: bool,
    top: BigUint,
    bottom: BigUint,
}

impl Default for Ratio {
    fn default() -> Self {
        Ratio::new(false, BigUint::ZERO, BigUint::ZERO)
    }
}

impl Ratio {
    /// `top / bottom`, or zero when `bottom` is zero.
    pub fn new(negative: bool, top: BigUint, bottom: BigUint) -> Self {
        if top.bits() == 0 || bottom.bits() == 0 {
            return Ratio {
                negative: false,
                top: BigUint::ZERO,
                bottom: BigUint::from(1_u8),
            };
        }
        let ratio = Ratio {
            negative,
            top,
            bottom,
        };
        if ratio.bottom.bits() > REDUCED_BITS {
            ratio
        } else {
            ratio.reduced()
        }
    }

    /// In lowest terms.
    fn reduced(&self) -> Self {
        let common = self.top.gcd(&self.bottom);
        Ratio {
            negative: self.negative,
            top: &self.top / &common,
            bottom: &self.bottom / common,
        }
    }

    /// The sum of `1 / ways`, each so many times.
    pub fn sum_of_ways<'a>(
        parts: impl IntoIterator<Item = (&'a BigUint, &'a BigUint)> + Clone,
    ) -> Self {
        let one = BigUint::from(1_u8);
        let whole = parts.clone().into_iter().fold(one, |whole, (ways, _)| {
            if (&whole % ways).bits() == 0 {
                whole
            } else {
                whole * ways
            }
        });
        let top = parts
            .into_iter()
            .map(|(ways, times)| &whole / ways * times)
            .sum();
        Ratio::new(false, top, whole)
    }

    /// The sum of two chances.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        if self.bottom == other.bottom {
            return Ratio::new(false, &self.top + &other.top, self.bottom.clone());
        }
        let top = &self.top * &other.bottom + &other.top * &self.bottom;
        Ratio::new(false, top, &self.bottom * &other.bottom)
    }

    /// How much more it is than another chance; less than zero where it is less.
    #[must_use]
    pub fn minus(&self, other: &Self) -> Self {
        let (one, another) = (&self.top * &other.bottom, &other.top * &self.bottom);
        let bottom = &self.bottom * &other.bottom;
        if one >= another {
            Ratio::new(false, one - another, bottom)
        } else {
            Ratio::new(true, another - one, bottom)
        }
    }

    /// The chance of two things that have nothing to do with each other.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        Ratio::new(
            self.negative != other.negative,
            &self.top * &other.top,
            &self.bottom * &other.bottom,
        )
    }

    /// The chance in the end of what is tried again as often as `again` comes up; `None` where
    /// nothing else does.
    pub fn repeated(&self, again: &Self) -> Option<Self> {
        let one = Self::new(false, BigUint::from(1_u8), BigUint::from(1_u8));
        let ((top, bottom), (rest, of)) = (self.parts(), one.minus(again).parts());
        (rest != BigUint::ZERO).then(|| Self::new(self.negative, top * of, bottom * rest))
    }

    /// The parts above and below the line, in lowest terms, without the sign.
    pub fn parts(&self) -> (BigUint, BigUint) {
        let reduced = self.reduced();
        (reduced.top, reduced.bottom)
    }

    /// Written out, if it has at most so many characters; never if it is wide before it is reduced.
    pub fn short(&self, most: usize) -> Option<String> {
        (self.bottom.bits() <= REDUCED_BITS.max(most as u64 * 4))
            .then(|| self.to_string())
            .filter(|text| text.chars().count() <= most)
    }

    /// Whether it is less than zero.
    pub fn is_negative(&self) -> bool {
        self.negative
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.top.bits() == 0
    }

    /// Whether it is one.
    pub fn is_one(&self) -> bool {
        !self.negative && self.top == self.bottom
    }

    /// The nearest floating-point number, within one part in 2^60.
    pub fn to_f64(&self) -> f64 {
        let value = share(&self.top, &self.bottom);
        if self.negative { -value } else { value }
    }

    /// In percent with so many places, rounded half away from zero: `75.00` for 3/4.
    pub fn percent(&self, places: usize) -> String {
        self.decimal(2, places)
    }

    /// As [`Ratio::percent`], but a chance that is not zero is never shown as zero, nor one that is
    /// not certain as certain: `<0.001`, `>99.999`. `rest` is a chance that may be missing from it.
    pub fn percent_bounded(&self, places: usize, rest: &Ratio) -> String {
        let shown = self.percent(places);
        if !self.is_zero() && shown.chars().all(|char| matches!(char, '.' | '0')) {
            return format!("<0.{:0>places$}", 1);
        }
        let missing = &self.bottom - self.top.clone().min(self.bottom.clone());
        if shown.starts_with("100") && missing * &rest.bottom > &rest.top * &self.bottom {
            return format!(">99.{}", "9".repeat(places));
        }
        shown
    }

    /// A chance too small for percentages: the fraction and its size,
    /// `1/6140942214464815497216 (1.6e-22)`; only the size where the fraction has more characters.
    pub fn with_size(&self, most: usize) -> String {
        let size = format!("{:.1e}", self.to_f64());
        self.short(most)
            .map_or_else(|| size.clone(), |exact| format!("{exact} ({size})"))
    }

    /// As a decimal number with so many places, rounded half away from zero.
    pub fn to_decimal(&self, places: usize) -> String {
        self.decimal(0, places)
    }

    fn decimal(&self, shift: u32, places: usize) -> String {
        let places = places.min(1000);
        let scale = BigUint::from(10_u8).pow(shift + u32::try_from(places).unwrap_or(0));
        let twice = &self.top * scale * 2_u8 + &self.bottom;
        let digits = (twice / (&self.bottom * 2_u8)).to_string();
        let padded = format!("{digits:0>width$}", width = places + 1);
        let (whole, part) = padded.split_at(padded.len() - places);
        let sign = if self.negative && padded.bytes().any(|digit| digit != b'0') {
            "-"
        } else {
            ""
        };
        if part.is_empty() {
            format!("{sign}{whole}")
        } else {
            format!("{sign}{whole}.{part}")
        }
    }
}

/// `top / bottom`, within one part in 2^60.
pub(super) fn share(top: &BigUint, bottom: &BigUint) -> f64 {
    // 64 significant bits of the quotient, then the power of two that was left out.
    let shift = 64 + i64::try_from(bottom.bits()).unwrap_or(i64::MAX)
        - i64::try_from(top.bits()).unwrap_or(i64::MAX);
    let quotient = match u64::try_from(shift) {
        Ok(up) => (top << up) / bottom,
        Err(_) => top / (bottom << shift.unsigned_abs()),
    };
    let digits: u128 = quotient.try_into().unwrap_or(u128::MAX);
    let down = i32::try_from(-shift).unwrap_or(i32::MIN);
    // In two steps, since 2^-shift may be smaller than any number.
    digits as f64 * 2_f64.powi(down / 2) * 2_f64.powi(down - down / 2)
}

impl PartialEq for Ratio {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ratio {}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> Ordering {
        let size = (&self.top * &other.bottom).cmp(&(&other.top * &self.bottom));
        let same = if self.negative { size.reverse() } else { size };
        other.negative.cmp(&self.negative).then(same)
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.negative { "-" } else { "" };
        let (top, bottom) = self.parts();
        if bottom.bits() == 1 {
            write!(f, "{sign}{top}")
        } else {
            write!(f, "{sign}{top}/{bottom}")
        }
    }
}
