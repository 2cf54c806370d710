//! Exact fractions for conditions: half of 7 is 3.5, not 3.

use std::cmp::Ordering;

/// An exact fraction in lowest terms with a positive denominator. Arithmetic that would not fit is `None`, never wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ratio {
    top: i128,
    bottom: i128,
}

impl Ratio {
    /// `top / bottom`; none when the bottom is zero or the result does not fit.
    pub fn new(top: i128, bottom: i128) -> Option<Self> {
        let divisor = gcd(top, bottom);
        if bottom == 0 || divisor == 0 {
            return None;
        }
        let sign = bottom.signum();
        Some(Self {
            top: top.checked_div(divisor)?.checked_mul(sign)?,
            bottom: bottom.checked_div(divisor)?.checked_mul(sign)?,
        })
    }

    /// The sum.
    pub fn plus(self, other: Self) -> Option<Self> {
        let left = self.top.checked_mul(other.bottom)?;
        let right = other.top.checked_mul(self.bottom)?;
        Self::new(left.checked_add(right)?, self.bottom.checked_mul(other.bottom)?)
    }

    /// The difference.
    pub fn minus(self, other: Self) -> Option<Self> {
        self.plus(other.negated()?)
    }

    /// The product.
    pub fn times(self, other: Self) -> Option<Self> {
        Self::new(self.top.checked_mul(other.top)?, self.bottom.checked_mul(other.bottom)?)
    }

    /// The quotient; none when `other` is zero.
    pub fn over(self, other: Self) -> Option<Self> {
        Self::new(self.top.checked_mul(other.bottom)?, self.bottom.checked_mul(other.top)?)
    }

    /// With the other sign.
    pub fn negated(self) -> Option<Self> {
        Some(Self { top: self.top.checked_neg()?, bottom: self.bottom })
    }

    /// The greatest integer that is not above it.
    pub fn floor(self) -> Self {
        Self { top: self.top.div_euclid(self.bottom), bottom: 1 }
    }

    /// The least integer that is not below it.
    pub fn ceil(self) -> Option<Self> {
        self.negated()?.floor().negated()
    }

    /// The nearest integer, halves upwards.
    pub fn round(self) -> Option<Self> {
        Some(self.plus(Self { top: 1, bottom: 2 })?.floor())
    }

    /// Without its sign.
    pub fn abs(self) -> Option<Self> {
        if self.top < 0 { self.negated() } else { Some(self) }
    }

    /// How it compares; none when that does not fit.
    pub fn compare(self, other: Self) -> Option<Ordering> {
        Some(self.top.checked_mul(other.bottom)?.cmp(&other.top.checked_mul(self.bottom)?))
    }

    /// Whether it is zero.
    pub fn is_zero(self) -> bool {
        self.top == 0
    }
}

impl From<i64> for Ratio {
    fn from(number: i64) -> Self {
        Self { top: i128::from(number), bottom: 1 }
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i128::try_from(a).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(top: i128, bottom: i128) -> Ratio {
        Ratio::new(top, bottom).expect("a ratio")
    }

    #[test]
    fn arithmetic_is_exact() {
        assert_eq!(ratio(1, 2).plus(ratio(1, 3)), Some(ratio(5, 6)));
        assert_eq!(ratio(7, 2).minus(ratio(1, 2)), Some(Ratio::from(3)));
        assert_eq!(ratio(2, -4), ratio(-1, 2));
        assert_eq!(ratio(1, 3).over(Ratio::from(0)), None);
        assert_eq!(ratio(1, 3).times(Ratio::from(3)), Some(Ratio::from(1)));
    }

    #[test]
    fn rounding_goes_the_stated_way_below_zero_too() {
        assert_eq!(ratio(-7, 2).floor(), Ratio::from(-4));
        assert_eq!(ratio(-7, 2).ceil(), Some(Ratio::from(-3)));
        assert_eq!(ratio(-7, 2).round(), Some(Ratio::from(-3)));
        assert_eq!(ratio(7, 2).round(), Some(Ratio::from(4)));
    }

    #[test]
    fn what_does_not_fit_is_none() {
        let huge = ratio(i128::MAX, 1);
        assert_eq!(huge.plus(huge), None);
        assert_eq!(Ratio::new(1, 0), None);
        assert_eq!(Ratio::new(i128::MIN, -1), None);
        assert_eq!(ratio(i128::MIN, 1).negated(), None);
    }
}
