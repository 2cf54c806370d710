//! Chance from the operating system.

use crate::roll::roller::sample::accept;
use crate::roll::roller::{DrawError, Roller};
use rand::rngs::{StdRng, SysRng};
use rand::{Rng, SeedableRng};

/// Draws after which a fresh seed is taken, so that one leaked state says little about the rest.
const DRAWS_PER_SEED: u32 = 1 << 16;

/// The cryptographic generator ChaCha12, seeded by the operating system.
///
/// No seed is ever accepted from a caller, stored or shown: the only constructor takes nothing,
/// and `Debug` prints nothing of the state.
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

    #[inline]
    fn generator(&mut self) -> Result<&mut StdRng, DrawError> {
        if self.draws_left == 0 || self.generator.is_none() {
            let seeded = StdRng::try_from_rng(&mut SysRng);
            let seeded = seeded.map_err(|error| DrawError::System(error.to_string()))?;
            self.generator = Some(seeded);
            self.draws_left = DRAWS_PER_SEED;
        }
        self.draws_left -= 1;
        self.generator.as_mut().ok_or_else(|| DrawError::System("no generator".to_owned()))
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
pub(crate) fn draw_from(generator: &mut impl Rng, low: i64, high: i64) -> Result<i64, DrawError> {
    let range = high.checked_sub(low).and_then(|width| width.checked_add(1));
    let range = range.and_then(|range| u64::try_from(range).ok());
    let Some(range) = range.filter(|range| *range > 0) else { return Err(DrawError::EmptyRange { low, high }) };
    // Every die has at most 1000 sides, so 32 bits are nearly always enough.
    if let Ok(range) = u32::try_from(range) {
        loop {
            if let Some(offset) = accept(generator.next_u32(), range) {
                return Ok(low + i64::from(offset));
            }
        }
    }
    loop {
        if let Some(offset) = accept(generator.next_u64(), range) {
            return Ok(low.wrapping_add_unsigned(offset));
        }
    }
}
