//! Any bytes as a roll: never a panic, never a hang; what is read prints and reads again as the same, and a roll can be
//! checked from its faces.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rollbook::dice::{OsRoller, ScriptedRoller, parse, read};

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(expression) = read(text) else { return };
    let again = parse(&expression.to_string()).expect("canonical text is notation");
    assert_eq!(again, expression);
    let Ok(roll) = expression.roll(&mut OsRoller::new()) else { return };
    let mut recorded = ScriptedRoller::new(roll.faces());
    assert_eq!(again.roll(&mut recorded).expect("its own faces"), roll);
});
