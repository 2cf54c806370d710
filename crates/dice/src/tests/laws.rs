//! Laws that hold for every text.

use crate::tests::generate::request;
use crate::{
    Die, DieView, OsRoller, Reason, Roll, RolledDie, ScriptedRoller, parse, parse_formula, read,
};
use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};
use proptest::sample::select;

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn printed_and_read_again_it_is_the_same(text in request()) {
        if let Ok(expression) = parse(&text) {
            let printed = expression.to_string();
            let again = parse(&printed);
            prop_assert_eq!(again.as_ref(), Ok(&expression), "{} -> {}", text, printed);
            prop_assert_eq!(again.unwrap().to_string(), printed);
        }
    }

    #[test]
    fn a_recorded_roll_can_be_rolled_again(text in request()) {
        if let Ok(expression) = parse(&text) {
            let roll = expression.roll(&mut OsRoller::new()).unwrap();
            let mut script = ScriptedRoller::new(roll.faces());
            let again = parse(&roll.expression).unwrap().roll(&mut script);
            prop_assert_eq!(again.as_ref(), Ok(&roll));
            prop_assert!(script.left().is_empty());
            let text = serde_json::to_string(&roll).unwrap();
            prop_assert_eq!(serde_json::from_str::<Roll>(&text).unwrap(), roll);
        }
    }

    #[test]
    fn values_lie_on_their_dice(text in request()) {
        if let Ok(expression) = parse(&text) {
            let roll = expression.roll(&mut OsRoller::new()).unwrap();
            let sum: i64 = roll.terms.iter().map(|term| term.subtotal()).sum();
            let is_whole = !serde_json::to_string(&roll.terms).unwrap().contains("\"exact\"");
            if roll.repeats.is_empty() && roll.exact.is_none() && is_whole {
                prop_assert_eq!(sum, roll.total, "{}", roll.explanation);
            }
            for view in roll.dice() {
                let faces = view.die.rolls.iter().filter(|face| face.reason != Reason::Clamp);
                prop_assert!(!view.die.rolls.is_empty() && drawn_from(&view, &expression.dice()), "{:?}", view);
                // What was settled last, or all that was settled together; less what penetrates; or
                // what it was set to.
                let settled: Vec<i64> = settled(view.die);
                let extras = settled.len() as i64 - 1;
                let value = match view.die.rolls.last() {
                    Some(face) if face.reason == Reason::Clamp => face.value,
                    _ if view.die.shows.is_some() => worth(view.die),
                    _ if faces.clone().any(|face| matches!(face.reason, Reason::Unit | Reason::Tens)) => view.die.value,
                    _ => settled.iter().sum(),
                };
                let penetrating = [0, 1, extras];
                prop_assert!(penetrating.iter().any(|less| value - less == view.die.value), "{:?}", view);
            }
        }
    }

    #[test]
    fn any_sentence_is_answered(words in proptest::collection::vec(select(WORDS.split(' ').collect::<Vec<_>>()), 0..9)) {
        let text = words.join(" ");
        match read(&text) {
            Ok(expression) => {
                let rolled = expression.roll(&mut ScriptedRoller::new(Vec::new()));
                prop_assert_eq!(rolled.is_ok(), expression.dice().is_empty(), "it needs dice just where it has some");
                prop_assert_eq!(parse(expression.as_str()), Ok(expression));
            }
            Err(error) => {
                prop_assert!(text.get(error.span.clone()).is_some(), "{} {:?}", text, error);
                prop_assert!(parse(&error.example).is_ok(), "{}: {:?}", text, error);
            }
        }
    }

    #[test]
    fn any_bytes_are_answered(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        let text = String::from_utf8_lossy(&bytes);
        let _ = (parse(&text), read(&text), parse_formula(&text));
    }

    #[test]
    fn any_near_text_is_answered(text in "[0-9dkhlrotmincbpfsevau!xF%{}(),+*/<>=# \\[\\].\u{2212}\u{e9}-]{0,40}") {
        let answer = (parse(&text), read(&text), parse_formula(&text));
        if let Err(error) = answer.0 {
            prop_assert!(text.get(error.span.clone()).is_some(), "{} {:?}", text, error);
            prop_assert!(parse(&error.example).is_ok(), "{}: {:?}", text, error);
        }
    }
}

const WORDS: &str = "roll a the with and d20 2d6 4d6 three 3 d six eight-sided dice plus minus +3 advantage disadvantage \
                     keep drop highest lowest reroll 1s twos exploding count 8+ 8 or higher minimum percentile vs 15 fate \
                     4d6! for initiative";

/// Whether every face lies on a die with so many sides; a percentile die's digits on 0 to 9.
fn drawn_from(view: &DieView<'_>, dice: &[Die]) -> bool {
    let known: Vec<&Die> = dice
        .iter()
        .filter(|die| die.sides() == view.sides)
        .collect();
    view.die.rolls.iter().all(|face| match face.reason {
        Reason::Clamp => true,
        Reason::Unit | Reason::Tens => (0..=9).contains(&face.value),
        _ => known.iter().any(|die| {
            die.weights()
                .iter()
                .any(|(number, _)| *number == face.value)
        }),
    })
}

/// The number on the side that was rolled, where dice have symbols.
fn worth(die: &RolledDie) -> i64 {
    let shown = die.shows.as_deref().unwrap_or_default();
    shown
        .trim_end_matches(|letter: char| letter.is_ascii_uppercase())
        .parse()
        .unwrap_or(0)
}

/// The faces that a die came to rest on, one for each explosion.
fn settled(die: &RolledDie) -> Vec<i64> {
    let mut settled: Vec<i64> = Vec::new();
    for face in &die.rolls {
        match face.reason {
            Reason::Reroll => {
                settled.pop();
                settled.push(face.value);
            }
            Reason::Clamp => {}
            _ => settled.push(face.value),
        }
    }
    settled
}
