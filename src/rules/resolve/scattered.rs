//! Dice for a look that needs no chance.

use crate::dice::{DrawError, Roller};

/// Faces in an order that is always the same and goes all over the die: Knuth's linear congruential generator, for a look
/// that needs no chance.
pub struct Scattered(u64);

impl Default for Scattered {
    fn default() -> Self {
        Self(1)
    }
}

impl Roller for Scattered {
    fn source(&self) -> &'static str {
        "scattered"
    }

    fn draw(&mut self, low: i64, high: i64) -> Result<i64, DrawError> {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let places = u64::try_from(high.saturating_sub(low)).unwrap_or(0).saturating_add(1);
        Ok(low.saturating_add(i64::try_from((self.0 >> 33) % places).unwrap_or(0)))
    }
}
