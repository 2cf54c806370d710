//! Any bytes as a roll: never a panic, never a hang; what is read prints and reads again as the
//! same, and a roll can be checked from its faces.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rollbook_dice::{ScriptedRoller, parse, read};

#[path = "../../tests/all/author/faces.rs"]
mod faces;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
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
        assert!(
            odds.totals
                .at_least(least)
                .plus(&odds.totals.cut())
                .is_one()
        );
    }
    let Ok(roll) = expression.roll(&mut faces::Faces::of(bytes)) else {
        return;
    };
    let mut recorded = ScriptedRoller::new(roll.faces());
    assert_eq!(again.roll(&mut recorded).expect("its own faces"), roll);
});
