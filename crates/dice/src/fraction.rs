//! Exact rational numbers: half of 7 is 7/2, not 3.

use std::cmp::Ordering;
use std::fmt;

/// A fraction in lowest terms with a positive denominator. `None` means that 128 bits are too few,
/// or a division by zero; interval arithmetic proves before a roll that neither can happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fraction {
    top: i128,
    bottom: i128,
}

impl Fraction {
    /// Nothing.
    pub const ZERO: Fraction = Fraction { top: 0, bottom: 1 };

    /// A whole number.
    pub fn int(value: i64) -> Self {
        Fraction {
            top: i128::from(value),
            bottom: 1,
        }
    }

    /// `top / bottom`; `None` when `bottom` is zero.
    pub fn new(top: i128, bottom: i128) -> Option<Self> {
        if bottom == 0 || top == i128::MIN || bottom == i128::MIN {
            return None;
        }
        if bottom == 1 {
            return Some(Fraction { top, bottom });
        }
        let common = gcd(top.abs(), bottom.abs());
        let sign = bottom.signum();
        Some(Fraction {
            top: top / common * sign,
            bottom: bottom / common * sign,
        })
    }

    /// The part below the line, always positive.
    pub fn bottom(self) -> i128 {
        self.bottom
    }

    /// The part above the line.
    pub fn top(self) -> i128 {
        self.top
    }

    /// The value, when it is whole and fits.
    pub fn whole(self) -> Option<i64> {
        i64::try_from(self.top).ok().filter(|_| self.bottom == 1)
    }

    /// Toward minus infinity.
    pub fn floor(self) -> Self {
        Fraction {
            top: self.top.div_euclid(self.bottom),
            bottom: 1,
        }
    }

    /// Toward plus infinity.
    pub fn ceil(self) -> Self {
        Fraction {
            top: -(-self.top).div_euclid(self.bottom),
            bottom: 1,
        }
    }

    /// To the nearest whole number, halves upward.
    pub fn round(self) -> Option<Self> {
        let twice = self.top.checked_mul(2)?.checked_add(self.bottom)?;
        Some(Fraction {
            top: twice.div_euclid(self.bottom.checked_mul(2)?),
            bottom: 1,
        })
    }

    /// Without its sign.
    pub fn abs(self) -> Self {
        Fraction {
            top: self.top.abs(),
            bottom: self.bottom,
        }
    }

    /// With the other sign.
    pub fn negative(self) -> Self {
        Fraction {
            top: -self.top,
            bottom: self.bottom,
        }
    }

    /// The sum.
    pub fn plus(self, other: Self) -> Option<Self> {
        if self.bottom == other.bottom {
            return Fraction::new(self.top.checked_add(other.top)?, self.bottom);
        }
        let left = self.top.checked_mul(other.bottom)?;
        let right = other.top.checked_mul(self.bottom)?;
        Fraction::new(
            left.checked_add(right)?,
            self.bottom.checked_mul(other.bottom)?,
        )
    }

    /// The product.
    pub fn multiply(self, other: Self) -> Option<Self> {
        Fraction::new(
            self.top.checked_mul(other.top)?,
            self.bottom.checked_mul(other.bottom)?,
        )
    }

    /// The quotient; `None` when `other` is zero.
    pub fn divide(self, other: Self) -> Option<Self> {
        Fraction::new(
            self.top.checked_mul(other.bottom)?,
            self.bottom.checked_mul(other.top)?,
        )
    }

    /// `None` when the comparison itself needs more than 128 bits.
    pub fn compare(self, other: Self) -> Option<Ordering> {
        if self.bottom == other.bottom {
            return Some(self.top.cmp(&other.top));
        }
        let left = self.top.checked_mul(other.bottom)?;
        Some(left.cmp(&other.top.checked_mul(self.bottom)?))
    }
}

impl From<i64> for Fraction {
    fn from(value: i64) -> Self {
        Fraction::int(value)
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.bottom == 1 {
            write!(f, "{}", self.top)
        } else {
            write!(f, "{}/{}", self.top, self.bottom)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn fraction(top: i128, bottom: i128) -> Fraction {
        Fraction::new(top, bottom).expect("a fraction")
    }

    #[test]
    fn arithmetic_is_exact() {
        assert_eq!(fraction(1, 2).plus(fraction(1, 3)), Some(fraction(5, 6)));
        assert_eq!(
            fraction(7, 2).plus(fraction(1, 2).negative()),
            Some(Fraction::from(3))
        );
        assert_eq!(fraction(2, -4), fraction(-1, 2));
        assert_eq!(fraction(1, 3).divide(Fraction::ZERO), None);
        assert_eq!(
            fraction(1, 3).multiply(Fraction::from(3)),
            Some(Fraction::from(1))
        );
    }

    #[test]
    fn rounding_goes_the_stated_way_below_zero_too() {
        assert_eq!(fraction(-7, 2).floor(), Fraction::from(-4));
        assert_eq!(fraction(-7, 2).ceil(), Fraction::from(-3));
        assert_eq!(fraction(-7, 2).round(), Some(Fraction::from(-3)));
        assert_eq!(fraction(-1, 2).round(), Some(Fraction::ZERO));
        assert_eq!(fraction(7, 2).round(), Some(Fraction::from(4)));
    }

    #[test]
    fn what_does_not_fit_is_none() {
        let huge = fraction(i128::MAX, 1);
        assert_eq!(huge.plus(huge), None);
        assert_eq!(Fraction::new(1, 0), None);
        assert_eq!(
            (Fraction::new(i128::MIN, -1), Fraction::new(i128::MIN, 1)),
            (None, None)
        );
        assert_eq!(huge.negative().plus(Fraction::from(-1)), None);
    }
}
