//! Every roll there is, one after the other.
//!
//! The slow way to odds, for small cases: it needs no theory, so it checks the fast way, and it
//! shows whole rolls, so it can ask anything of them.

use crate::error::{Code, DiceError};
use crate::expression::Expression;
use crate::record::Roll;
use crate::roll::roller::{DrawError, Roller};
use num_bigint::BigUint;

/// How far [`every_roll`] came.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paths {
    /// The number of rolls that were visited.
    pub visited: u64,
    /// Whether that was all of them.
    pub complete: bool,
    /// The chance of the rolls that were not visited, because they take too many draws.
    pub cut: f64,
}

/// Visits every roll of the expression with its chance, as `1 / ways`.
///
/// Rolls that take more than `draws_max` draws are left out. The walk ends after `rolls_max` rolls.
/// Faces that stand several times on a die are visited several times.
///
/// # Errors
/// None that a validated expression can meet; the type is that of a roll.
pub fn every_roll(
    expression: &Expression,
    draws_max: usize,
    rolls_max: u64,
    visit: &mut dyn FnMut(&Roll, f64),
) -> Result<Paths, DiceError> {
    let mut walker = Walker::new(draws_max);
    let mut paths = Paths { visited: 0, complete: false, cut: 0.0 };
    while paths.visited < rolls_max {
        match expression.roll(&mut walker) {
            Ok(roll) => {
                visit(&roll, walker.chance());
            }
            Err(error) if error.code == Code::DrawFailed => paths.cut += walker.chance(),
            Err(error) => return Err(error),
        }
        paths.visited += 1;
        if !walker.advance() {
            paths.complete = true;
            break;
        }
    }
    Ok(paths)
}

/// A roller that walks through all faces, the last draw first: roll, look, [`Walker::advance`], roll again.
pub struct Walker {
    /// The place drawn and the number of places, draw by draw.
    path: Vec<(i64, i64)>,
    used: usize,
    draws_max: usize,
}

impl Walker {
    /// A walker at the first path, which takes no more than so many draws.
    pub fn new(draws_max: usize) -> Self {
        Walker { path: Vec::new(), used: 0, draws_max }
    }

    /// The number of equally likely paths of which this one is one.
    pub fn ways(&self) -> BigUint {
        self.walked().map(|places| BigUint::from(places.unsigned_abs())).product()
    }

    /// Goes on to the next path, if there is one.
    pub fn advance(&mut self) -> bool {
        self.path.truncate(self.used);
        self.used = 0;
        while let Some((place, places)) = self.path.last_mut() {
            *place += 1;
            if *place < *places {
                return true;
            }
            self.path.pop();
        }
        false
    }

    fn chance(&self) -> f64 {
        self.walked().map(|places| 1.0 / places as f64).product()
    }

    fn walked(&self) -> impl Iterator<Item = i64> {
        self.path.iter().take(self.used).map(|(_, places)| *places)
    }
}

impl Roller for Walker {
    fn source(&self) -> &'static str {
        "every"
    }

    fn draw(&mut self, low: i64, high: i64) -> Result<i64, DrawError> {
        if self.used >= self.draws_max {
            return Err(DrawError::TooFew { used: self.used });
        }
        let place = match self.path.get(self.used) {
            Some((place, _)) => *place,
            None => {
                self.path.push((0, high - low + 1));
                0
            }
        };
        self.used += 1;
        Ok(low + place)
    }
}

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
