//! What a row of outcomes does to the damage of an attack.

use std::fmt::{Display, Formatter, Result};

use super::print::{Amount, spelling};
use super::tree::Expr;

/// What a row of outcomes does to the damage of an attack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dealt {
    /// None of it.
    None,
    /// Half of what was rolled, rounded down.
    Half,
    /// What was rolled.
    Once,
    /// Twice what was rolled.
    Twice,
    /// Each die twice; added numbers once.
    DiceTwice,
    /// The most that the dice can show.
    Maximum,
    /// This amount; `{damage}` in it is the damage of the attack.
    Amount(Expr),
}

/// The spellings, once for reading and printing.
pub const DEALT: [(&str, Dealt); 6] = [
    ("none", Dealt::None),
    ("half", Dealt::Half),
    ("once", Dealt::Once),
    ("twice", Dealt::Twice),
    ("dice twice", Dealt::DiceTwice),
    ("maximum", Dealt::Maximum),
];

impl Display for Dealt {
    fn fmt(&self, to: &mut Formatter<'_>) -> Result {
        match self {
            Dealt::Amount(amount) => write!(to, "{}", Amount(amount)),
            dealt => to.write_str(spelling(&DEALT, dealt)),
        }
    }
}
