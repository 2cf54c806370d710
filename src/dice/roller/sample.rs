//! Unbiased sampling of a range, generic over the width of the random word.
//!
//! Lemire's multiplication with rejection ("Fast Random Integer Generation in an Interval",
//! ACM TOMACS 29, 2019): the high half of `word * range` is the result, and the words whose low
//! half falls below `2^width mod range` are rejected, so that every result has exactly as many
//! accepted words as every other. The tests prove it by counting over all words of 8 and 16 bits.

/// A random word of some width.
pub(crate) trait Word: Copy + PartialOrd {
    /// The high and the low half of the double-width product.
    fn wide_multiply(self, other: Self) -> (Self, Self);

    /// `2^width mod range`; `range` is not zero.
    fn threshold(range: Self) -> Self;
}

macro_rules! word {
    ($($narrow:ty, $wide:ty;)*) => {$(
        impl Word for $narrow {
            #[inline]
            fn wide_multiply(self, other: Self) -> (Self, Self) {
                let product = <$wide>::from(self) * <$wide>::from(other);
                ((product >> Self::BITS) as Self, product as Self)
            }

            #[inline]
            fn threshold(range: Self) -> Self {
                range.wrapping_neg() % range
            }
        }
    )*};
}

word! {
    u8, u16;
    u16, u32;
    u32, u64;
    u64, u128;
}

/// What one random word means for a range: a result below it, or `None` to draw another word.
/// `range` is not zero.
#[inline]
pub(crate) fn accept<W: Word>(word: W, range: W) -> Option<W> {
    let (high, low) = word.wide_multiply(range);
    // The threshold is below the range, so the division is rarely needed.
    if low < range && low < W::threshold(range) {
        return None;
    }
    Some(high)
}
