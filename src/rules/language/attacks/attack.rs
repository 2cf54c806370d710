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
    /// What else a hit brings: conditions of the rules, in lower case, with their levels.
    pub conditions: Vec<String>,
    pub place: Place,
}

impl CommonAttack {
    /// "Melee +1, 1d8 (slashing), prone"
    pub fn describe(&self) -> String {
        let roll = self.skill.clone().into_iter().chain(self.bonus.map(|bonus| format!("{bonus:+}")));
        let roll = roll.collect::<Vec<_>>().join(" ");
        let damage: Vec<String> = self.damage.iter().map(Part::describe).collect();
        let parts = [roll, damage.join("; "), self.conditions.join(", ")];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
    }
}
