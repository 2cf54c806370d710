//! Any bytes as a roll: never a panic, never a hang; what is read prints and reads again as the same, and a roll can be
//! checked from its faces.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rollbook::dice::{DrawError, Roller, ScriptedRoller, parse, read};

/// Faces that follow from the input, so that a finding can be repeated.
struct Faces(u64);

impl Roller for Faces {
    fn source(&self) -> &'static str {
        "bytes"
    }

    fn draw(&mut self, low: i64, high: i64) -> Result<i64, DrawError> {
        // Knuth's multiplier; the upper bits are the better ones.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let width = high.abs_diff(low).saturating_add(1).max(1);
        Ok(low.saturating_add_unsigned((self.0 >> 33) % width))
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let expression = match read(text) {
        Ok(expression) => expression,
        Err(error) => {
            assert!(text.get(error.span.clone()).is_some(), "{error:?}");
            assert!(parse(&error.example).is_ok(), "{error:?}");
            return;
        }
    };
    let again = parse(&expression.to_string()).expect("canonical text is notation");
    assert_eq!(again, expression);
    // Odds that take long are refused; of those that do not, the shares make up a whole.
    if expression.dice().len() < 3
        && let Ok(odds) = expression.odds()
        && let (Some(least), Some(_)) = (odds.totals.min(), odds.totals.max())
    {
        assert!(odds.totals.at_least(least).plus(&odds.totals.cut()).is_one());
    }
    let seed = bytes.iter().fold(0, |sum: u64, byte| sum.wrapping_mul(31).wrapping_add(u64::from(*byte)));
    let Ok(roll) = expression.roll(&mut Faces(seed)) else { return };
    let mut recorded = ScriptedRoller::new(roll.faces());
    assert_eq!(again.roll(&mut recorded).expect("its own faces"), roll);
});
