//! The dice chain and words for difficulties.

use crate::grammar::line::DifficultyValue;
use rollbook_dice::Die;
use rollbook_text::diagnostic::{Place, Span};

/// Dice in order, smallest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiceChain {
    /// At least two.
    pub dice: Vec<Die>,
    pub place: Place,
}

impl DiceChain {
    /// The die this many steps along, at most the last one. None where the die is not on the chain.
    pub fn moved(&self, die: &Die, steps: i64) -> Option<Die> {
        let at = self.dice.iter().position(|member| member.same_as(die))?;
        let last = i64::try_from(self.dice.len()).unwrap_or(i64::MAX) - 1;
        let to = i64::try_from(at)
            .unwrap_or(0)
            .saturating_add(steps)
            .clamp(0, last.max(0));
        self.dice.get(usize::try_from(to).ok()?).cloned()
    }

    /// "d3, d4, d5".
    pub fn list(&self) -> String {
        let names: Vec<String> = self.dice.iter().map(ToString::to_string).collect();
        names.join(", ")
    }
}

/// "Hard" is 15: a word that a call may send as `difficulty` instead of the number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difficulty {
    /// As the author writes it.
    pub name: String,
    pub is: DifficultyValue,
    pub place: Place,
    pub span: Span,
}

impl Difficulty {
    /// The number, unless it is a row.
    pub fn number(&self) -> Option<i64> {
        match self.is {
            DifficultyValue::Number(number) => Some(number),
            DifficultyValue::Row(_) => None,
        }
    }

    /// The row, unless it is a number.
    pub fn row(&self) -> Option<&str> {
        match &self.is {
            DifficultyValue::Number(_) => None,
            DifficultyValue::Row(row) => Some(row),
        }
    }
}
