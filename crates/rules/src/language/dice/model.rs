//! The dice chain, words for difficulties, and which dice may be rolled.

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

/// Which dice may be rolled: the classic set and every die that the file names, or those of a
/// `- Dice:` bullet. The Roll of a check is always allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DicePolicy {
    /// Each die with its name, small to large; none: any die.
    dice: Option<Vec<(Die, String)>>,
    /// The `- Dice:` bullet, if any.
    pub place: Option<Place>,
}

/// Sizes of the classic set; d% is the d100.
const CLASSIC_SIDES: [u32; 7] = [4, 6, 8, 10, 12, 20, 100];

impl DicePolicy {
    /// These dice and no others.
    pub fn only(dice: impl IntoIterator<Item = Die>, place: Place) -> Self {
        let mut policy = Self {
            dice: Some(Vec::new()),
            place: Some(place),
        };
        policy.add(dice);
        policy
    }

    /// Every die.
    pub fn any(place: Place) -> Self {
        Self {
            dice: None,
            place: Some(place),
        }
    }

    /// Allows these dice too.
    pub fn add(&mut self, dice: impl IntoIterator<Item = Die>) {
        dice.into_iter()
            .for_each(|die| self.add_named(&die, &die.to_string()));
    }

    /// Allows a die under this name.
    pub fn add_named(&mut self, die: &Die, name: &str) {
        let Some(all) = self
            .dice
            .as_mut()
            .filter(|all| !all.iter().any(|(known, _)| known.same_as(die)))
        else {
            return;
        };
        all.push((die.clone(), name.to_owned()));
        all.sort_by_key(|(die, _)| match die {
            Die::Sides(sides) => (0, *sides, die.to_string()),
            Die::Percent => (0, 100, String::new()),
            _ => (1, 0, die.to_string()),
        });
    }

    /// Whether this die may be rolled.
    pub fn allows(&self, die: &Die) -> bool {
        self.dice
            .as_ref()
            .is_none_or(|all| all.iter().any(|(known, _)| known.same_as(die)))
    }

    /// Whether every die may be rolled.
    pub fn is_any(&self) -> bool {
        self.dice.is_none()
    }

    /// In the words of a refusal: "d4, d6, d8, Ability"; "any die".
    pub fn list(&self) -> String {
        let Some(all) = &self.dice else {
            return "any die".to_owned();
        };
        all.iter()
            .map(|(_, name)| name.as_str())
            .collect::<Vec<_>>()
            .join(", ")
    }
}

impl Default for DicePolicy {
    /// d4 d6 d8 d10 d12 d20 d100 dF.
    fn default() -> Self {
        let mut policy = Self {
            dice: Some(Vec::new()),
            place: None,
        };
        policy.add(CLASSIC_SIDES.map(Die::Sides).into_iter().chain([Die::Fate]));
        policy
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_dice_are_added_once_and_in_order() {
        let mut policy = DicePolicy::default();
        policy.add([Die::Sides(7), Die::Percent, Die::Sides(3), Die::Sides(7)]);
        assert_eq!(policy.list(), "d3, d4, d6, d7, d8, d10, d12, d20, d100, dF");
        assert!(policy.allows(&Die::Percent) && !policy.allows(&Die::Sides(9)));
    }

    #[test]
    fn a_bullet_narrows_or_widens() {
        let only = DicePolicy::only([Die::Sides(20), Die::Sides(6)], Place::default());
        assert_eq!(only.list(), "d6, d20");
        assert!(!only.allows(&Die::Sides(4)));
        assert!(DicePolicy::any(Place::default()).allows(&Die::Sides(999)));
    }
}
