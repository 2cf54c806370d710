//! An attack of the rules.

use super::damage::Part;
use crate::diagnostic::Place;

/// An attack, as the rules have it for everybody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommonAttack {
    pub name: String,
    /// The skill or attribute that is rolled.
    pub skill: Option<String>,
    /// Added to it; without one, all that `{modifier}` adds.
    pub bonus: Option<i64>,
    /// What a hit deals, each type by itself; see [`super::damage::read`].
    pub damage: Vec<Part>,
    pub range: Option<String>,
    /// What else a hit brings: conditions of the rules, or words.
    pub effect: Option<String>,
    pub place: Place,
}

impl CommonAttack {
    /// "Melee +1, 1d8 (slashing), reach, prone"
    pub fn describe(&self) -> String {
        let roll = self.skill.clone().into_iter().chain(self.bonus.map(|bonus| format!("{bonus:+}")));
        let roll = roll.collect::<Vec<_>>().join(" ");
        let damage: Vec<String> = self.damage.iter().map(Part::describe).collect();
        let parts = [Some(roll), Some(damage.join("; ")), self.range.clone(), self.effect.clone()];
        parts.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
    }
}
