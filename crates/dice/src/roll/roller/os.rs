//! Chance from the operating system.

use crate::roll::roller::{DrawError, Roller};
use rand::rngs::{StdRng, SysRng};
use rand::{Rng, SeedableRng};

/// Draws after which a fresh seed is taken, so that one leaked state says little about the rest.
const DRAWS_PER_SEED: u32 = 1 << 16;

/// The cryptographic generator ChaCha12, seeded by the operating system. No seed is ever accepted
/// from a caller, stored or shown: the only constructor outside tests takes nothing, and `Debug`
/// prints nothing of the state.
#[derive(Default)]
pub struct OsRoller {
    generator: Option<StdRng>,
    draws_left: u32,
}

impl OsRoller {
    /// A roller that asks for its seed at the first draw.
    pub fn new() -> Self {
        Self::default()
    }

    /// For tests, that are the same on every machine and every day.
    #[cfg(test)]
    pub(crate) fn with_seed(seed: u64) -> Self {
        OsRoller {
            generator: Some(StdRng::seed_from_u64(seed)),
            draws_left: u32::MAX,
        }
    }

    #[inline]
    fn generator(&mut self) -> Result<&mut StdRng, DrawError> {
        if self.draws_left == 0 || self.generator.is_none() {
            let seeded = StdRng::try_from_rng(&mut SysRng);
            let seeded = seeded.map_err(|error| DrawError::System(error.to_string()))?;
            self.generator = Some(seeded);
            self.draws_left = DRAWS_PER_SEED;
        }
        self.draws_left -= 1;
        self.generator
            .as_mut()
            .ok_or_else(|| DrawError::System("no generator".to_owned()))
    }
}

impl std::fmt::Debug for OsRoller {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OsRoller").finish_non_exhaustive()
    }
}

impl Roller for OsRoller {
    fn source(&self) -> &'static str {
        "os-chacha12"
    }

    fn draw(&mut self, low: i64, high: i64) -> Result<i64, DrawError> {
        draw_from(self.generator()?, low, high)
    }
}

/// A face of `low..=high` from a generator of random words.
#[inline]
pub(super) fn draw_from(generator: &mut impl Rng, low: i64, high: i64) -> Result<i64, DrawError> {
    let range = high.checked_sub(low).and_then(|width| width.checked_add(1));
    let range = range.and_then(|range| u64::try_from(range).ok());
    let Some(range) = range.filter(|range| *range > 0) else {
        return Err(DrawError::EmptyRange { low, high });
    };
    // Every die has at most 1000 sides, so 32 bits are nearly always enough.
    let is_narrow = range <= u64::from(u32::MAX);
    loop {
        let offset = match is_narrow {
            true => accept(u64::from(generator.next_u32()), range, 32),
            false => accept(generator.next_u64(), range, 64),
        };
        if let Some(offset) = offset {
            return Ok(low.wrapping_add_unsigned(offset));
        }
    }
}

/// What one random word of so many bits means for a range, which is not zero: a result below it, or
/// `None` to draw another word.
///
/// Unbiased, by Lemire's multiplication with rejection ("Fast Random Integer Generation in an
/// Interval", ACM TOMACS 29, 2019): the high half of `word * range` is the result, and words whose
/// low half falls below `2^bits mod range` are rejected, so that every result has exactly as many
/// accepted words as every other. The tests prove it by counting over all words of 8 and 16 bits.
#[inline]
fn accept(word: u64, range: u64, bits: u32) -> Option<u64> {
    let product = u128::from(word) * u128::from(range);
    let low = product & ((1 << bits) - 1);
    // The threshold is below the range, so the division is rarely needed.
    let is_rejected = low < u128::from(range) && low < (1_u128 << bits) % u128::from(range);
    u64::try_from(product >> bits).ok().filter(|_| !is_rejected)
}

#[cfg(test)]
mod tests {
    use super::accept;

    /// Counts, over all words, how often each result is accepted; all must be equal.
    fn assert_fair(bits: u32, range: u64) {
        let mut counts = vec![0_u64; usize::try_from(range).unwrap()];
        for result in (0..1 << bits).filter_map(|word| accept(word, range, bits)) {
            counts[usize::try_from(result).unwrap()] += 1;
        }
        // As many as can be shared out evenly are accepted.
        let share = (1 << bits) / range;
        assert!(
            counts.iter().all(|count| *count == share),
            "range {range}: {counts:?}"
        );
    }

    #[test]
    fn every_word_of_8_bits_and_every_range() {
        (1..=255).for_each(|range| assert_fair(8, range));
    }

    #[test]
    fn every_word_of_16_bits_and_every_die() {
        (1..=1000)
            .chain([4096, 32767, 32768, 32769, 65535])
            .for_each(|range| assert_fair(16, range));
    }

    #[test]
    fn wide_words_reject_only_what_is_left_over() {
        // 2^32 = 715827882 * 6 + 4: the words whose low half is below 4 are rejected.
        assert_eq!(
            [0, 1, u64::from(u32::MAX)].map(|word| accept(word, 6, 32)),
            [None, Some(0), Some(5)]
        );
        assert_eq!(
            [0, u64::MAX].map(|word| accept(word, 1 << 40, 64)),
            [Some(0), Some((1 << 40) - 1)]
        );
    }
}
