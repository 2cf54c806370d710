//! The table of modifiers: every spelling is read, printed, does something, has its rolls' odds.

use crate::expression::bounds::ends;
use crate::modifiers::{Word, words};
use crate::odds::{Extra, Kept, Pool};
use crate::tests::{assert_odds, every_roll};
use crate::{DrawError, Expression, Roller, Term, parse};
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
        [
            Term::Dice {
                dice,
                kept,
                subtotal,
                ..
            },
        ] => format!("{dice:?} {kept:?} {subtotal}"),
        terms => panic!("{expression}: {terms:?}"),
    }
}

#[test]
fn every_word_is_of_one_modifier_and_is_in_the_grammar() {
    let mut seen = BTreeSet::new();
    for word in words() {
        assert!(
            seen.insert(word.text),
            "{} is twice in the table",
            word.text
        );
        let quoted = format!("\"{}\"", word.text);
        assert!(
            GRAMMAR.contains(&quoted),
            "{quoted} is missing in the grammar"
        );
    }
}

#[test]
fn every_word_is_read_and_printed() {
    for word in words() {
        let expression = example(&word);
        let printed = expression.to_string();
        assert_eq!(parse(&printed).as_ref(), Ok(&expression), "{}", word.text);
        let group = |number: &str| format!("{{2d6, 3d8, 1d4}}{}{number}", word.text);
        let of_groups = ["", "1", "9"]
            .iter()
            .any(|number| parse(&group(number)).is_ok());
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
        let cut = every_roll(&expression, 7, 100_000, &mut |roll, chance| {
            note(roll.total, chance)
        })
        .expect("all of them");
        assert_odds(&expression, &by_total, cut);
    }
}

/// What a word of the table makes at several dice, with the numbers and comparisons it takes.
fn written(word: &Word) -> Vec<Expression> {
    let numbers = ["", "1", "2", "3", ">2", "<2"];
    let dice = ["2d6", "3d4", "2dF", "1d%", "{2d6, 3d4, 1d4}"];
    let texts = dice
        .iter()
        .flat_map(|dice| numbers.map(|number| format!("{dice}{}{number}", word.text)));
    texts.filter_map(|text| parse(&text).ok()).collect()
}

/// As [`written`], and some of them with every other modifier that may follow it.
fn written_in_pairs(word: &Word) -> Vec<Expression> {
    let mut all = written(word);
    let first: Vec<Expression> = all
        .iter()
        .find(|expression| expression.as_str().starts_with("3d4"))
        .cloned()
        .into_iter()
        .collect();
    for (expression, word) in first
        .iter()
        .flat_map(|expression| words().map(move |word| (expression, word)))
    {
        let texts = ["", "1", "3"].map(|number| format!("{expression}{}{number}", word.text));
        all.extend(texts.iter().find_map(|text| parse(text).ok()));
    }
    all
}

#[test]
fn every_total_lies_within_the_bounds() {
    for word in words() {
        let all = written_in_pairs(&word);
        assert!(!all.is_empty(), "{} is never read", word.text);
        for expression in &all {
            let (low, high) = ends(expression.request());
            let has = |total: i64| {
                let is_inside = (low..=high).contains(&i128::from(total));
                assert!(
                    is_inside,
                    "{expression} may be {total}, and {low} to {high} is expected"
                );
            };
            (0..30).for_each(|start| {
                has(expression
                    .roll(&mut Cycle { next: start })
                    .expect("a roll")
                    .total)
            });
            // The odds of long explosions take long.
            if !expression.redraws() || expression.asked() < 3 {
                expression
                    .odds()
                    .expect("odds")
                    .totals
                    .totals()
                    .for_each(has);
            }
        }
    }
}

/// Bounds that a modifier forgets to narrow are true, but refuse what could be rolled. Those of
/// rerolls, of explosions (whose odds are cut), of counts and of groups are known to be wider than
/// their totals, and so are those of some comparisons.
#[test]
fn the_bounds_of_every_word_are_somewhere_those_of_the_totals() {
    let is_exact = |expression: &Expression| {
        let totals = expression.odds().expect("odds").totals;
        let (low, high) = ends(expression.request());
        [totals.min(), totals.max()].map(|end| end.map(i128::from)) == [Some(low), Some(high)]
    };
    let is_wider =
        |text: &Expression| text.redraws() || text.counts() || text.as_str().contains('{');
    for word in words() {
        let mut all = written(&word);
        all.retain(|expression| !is_wider(expression));
        assert!(
            all.is_empty() || all.iter().any(is_exact),
            "{} of {all:?}",
            word.text
        );
    }
}

/// Explosions of one die that are followed here.
fn followed_max(pool: &Pool) -> usize {
    if pool.faces.len() > 20 { 1 } else { 2 }
}

/// The dice that one of a pool becomes, their values and chance; without any that explode further.
fn ways_of_one(pool: &Pool, further: usize) -> Vec<(Vec<i64>, f64)> {
    let each = pool.faces.iter().map(|face| face.weight).sum::<u64>() as f64;
    let mut ways = Vec::new();
    for face in &pool.faces {
        let chance = face.weight as f64 / each;
        let Some(chains) = pool.chains.filter(|_| face.explodes) else {
            ways.push((vec![face.face], chance));
            continue;
        };
        let rest = match chains.extra {
            _ if further == 0 => Vec::new(),
            Extra::Dice | Extra::Part => ways_of_one(pool, further - 1),
            Extra::OneDie => pool
                .faces
                .iter()
                .map(|face| (vec![face.face], face.weight as f64 / each))
                .collect(),
        };
        for (mut dice, later) in rest {
            let next = dice.first_mut().expect("a die");
            *next -= chains.less;
            match chains.extra {
                Extra::Part => *next += face.face,
                Extra::Dice | Extra::OneDie => dice.insert(0, face.face),
            }
            ways.push((dice, chance * later));
        }
    }
    ways
}

/// The chance of each total, as far as the pool's dice are followed.
fn totals_of(pool: &Pool) -> BTreeMap<i64, f64> {
    let one = ways_of_one(pool, followed_max(pool));
    let mut all = vec![(Vec::new(), 1.0)];
    for _ in 0..pool.count {
        let longer = |(dice, chance): &(Vec<i64>, f64)| {
            let (dice, chance) = (dice.clone(), *chance);
            one.iter()
                .map(move |(more, each)| ([dice.as_slice(), more].concat(), chance * each))
                .collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    if pool.distinct {
        all.retain(|(dice, _)| dice.iter().collect::<BTreeSet<_>>().len() == dice.len());
        let whole = all.iter().map(|(_, chance)| chance).sum::<f64>();
        all.iter_mut().for_each(|(_, chance)| *chance /= whole);
    }
    let mut totals = BTreeMap::new();
    for (dice, chance) in all {
        let mut worths: Vec<(i64, i64)> = dice.iter().map(|sum| pool.worth(*sum)).collect();
        worths.sort_unstable();
        let kept = match pool.kept {
            Kept::All => worths.as_slice(),
            Kept::Highest(count) => &worths[worths.len() - count.min(worths.len())..],
            Kept::Lowest(count) => &worths[..count.min(worths.len())],
            Kept::Somehow => panic!("is not known"),
        };
        *totals
            .entry(kept.iter().map(|(_, adds)| adds).sum())
            .or_default() += chance;
    }
    totals
}

#[test]
fn pools_have_the_odds_of_their_dice() {
    for word in words() {
        let mut compared = 0;
        for expression in written_in_pairs(&word)
            .iter()
            .filter(|expression| expression.is_sum_of_pools())
        {
            let [pool] = &expression.pools().expect("pools")[..] else {
                panic!("{expression} is one pool")
            };
            if pool.kept == Kept::Somehow {
                continue;
            }
            let totals = totals_of(pool);
            let cut = 1.0 - totals.values().sum::<f64>();
            assert_odds(expression, &totals, cut);
            compared += 1;
        }
        assert!(compared > 2, "no pool of {} is compared", word.text);
    }
}
