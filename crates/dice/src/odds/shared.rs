//! The odds of terms that draw from one deck: what the one drew is missing to the other, so every roll is looked at.

use crate::error::{Code, DiceError};
use crate::expression::Expression;
use crate::odds::budget::Stop;
use crate::odds::{DeepWalker, Distribution, Odds, Ratio, bands_of};
use crate::text::Span;
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// Rolls that are looked at one by one.
const ROLLS_MAX: f64 = 200_000.0;

pub(super) fn odds(expression: &Expression) -> Result<Odds, Stop> {
    let request = expression.request();
    if request.repeat.is_some() || expression.redraws() || rolls(expression) > ROLLS_MAX {
        return Err(Stop::Refused(
            DiceError::new(
                Code::LimitExceeded,
                Span::default(),
                "These terms draw from one deck in too many ways to look at each.",
            )
            .hint(
                "Draw them as one term, or fewer of them; without repeats, rerolls and explosions beside them.",
                "5d52unique",
            ),
        ));
    }
    let mut walker = DeepWalker::up_to(usize::MAX);
    let (mut totals, mut passed, mut ways) = (BTreeMap::<i64, BigUint>::new(), BigUint::ZERO, BigUint::ZERO);
    loop {
        let roll = expression.roll(&mut walker).map_err(Stop::Refused)?;
        ways += 1_u8;
        *totals.entry(roll.total).or_default() += 1_u8;
        if roll.verdict.as_ref().and_then(|verdict| verdict.success) == Some(true) {
            passed += 1_u8;
        }
        if !walker.advance() {
            break;
        }
    }
    let tested = request.check.test.as_ref();
    let success = tested.and_then(|test| test.node()).map(|_| Ratio::new(false, passed, ways.clone()));
    let totals = Distribution::of(totals.into_iter().collect(), ways);
    let bands = bands_of(&totals, tested);
    Ok(Odds { totals, repeated: false, success, bands })
}

fn rolls(expression: &Expression) -> f64 {
    let mut all = 1.0;
    expression.visit_dice(&mut |dice| {
        if dice.bonus() != 0 {
            all = f64::INFINITY;
        } else if !dice.is_unique() {
            (0..dice.count()).for_each(|_| all *= dice.die().faces().len() as f64);
        }
    });
    for (dice, before) in expression.request().check.draws() {
        let before = before.unwrap_or(0);
        for nth in before..before.saturating_add(dice.count()) {
            all *= dice.die().faces().len() as f64 - nth as f64;
        }
    }
    all
}
