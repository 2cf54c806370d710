//! The numbers that odds are counted in, and binomial coefficients of them.

use crate::odds::budget::{Budget, OrNarrow, Stop};
use num_bigint::BigUint;

/// A number of equally likely ways. Odds are counted in 128 bits first; `None` means that these are
/// too few, and then all is counted again in big integers, which never answer `None`.
pub(super) trait Weight: Clone + PartialEq {
    fn small(value: u64) -> Self;
    fn is_zero(&self) -> bool {
        *self == Self::small(0)
    }
    fn is_one(&self) -> bool {
        *self == Self::small(1)
    }
    fn plus(&mut self, other: &Self) -> Option<()>;
    /// `other` is never larger.
    fn minus(&mut self, other: &Self);
    fn times(&self, other: &Self) -> Option<Self>;
    fn plus_product(&mut self, a: &Self, b: &Self) -> Option<()> {
        self.plus(&a.times(b)?)
    }
    fn divided(&self, by: u64) -> Self;
    fn big(&self) -> BigUint;
    /// `None` when it is too wide.
    fn from_big(big: &BigUint) -> Option<Self>;
    /// The same of 64-bit words, the lowest first.
    fn from_words(words: &[u64]) -> Option<Self>;
    /// How many 64-bit words it takes beyond 128 bits, its upkeep included.
    fn words(&self) -> u64;
}

impl Weight for u128 {
    fn small(value: u64) -> Self {
        u128::from(value)
    }

    fn plus(&mut self, other: &Self) -> Option<()> {
        *self = self.checked_add(*other)?;
        Some(())
    }

    fn minus(&mut self, other: &Self) {
        *self = self.saturating_sub(*other);
    }

    fn times(&self, other: &Self) -> Option<Self> {
        // Most numbers are narrow, and a narrow product needs no check.
        match (u64::try_from(*self), u64::try_from(*other)) {
            (Ok(a), Ok(b)) => Some(u128::from(a) * u128::from(b)),
            _ => self.checked_mul(*other),
        }
    }

    fn divided(&self, by: u64) -> Self {
        self / u128::from(by.max(1))
    }

    fn big(&self) -> BigUint {
        BigUint::from(*self)
    }

    fn from_big(big: &BigUint) -> Option<Self> {
        u128::try_from(big).ok()
    }

    fn from_words(words: &[u64]) -> Option<Self> {
        let (low, high) = words.split_at_checked(2).unwrap_or((words, &[]));
        let number = |more: u128, word: &u64| more << 64 | u128::from(*word);
        let is_narrow = high.iter().all(|word| *word == 0);
        is_narrow.then(|| low.iter().rev().fold(0, number))
    }

    fn words(&self) -> u64 {
        0
    }
}

impl Weight for BigUint {
    fn small(value: u64) -> Self {
        BigUint::from(value)
    }

    fn is_zero(&self) -> bool {
        self.bits() == 0
    }

    fn is_one(&self) -> bool {
        self.bits() == 1
    }

    fn plus(&mut self, other: &Self) -> Option<()> {
        *self += other;
        Some(())
    }

    fn minus(&mut self, other: &Self) {
        if other <= &*self {
            *self -= other;
        }
    }

    fn times(&self, other: &Self) -> Option<Self> {
        Some(self * other)
    }

    fn plus_product(&mut self, a: &Self, b: &Self) -> Option<()> {
        if b.is_one() {
            *self += a
        } else {
            *self += a * b
        }
        Some(())
    }

    fn divided(&self, by: u64) -> Self {
        self / by.max(1)
    }

    fn big(&self) -> BigUint {
        self.clone()
    }

    fn from_big(big: &BigUint) -> Option<Self> {
        Some(big.clone())
    }

    fn from_words(words: &[u64]) -> Option<Self> {
        let halves = |word: &u64| [*word as u32, (word >> 32) as u32];
        Some(BigUint::new(words.iter().flat_map(halves).collect()))
    }

    fn words(&self) -> u64 {
        self.bits() / 64 + 4
    }
}

/// `base` to the powers 0 to `most`.
pub(super) fn powers<W: Weight>(base: &W, most: usize) -> Option<Vec<W>> {
    let mut powers = vec![W::small(1)];
    for _ in 0..most {
        powers.push(powers.last()?.times(base)?);
    }
    Some(powers)
}

/// Binomial coefficients of every number up to one.
pub(super) struct Choices<W> {
    rows: Vec<Vec<W>>,
    none: W,
}

impl<W: Weight> Choices<W> {
    pub(super) fn new(most: usize, budget: &mut Budget) -> Result<Self, Stop> {
        budget.charge(most * most / 2, 1)?;
        budget.hold(
            most * most / 2,
            u64::try_from(most / 128).unwrap_or(u64::MAX),
        )?;
        let (mut rows, none) = (Vec::new(), W::small(0));
        for n in 0..=most {
            let mut row = vec![W::small(1); n + 1];
            for (slot, pair) in row
                .iter_mut()
                .skip(1)
                .zip(rows.last().unwrap_or(&Vec::new()).windows(2))
            {
                if let [one, other] = pair {
                    slot.clone_from(one);
                    slot.plus(other).wide()?;
                }
            }
            rows.push(row);
        }
        Ok(Choices { rows, none })
    }

    pub(super) fn choose(&self, n: usize, k: usize) -> &W {
        self.rows
            .get(n)
            .and_then(|row| row.get(k))
            .unwrap_or(&self.none)
    }
}

/// `C(n, k + 1)` from `C(n, k)`.
pub(super) fn next_choice<W: Weight>(orders: &W, count: usize, chosen: usize) -> Result<W, Stop> {
    next_orders(orders, count.saturating_sub(chosen), chosen)
}

/// `C(n, k + 1)` from `C(n, k)` with `up` = n - k, `C(n + x, x + 1)` from `C(n + x - 1, x)` with
/// `up` = n + x: times `up`, divided by one more than `chosen`.
pub(super) fn next_orders<W: Weight>(orders: &W, up: usize, chosen: usize) -> Result<W, Stop> {
    let up = u64::try_from(up).unwrap_or(u64::MAX);
    let down = u64::try_from(chosen + 1).unwrap_or(u64::MAX);
    Ok(orders.times(&W::small(up)).wide()?.divided(down))
}

/// The coefficient of `count` things of which `chosen` are chosen.
pub(super) fn choose<W: Weight>(count: usize, chosen: usize) -> Result<W, Stop> {
    (0..chosen).try_fold(W::small(1), |orders, before| {
        next_choice(&orders, count, before)
    })
}
