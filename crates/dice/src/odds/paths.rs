//! Every roll there is, one after the other: the slow way to odds, for small cases. It shows whole rolls, so it can ask anything of them.

use crate::roll::roller::{DrawError, Roller};
use num_bigint::BigUint;

/// A way that is one in more than 2 to this power is not followed any further: explosions have no end.
const DEPTH_BITS: u64 = 32;

/// A roller that walks through all faces, the last draw first: roll, look, [`DeepWalker::advance`], roll again.
pub struct DeepWalker {
    /// The place drawn and the number of places, draw by draw.
    path: Vec<(i64, i64)>,
    used: usize,
    draws_max: usize,
    depth_bits: u64,
    cut: bool,
}

impl DeepWalker {
    /// A walker at the first path, which gives no more faces on one that is very unlikely.
    #[must_use]
    pub fn new() -> Self {
        DeepWalker { path: Vec::new(), used: 0, draws_max: usize::MAX, depth_bits: DEPTH_BITS, cut: false }
    }

    /// A walker at the first path, which follows each of up to so many draws to its end.
    #[must_use]
    pub fn up_to(draws_max: usize) -> Self {
        DeepWalker { draws_max, depth_bits: u64::MAX, ..DeepWalker::new() }
    }

    /// The number of equally likely paths of which this one is one.
    pub fn ways(&self) -> BigUint {
        self.path.iter().take(self.used).map(|(_, places)| BigUint::from(places.unsigned_abs())).product()
    }

    /// Whether this path was left before its end.
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    /// Goes on to the next path, if there is one.
    pub fn advance(&mut self) -> bool {
        self.path.truncate(self.used);
        (self.used, self.cut) = (0, false);
        while let Some((place, places)) = self.path.last_mut() {
            *place += 1;
            if *place < *places {
                return true;
            }
            self.path.pop();
        }
        false
    }
}

impl Default for DeepWalker {
    fn default() -> Self {
        Self::new()
    }
}

impl Roller for DeepWalker {
    fn source(&self) -> &'static str {
        "every"
    }

    fn draw(&mut self, low: i64, high: i64) -> Result<i64, DrawError> {
        if self.used >= self.draws_max || self.depth_bits < u64::MAX && self.ways().bits() > self.depth_bits {
            self.cut = true;
            return Err(DrawError::TooFew { used: self.used });
        }
        if self.used == self.path.len() {
            self.path.push((0, high - low + 1));
        }
        let place = self.path.get(self.used).map_or(0, |(place, _)| *place);
        self.used += 1;
        Ok(low + place)
    }
}
