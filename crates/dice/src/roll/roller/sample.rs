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

/// What one random word means for a range: a result below it, or `None` to draw another word. `range` is not zero.
#[inline]
pub(crate) fn accept<W: Word>(word: W, range: W) -> Option<W> {
    let (high, low) = word.wide_multiply(range);
    // The threshold is below the range, so the division is rarely needed.
    if low < range && low < W::threshold(range) {
        return None;
    }
    Some(high)
}

#[cfg(test)]
mod tests {
    use super::{Word, accept};

    /// Counts, over all words, how often each result is accepted; all must be equal.
    fn assert_fair<W: Word>(words: impl Iterator<Item = W>, range: W, results: usize, index: impl Fn(W) -> usize) {
        let mut counts = vec![0_u64; results];
        let mut all = 0_u64;
        for word in words {
            all += 1;
            if let Some(result) = accept(word, range) {
                counts[index(result)] += 1;
            }
        }
        // As many as can be shared out evenly are accepted.
        let share = all / results as u64;
        assert!(counts.iter().all(|count| *count == share), "range {results}: {counts:?}");
    }

    #[test]
    fn every_word_of_8_bits_and_every_range() {
        for range in 1..=u8::MAX {
            assert_fair(0..=u8::MAX, range, usize::from(range), usize::from);
        }
    }

    #[test]
    fn every_word_of_16_bits_and_every_die() {
        for range in (1..=1000).chain([4096, 32767, 32768, 32769, 65535]) {
            assert_fair(0..=u16::MAX, range, usize::from(range), usize::from);
        }
    }

    #[test]
    fn wide_words_reject_only_what_is_left_over() {
        // 2^32 = 715827882 * 6 + 4: the words whose low half is below 4 are rejected.
        assert_eq!(accept(0_u32, 6), None);
        assert_eq!(accept(1_u32, 6), Some(0));
        assert_eq!(accept(u32::MAX, 6), Some(5));
        assert_eq!(accept(0_u64, 1 << 40), Some(0));
        assert_eq!(accept(u64::MAX, 1 << 40), Some((1 << 40) - 1));
    }
}
