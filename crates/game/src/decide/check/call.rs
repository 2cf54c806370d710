//! The call of a check.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::stated::StatedCheck;
use crate::limits::{self, LIMITS};
use crate::record::entry::Visibility;
use crate::refusal::{Code, Refusal};
use rollbook_dice::Bound;
use rollbook_text::names::{fold, same};

/// The most steps along a dice chain, either way.
const STEPS_MAX: i64 = 100;

/// What the caller sent; names are as typed.
#[derive(Debug, Default, Clone)]
pub struct CheckCall {
    pub skill: Option<String>,
    pub character: Option<String>,
    pub check: Option<String>,
    pub difficulty: Option<i64>,
    pub attribute: Option<String>,
    pub advantage: bool,
    pub disadvantage: bool,
    /// Steps along the dice chain.
    pub steps: i64,
    /// A situational modifier.
    pub modifier: i64,
    /// The target character: names in a Target bullet are looked up on its sheet first.
    pub target: Option<String>,
    /// The attack of the sheet that it is made with, by its name.
    pub attack: Option<String>,
    /// What the sheet gives the attack.
    pub bonus: Option<AttackBonus>,
    /// The target takes damage by the outcome, so it counts though the rule does not name it.
    pub struck: bool,
    /// It is a save against something that is not rolled for.
    pub saves: bool,
    /// The label of the row that must be reached.
    pub reach: Option<String>,
    /// Numbers, dice, or other text to be logged.
    pub values: BTreeMap<String, String>,
    pub opposed_by: Option<Opponent>,
    /// It is one side of an opposed check, which needs no difficulty.
    pub opposed: bool,
    /// It is the opposing side, as described in `opposed_by`.
    pub opposing: bool,
    /// It is about odds and not rolled, so it makes no difference who may roll it now.
    pub planned: bool,
    /// The earlier roll to follow.
    pub again: Option<Follow>,
    /// What it states in place of a check of the rules.
    pub stated: Option<Arc<StatedCheck>>,
    pub context: Option<String>,
    pub visibility: Option<Visibility>,
}

/// The call's values: numbers as numbers, anything else as text, which a rule may read as dice.
pub fn parse_values(values: &BTreeMap<String, String>) -> BTreeMap<String, Bound> {
    let read = |value: &String| match value.trim().strip_prefix('+').unwrap_or(value.trim()).parse() {
        Ok(number) => Bound::Number(number),
        Err(_) => Bound::Dice(value.clone()),
    };
    values.iter().map(|(name, value)| (fold(name), read(value))).collect()
}

/// The bonus of an attack on the sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttackBonus {
    /// The attack's name.
    pub name: String,
    pub value: i64,
    /// It stands in the place of attribute and skill; else it is added to them.
    pub whole: bool,
}

/// The opponent, and what it rolls.
#[derive(Debug, Default, Clone)]
pub struct Opponent {
    pub character: String,
    pub skill: Option<String>,
    pub attribute: Option<String>,
    /// Its check, where it is another one.
    pub check: Option<String>,
    pub modifier: i64,
    /// Numbers, dice, or other text of its own.
    pub values: BTreeMap<String, String>,
}

impl CheckCall {
    /// The numbers that it gives for names of the rules, by folded names.
    pub fn numbers(&self) -> BTreeMap<String, i64> {
        let number = |(name, value): (String, Bound)| match value {
            Bound::Number(number) => Some((name, number)),
            Bound::Dice(_) => None,
        };
        parse_values(&self.values).into_iter().filter_map(number).collect()
    }

    /// Refuses what is beyond the limits.
    pub(super) fn check_limits(&self) -> Result<(), Refusal> {
        if let Some(context) = &self.context {
            limits::text("context", context, LIMITS.context)?;
        }
        limits::number("modifier", self.modifier)?;
        limits::number("difficulty", self.difficulty.unwrap_or(0))?;
        limits::number("opposed_by.modifier", self.opposed_by.as_ref().map_or(0, |opponent| opponent.modifier))?;
        if self.steps.abs() > STEPS_MAX {
            let summary = format!("steps is {}; it takes -{STEPS_MAX} to {STEPS_MAX}.", self.steps);
            return Err(Refusal::new(Code::LimitExceeded, summary));
        }
        check_value_limits("", &self.values)?;
        self.opposed_by.as_ref().map_or(Ok(()), |opponent| check_value_limits(OPPONENT, &opponent.values))
    }

    /// What stands before the names of this side's parameters.
    pub(super) fn of(&self) -> &'static str {
        if self.opposing { OPPONENT } else { "" }
    }
}

/// What stands before the names of an opponent's parameters.
const OPPONENT: &str = "opposed_by.";

fn check_value_limits(of: &str, values: &BTreeMap<String, String>) -> Result<(), Refusal> {
    let field = format!("{of}values");
    limits::count(&field, values.len(), LIMITS.map)?;
    for (name, value) in values {
        limits::name(&field, name)?;
        limits::line(&format!("{field}.{name}"), value, LIMITS.context)?;
        if let Ok(number) = value.trim().parse() {
            limits::number(&format!("{field}.{name}"), number)?;
        }
    }
    Ok(())
}

/// The earlier roll to follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Follow {
    /// Its entry; `None`: the character's last check.
    pub entry: Option<u64>,
    /// The follow-up rule; `None`: the only one of its check.
    pub rule: Option<String>,
}

impl Follow {
    /// `#128`, `128`, `#128 push`, `last`, `last push`.
    pub fn parse(text: &str) -> Option<Follow> {
        let text = text.trim().trim_start_matches('#');
        let (number, rule) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rule = Some(rule.trim().to_owned()).filter(|rule| !rule.is_empty());
        let entry = match number {
            word if same(word, "last") => None,
            number => Some(number.parse().ok().filter(|entry| *entry > 0)?),
        };
        Some(Follow { entry, rule })
    }
}
