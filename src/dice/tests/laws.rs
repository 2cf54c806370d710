//! Laws that hold for every text.

use crate::dice::tests::generate::request;
use crate::dice::{OsRoller, Roll, ScriptedRoller, parse, parse_formula, read};
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
            if roll.repeats.is_empty() && roll.exact.is_none() && whole(&serde_json::to_string(&roll.terms).unwrap()) {
                prop_assert_eq!(sum, roll.total, "{}", roll.explanation);
            }
            let shown = roll.dice().iter().all(|view| !view.die.rolls.is_empty());
            prop_assert!(shown);
        }
    }

    #[test]
    fn any_sentence_is_answered(words in proptest::collection::vec(select(WORDS.to_vec()), 0..9)) {
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
    fn any_text_is_answered(text in any::<String>()) {
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

const WORDS: [&str; 40] = [
    "roll",
    "a",
    "the",
    "with",
    "and",
    "d20",
    "2d6",
    "4d6",
    "three",
    "3",
    "d",
    "six",
    "eight-sided",
    "dice",
    "plus",
    "minus",
    "+3",
    "advantage",
    "disadvantage",
    "keep",
    "drop",
    "highest",
    "lowest",
    "reroll",
    "1s",
    "twos",
    "exploding",
    "count",
    "8+",
    "8",
    "or",
    "higher",
    "minimum",
    "percentile",
    "vs",
    "15",
    "fate",
    "4d6!",
    "for",
    "initiative",
];

fn whole(json: &str) -> bool {
    !json.contains("\"exact\"")
}
