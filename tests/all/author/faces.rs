//! Faces of dice that follow from any bytes, so that what happened can be repeated. The fuzzers use
//! this file, too.

use rollbook_dice::{DrawError, Roller};

pub struct Faces(u64);

impl Faces {
    pub fn of(bytes: &[u8]) -> Faces {
        Faces(bytes.iter().fold(1, |sum: u64, byte| {
            sum.wrapping_mul(31).wrapping_add(u64::from(*byte))
        }))
    }
}

impl Roller for Faces {
    fn source(&self) -> &'static str {
        "bytes"
    }

    fn draw(&mut self, low: i64, high: i64) -> Result<i64, DrawError> {
        // Knuth's multiplier; the upper bits are the better ones.
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let width = high.abs_diff(low).saturating_add(1).max(1);
        Ok(low.saturating_add_unsigned((self.0 >> 33) % width))
    }
}
