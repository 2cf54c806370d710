//! The rule's formulas in a check's event, so that a check can be verified without the rules: the sum of the modifiers must
//! be in the roll, and the target must follow from the difficulty.

use std::collections::BTreeMap;

use crate::record::event::{CheckEvent, Formulas};
use rollbook_dice::{Bound, Expression, Formula, Roll, parse, parse_formula};
use rollbook_rules::{Attempt, Check};
use rollbook_text::names::fold;

impl Formulas {
    /// The formulas of an attempt.
    pub fn of(rule: &Check, attempt: &Attempt, event: &CheckEvent, roll: &Roll) -> Formulas {
        let own = rule.no_dice.as_ref().filter(|_| attempt.no_dice).map_or(&rule.roll, |no_dice| &no_dice.what);
        let target = rule.target.as_ref().filter(|_| attempt.target.is_some());
        let formulas = Formulas {
            roll: own.to_string(),
            target: target.map(Formula::to_string),
            beside: !rule.names("modifier"),
            partial: false,
        };
        let partial = formulas.contradiction(event, roll).is_some();
        Formulas { partial, ..formulas }
    }

    /// A contradiction between a check and its formulas, in words.
    pub fn contradiction(&self, event: &CheckEvent, roll: &Roll) -> Option<String> {
        if self.partial {
            return None;
        }
        let sum = event.modifiers.iter().fold(0_i64, |sum, own| sum.saturating_add(own.value));
        let beside = if self.beside { sum } else { 0 };
        let Some(by_rule) = bind_recorded(&self.roll, event, sum) else {
            return Some(format!("its rule is `{}`, and it does not hold the values that the rule names", self.roll));
        };
        let fits = |expression: &Expression| match event.adjustments.is_empty() {
            true => expression.to_string() == roll.expression,
            // The dice were replaced, so only the rest is compared.
            false => parse(&roll.expression).is_ok_and(|rolled| rolled.beside_dice() == expression.beside_dice()),
        };
        let plus = |number: i64| by_rule.plus(number).ok().filter(|expression| fits(expression)).is_some();
        let target =
            self.target.as_ref().map(|formula| bind_recorded(formula, event, sum).and_then(|own| own.constant()));
        let target_is = |number: i64| match (target, event.target) {
            (Some(Some(by_rule)), Some(target)) => by_rule.saturating_add(number) == target,
            (None, None) => true,
            _ => false,
        };
        let on_roll = plus(beside) || (target.is_none() && plus(beside.saturating_neg()));
        match (on_roll && target_is(0)) || (plus(0) && target_is(beside)) {
            true => None,
            false if on_roll || plus(0) => Some(format!(
                "its difficulty is {}, and by its rule `{}` its target is not {}",
                number_or_none(event.difficulty),
                self.target.as_deref().unwrap_or("none"),
                number_or_none(event.target)
            )),
            false => Some(format!(
                "its modifiers come to {sum}, and by its rule `{}` its roll is not {}",
                self.roll, roll.expression
            )),
        }
    }
}

fn number_or_none(number: Option<i64>) -> String {
    number.map_or_else(|| "none".to_owned(), |number| number.to_string())
}

/// Binds a formula with the values in the event.
fn bind_recorded(formula: &str, event: &CheckEvent, sum: i64) -> Option<Expression> {
    let values: BTreeMap<String, i64> = event.variables.iter().map(|own| (fold(&own.name), own.value)).collect();
    let dice: BTreeMap<String, &String> = event.said.iter().map(|(name, text)| (fold(name), text)).collect();
    let mut lookup = |name: &str| match fold(name).as_str() {
        "modifier" => Some(Bound::Number(sum)),
        "difficulty" if event.difficulty.is_some() => event.difficulty.map(Bound::Number),
        folded => {
            let number = values.get(folded).map(|value| Bound::Number(*value));
            number.or_else(|| dice.get(folded).map(|text| Bound::Dice((*text).clone())))
        }
    };
    parse_formula(formula).ok()?.bind_with(&mut lookup).ok()
}
