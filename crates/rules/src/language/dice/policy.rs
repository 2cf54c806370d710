//! Which dice may be rolled.

use rollbook_dice::Die;
use rollbook_text::diagnostic::Place;

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
    /// d4 d6 d8 d10 d12 d20 d100 dF.
    pub fn classic() -> Self {
        let mut policy = Self {
            dice: Some(Vec::new()),
            place: None,
        };
        policy.add(CLASSIC_SIDES.map(Die::Sides).into_iter().chain([Die::Fate]));
        policy
    }

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
    fn default() -> Self {
        Self::classic()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_dice_are_added_once_and_in_order() {
        let mut policy = DicePolicy::classic();
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
