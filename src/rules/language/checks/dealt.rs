//! The columns Damage and Target effect of an outcome table: what becomes of the damage of an attack, and what a hit brings.

use super::outcome::Outcome;
use crate::diagnostic::Place;
use crate::dice::{DiceError, Expression, Formula, parse, parse_formula};

/// What a row does to the damage of an attack.
#[derive(Debug, Clone, PartialEq)]
pub struct RowDamage {
    /// What it does.
    pub deals: Deals,
    /// The author's words.
    pub text: String,
    /// Where the cell stands.
    pub place: Place,
}

/// How much of an attack's damage is dealt.
#[derive(Debug, Clone, PartialEq)]
pub enum Deals {
    /// None of it.
    Nothing,
    /// Half of what was rolled, rounded down.
    Half,
    /// What was rolled.
    Once,
    /// Each die twice, what is added to them once.
    DiceTwice,
    /// Twice what was rolled.
    Twice,
    /// The most that the dice can show, each of them once.
    Maximum,
    /// A formula; `{damage}` in it is the attack's own.
    Formula(String),
}

impl Deals {
    /// What an outcome deals where no row says anything: a success deals it.
    pub fn by_outcome(outcome: Outcome) -> Deals {
        if outcome >= Outcome::Success { Deals::Once } else { Deals::Nothing }
    }
}

/// A condition that an outcome brings: `Prone`, `Burning 2`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowEffect {
    /// The condition, with its level.
    pub condition: String,
    /// Where the cell stands.
    pub place: Place,
}

/// The name in a formula for the damage of the attack.
const OWN: &str = "{damage}";

/// A row's own formula with the attack's damage in the place of `{damage}`, and the check's values in that of their names.
///
/// # Errors
/// When they are no dice together.
pub fn row_formula(
    formula: &str,
    damage: &Expression,
    value: impl Fn(&str) -> Option<i64>,
) -> Result<Formula, DiceError> {
    with_damage(formula, damage.as_str(), value)
}

/// The same with any dice in the place of the attack's.
pub(super) fn with_damage(
    formula: &str,
    damage: &str,
    value: impl Fn(&str) -> Option<i64>,
) -> Result<Formula, DiceError> {
    parse_formula(&with_values(formula, value).replace(OWN, &format!("({damage})")))
}

/// A formula with numbers in the place of those names in braces that have one here.
fn with_values(formula: &str, value: impl Fn(&str) -> Option<i64>) -> String {
    let mut parts = formula.split('{');
    let mut with = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let known = part.split_once('}').and_then(|(name, rest)| Some((value(name)?, rest)));
        match known {
            Some((number, rest)) => with.push_str(&number_before(number, rest)),
            None => with.push_str(&format!("{{{part}")),
        }
    }
    with
}

/// A number and what stands behind it. No dice are nothing: `{extra}d6` where extra is 0.
fn number_before(number: i64, rest: &str) -> String {
    let sides = rest.strip_prefix('d').map(|own| own.trim_start_matches(|letter: char| letter.is_ascii_digit()));
    let alone = |own: &&str| {
        own.len() + 1 < rest.len()
            && !own.starts_with(|letter: char| !matches!(letter, ' ' | ')' | '+' | '-' | '*' | ','))
    };
    match sides.filter(alone) {
        Some(behind) if number <= 0 => format!("0{behind}"),
        _ => format!("({number}){rest}"),
    }
}

impl Deals {
    /// In a few words: "half of the damage".
    pub fn describe(&self) -> String {
        match self {
            Deals::Nothing => "no damage".to_owned(),
            Deals::Half => "half of the damage, rounded down".to_owned(),
            Deals::Once => "the damage".to_owned(),
            Deals::DiceTwice => "the dice of the damage twice".to_owned(),
            Deals::Twice => "the damage twice".to_owned(),
            Deals::Maximum => "the most that the damage can be".to_owned(),
            Deals::Formula(formula) => formula.clone(),
        }
    }
}

/// An attack's damage with each of its dice twice: `1d12 + 2` becomes `1d12 + 2 + 1d12`.
///
/// # Errors
/// When that is more than can be rolled.
pub fn dice_twice(damage: &Expression) -> Result<Expression, DiceError> {
    parse(&damage.with_dice_twice())
}
