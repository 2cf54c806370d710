//! Exact rational numbers of a roll.

use std::cmp::Ordering;
use std::fmt;

/// A fraction in lowest terms with a positive denominator.
///
/// Every operation is checked: `None` means that 128 bits are too few. Before a roll, interval
/// arithmetic proves that this cannot happen (see `bounds`), so a roll itself never fails here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Fraction {
    top: i128,
    bottom: i128,
}

impl Fraction {
    pub(crate) const ZERO: Fraction = Fraction { top: 0, bottom: 1 };

    pub(crate) fn int(value: i64) -> Self {
        Fraction { top: i128::from(value), bottom: 1 }
    }

    /// `top / bottom`; `None` when `bottom` is zero.
    pub(crate) fn new(top: i128, bottom: i128) -> Option<Self> {
        if bottom == 1 {
            return Some(Fraction { top, bottom });
        }
        if bottom == 0 || top == i128::MIN || bottom == i128::MIN {
            return None;
        }
        let common = gcd(top.abs(), bottom.abs());
        let sign = bottom.signum();
        Some(Fraction { top: top / common * sign, bottom: bottom / common * sign })
    }

    pub(crate) fn bottom(self) -> i128 {
        self.bottom
    }

    pub(crate) fn top(self) -> i128 {
        self.top
    }

    /// The value, when it is whole and fits.
    pub(crate) fn whole(self) -> Option<i64> {
        if self.bottom != 1 {
            return None;
        }
        i64::try_from(self.top).ok()
    }

    /// Toward minus infinity.
    pub(crate) fn floor(self) -> Self {
        Fraction { top: self.top.div_euclid(self.bottom), bottom: 1 }
    }

    /// Toward plus infinity.
    pub(crate) fn ceil(self) -> Self {
        Fraction { top: -(-self.top).div_euclid(self.bottom), bottom: 1 }
    }

    /// To the nearest whole number, halves upward.
    pub(crate) fn round(self) -> Option<Self> {
        let twice = self.top.checked_mul(2)?.checked_add(self.bottom)?;
        Some(Fraction { top: twice.div_euclid(self.bottom.checked_mul(2)?), bottom: 1 })
    }

    pub(crate) fn abs(self) -> Self {
        Fraction { top: self.top.abs(), bottom: self.bottom }
    }

    pub(crate) fn negative(self) -> Self {
        Fraction { top: -self.top, bottom: self.bottom }
    }

    pub(crate) fn add(self, other: Self) -> Option<Self> {
        if self.bottom == other.bottom {
            return Fraction::new(self.top.checked_add(other.top)?, self.bottom);
        }
        let left = self.top.checked_mul(other.bottom)?;
        let right = other.top.checked_mul(self.bottom)?;
        Fraction::new(left.checked_add(right)?, self.bottom.checked_mul(other.bottom)?)
    }

    pub(crate) fn multiply(self, other: Self) -> Option<Self> {
        Fraction::new(self.top.checked_mul(other.top)?, self.bottom.checked_mul(other.bottom)?)
    }

    pub(crate) fn divide(self, other: Self) -> Option<Self> {
        Fraction::new(self.top.checked_mul(other.bottom)?, self.bottom.checked_mul(other.top)?)
    }

    /// `None` when the comparison itself needs more than 128 bits.
    pub(crate) fn compare(self, other: Self) -> Option<Ordering> {
        if self.bottom == other.bottom {
            return Some(self.top.cmp(&other.top));
        }
        let left = self.top.checked_mul(other.bottom)?;
        Some(left.cmp(&other.top.checked_mul(self.bottom)?))
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bottom {
            1 => write!(f, "{}", self.top),
            bottom => write!(f, "{}/{bottom}", self.top),
        }
    }
}

/// The greatest common divisor of two numbers that are not negative.
pub(crate) fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}
