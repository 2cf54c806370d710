//! Arithmetic: every roll is made again from its recorded faces.

use crate::dice::{self, Roll, ScriptedRoller};
use crate::game::record::entry::BODY_VERSION;

/// What is wrong with a roll that an entry of that version holds.
pub fn check(recorded: &Roll, version: u32) -> Option<String> {
    let mut roller = ScriptedRoller::new(recorded.faces());
    let expression = &recorded.expression;
    match dice::parse(expression).and_then(|expression| expression.roll(&mut roller)) {
        Ok(roll) if roller.left().is_empty() && same(&roll, recorded, version) => None,
        Ok(roll) => Some(format!("{expression} comes to {}, not {}", roll.total, recorded.total)),
        Err(error) => Some(format!("{expression} cannot be rolled again from its faces: {error}")),
    }
}

/// Whether a roll made again from its faces is the recorded one. Of an earlier version only the dice and the numbers count:
/// what an explanation says is that version's.
fn same(again: &Roll, recorded: &Roll, version: u32) -> bool {
    if version >= BODY_VERSION {
        return again == recorded;
    }
    let repeats = || again.repeats.iter().zip(&recorded.repeats);
    again.terms == recorded.terms
        && again.exact == recorded.exact
        && again.repeats.len() == recorded.repeats.len()
        && repeats().all(|(again, recorded)| same(again, recorded, version))
        // Version 1 added up the totals of a repeated check.
        && (again.total == recorded.total || !again.repeats.is_empty())
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::dice::{self, Roll, ScriptedRoller};
    use crate::game::record::entry::BODY_VERSION;

    fn rolled() -> Roll {
        let mut roller = ScriptedRoller::new(vec![12, 3]);
        dice::parse("2d20kh1 + 5").unwrap().roll(&mut roller).unwrap()
    }

    #[test]
    fn words_of_an_earlier_version_are_its_own() {
        let mut recorded = rolled();
        recorded.explanation = "2d20kh1: [12, 3] and so 17".to_owned();
        assert_eq!(check(&recorded, BODY_VERSION - 1), None);
        assert!(check(&recorded, BODY_VERSION).is_some());
    }

    #[test]
    fn numbers_are_of_no_version() {
        let mut recorded = rolled();
        recorded.total = 18;
        for version in 1..=BODY_VERSION {
            assert_eq!(check(&recorded, version).as_deref(), Some("2d20kh1 + 5 comes to 17, not 18"));
        }
    }
}
