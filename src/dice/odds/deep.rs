//! A walk through every roll that does not follow endless explosions.

use num_bigint::BigUint;

use super::paths::Walker;
use crate::dice::roller::{DrawError, Roller};

/// A way that is one in more than `2^DEPTH_BITS` is not followed any further: explosions have no end.
const DEPTH_BITS: u64 = 32;

/// A [`Walker`] that gives no more faces on a path that is very unlikely.
pub struct DeepWalker {
    walker: Walker,
    cut: bool,
}

impl DeepWalker {
    /// A way that is one in more than so many is left.
    pub const DEPTH: f64 = (1_u64 << DEPTH_BITS) as f64;

    /// A walker at the first path.
    #[must_use]
    pub fn new() -> Self {
        Self { walker: Walker::new(usize::MAX), cut: false }
    }

    /// The number of equally likely paths of which this one is one.
    pub fn ways(&self) -> BigUint {
        self.walker.ways()
    }

    /// Whether this path was left before its end.
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    /// Goes on to the next path, if there is one.
    pub fn advance(&mut self) -> bool {
        self.cut = false;
        self.walker.advance()
    }
}

impl Default for DeepWalker {
    fn default() -> Self {
        Self::new()
    }
}

impl Roller for DeepWalker {
    fn source(&self) -> &'static str {
        self.walker.source()
    }

    fn draw(&mut self, low: i64, high: i64) -> Result<i64, DrawError> {
        if self.walker.ways().bits() > DEPTH_BITS {
            self.cut = true;
            return Err(DrawError::TooFew { used: 0 });
        }
        self.walker.draw(low, high)
    }
}
