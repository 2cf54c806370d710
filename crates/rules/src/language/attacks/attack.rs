//! An attack of the rules.

use rollbook_text::diagnostic::Place;

/// An attack that every character may make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommonAttack {
    pub name: String,
    /// The skill or attribute that is rolled.
    pub skill: Option<String>,
    /// Added to the roll; without one, all that `{modifier}` adds.
    pub bonus: Option<i64>,
    /// The damage of a hit as it is printed; it may name numbers of a sheet.
    pub damage: String,
    /// The type of damage.
    pub kind: Option<String>,
    /// Conditions that a hit gives the target, in lower case, with their levels.
    pub conditions: Vec<String>,
    pub place: Place,
}

impl CommonAttack {
    /// "1d6 + 3 (slashing)"
    pub fn describe_damage(&self) -> String {
        let kind = self
            .kind
            .as_ref()
            .map_or(String::new(), |kind| format!(" ({kind})"));
        format!("{}{kind}", self.damage)
    }

    /// "Melee +1, 1d8 (slashing), prone"
    pub fn describe(&self) -> String {
        let roll = self
            .skill
            .clone()
            .into_iter()
            .chain(self.bonus.map(|bonus| format!("{bonus:+}")));
        let roll = roll.collect::<Vec<_>>().join(" ");
        let parts = [roll, self.describe_damage(), self.conditions.join(", ")];
        parts
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(", ")
    }
}
