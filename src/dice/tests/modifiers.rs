//! The table of modifiers: every spelling is read and printed, does something, and has the odds of its rolls.

use crate::dice::modifiers::{Word, words};
use crate::dice::odds::every_roll;
use crate::dice::{DrawError, Expression, Roller, Term, parse};
use std::collections::{BTreeMap, BTreeSet};

const GRAMMAR: &str = include_str!("../notation/parse/mod.rs");

/// The dice that a word is tried on.
fn bare(word: &Word) -> &'static str {
    if word.of_percentile { "1d%" } else { "2d6" }
}

/// Dice with the modifier that the word begins, and the first number that it takes.
fn example(word: &Word) -> Expression {
    let texts = ["", "1", "3"].map(|number| format!("{}{}{number}", bare(word), word.text));
    let read = texts.iter().find_map(|text| parse(text).ok());
    read.unwrap_or_else(|| panic!("none of {texts:?} is read"))
}

/// Faces one after the other, and from the beginning again.
struct Cycle {
    next: i64,
}

impl Roller for Cycle {
    fn source(&self) -> &'static str {
        "cycle"
    }

    fn draw(&mut self, low: i64, high: i64) -> Result<i64, DrawError> {
        self.next += 5;
        Ok(low + self.next % (high - low + 1))
    }
}

/// What a record keeps of dice, apart from their text.
fn recorded(expression: &Expression, start: i64) -> String {
    let roll = expression.roll(&mut Cycle { next: start }).expect("a roll");
    match roll.terms.as_slice() {
        [Term::Dice { dice, kept, subtotal, .. }] => format!("{dice:?} {kept:?} {subtotal}"),
        terms => panic!("{expression}: {terms:?}"),
    }
}

#[test]
fn every_word_is_of_one_modifier_and_stands_in_the_grammar() {
    let mut seen = BTreeSet::new();
    for word in words() {
        assert!(seen.insert(word.text), "{} stands twice in the table", word.text);
        let quoted = format!("\"{}\"", word.text);
        assert!(GRAMMAR.contains(&quoted), "{quoted} is missing in the grammar");
    }
}

#[test]
fn every_word_is_read_and_printed() {
    for word in words() {
        let expression = example(&word);
        let printed = expression.to_string();
        assert_eq!(parse(&printed).as_ref(), Ok(&expression), "{}", word.text);
        let group = |number: &str| format!("{{2d6, 3d8, 1d4}}{}{number}", word.text);
        let of_groups = ["", "1", "9"].iter().any(|number| parse(&group(number)).is_ok());
        assert_eq!(of_groups, word.for_groups, "{} at a group", word.text);
    }
}

#[test]
fn every_word_does_something() {
    for word in words() {
        let (with, without) = (example(&word), parse(bare(&word)).expect("dice"));
        let differs = (0..6).any(|start| recorded(&with, start) != recorded(&without, start));
        assert!(differs, "{with} rolls what {without} rolls");
    }
}

#[test]
fn every_word_has_the_odds_of_its_rolls() {
    for word in words() {
        let expression = example(&word);
        let mut by_total: BTreeMap<i64, f64> = BTreeMap::new();
        let mut note = |total, chance| *by_total.entry(total).or_default() += chance;
        let paths = every_roll(&expression, 7, 100_000, &mut |roll, chance| note(roll.total, chance)).expect("rolls");
        assert!(paths.complete, "{expression}");
        let odds = expression.odds().expect("odds").totals;
        for (total, chance) in by_total {
            let apart = odds.exactly(total).to_f64() - chance;
            assert!(apart > -1e-9 && apart < paths.cut + 1e-9, "{expression}: {total} is {apart} apart");
        }
    }
}
