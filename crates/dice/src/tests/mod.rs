//! What the specification says, line by line.

mod english;
mod explanations;
mod expressions;
mod fairness;
mod formulas;
mod generate;
mod laws;
mod modifiers;
mod notation;
mod odds;
mod refusals;
mod structured;
mod symbols;

use crate::odds::{Ratio, Walker};
use crate::{Code, Expression, Roll, ScriptedRoller, parse};
use std::collections::BTreeMap;

/// Rolls the text with these faces; every face must be used.
pub(crate) fn roll(text: &str, faces: &[i64]) -> Roll {
    let expression = parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    let mut roller = ScriptedRoller::new(faces.iter().copied());
    let roll = expression
        .roll(&mut roller)
        .unwrap_or_else(|error| panic!("{text}: {error:?}"));
    assert_eq!(roller.left(), Vec::<i64>::new(), "{text}: faces left");
    roll
}

pub(crate) fn code(text: &str) -> Code {
    match parse(text) {
        Ok(expression) => panic!("{text} was read as {expression}"),
        Err(error) => error.code,
    }
}

/// Visits every roll of up to so many draws with its chance; the chance of longer ones; none of
/// over `rolls_max` rolls.
pub(crate) fn every_roll(
    expression: &Expression,
    draws_max: usize,
    rolls_max: u64,
    visit: &mut dyn FnMut(&Roll, f64),
) -> Option<f64> {
    let mut walker = Walker::up_to(draws_max);
    let mut cut = 0.0;
    for _ in 0..rolls_max {
        let roll = expression.roll(&mut walker);
        let chance = Ratio::new(false, 1_u8.into(), walker.ways()).to_f64();
        match roll {
            Ok(roll) => visit(&roll, chance),
            Err(error) => {
                assert_eq!(error.code, Code::DrawFailed);
                cut += chance;
            }
        }
        if !walker.advance() {
            return Some(cut);
        }
    }
    None
}

/// Asserts that the odds of each total are this chance, up to `cut` more.
pub(crate) fn assert_odds(expression: &Expression, by_total: &BTreeMap<i64, f64>, cut: f64) {
    let odds = expression.odds().expect("odds").totals;
    for (total, chance) in by_total {
        let apart = odds.exactly(*total).to_f64() - chance;
        let is_near = apart > -1e-12 && apart < cut + 1e-12;
        assert!(is_near, "{expression}: {total} is {apart} apart");
    }
}
