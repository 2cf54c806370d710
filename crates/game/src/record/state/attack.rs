//! Attacks: what a character hits with, and what a hit does.

use serde::{Deserialize, Serialize};

/// A named attack of a character, as it stands on its sheet.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attack {
    /// Unique for its owner, case and accents folded.
    pub name: String,
    /// The skill or attribute that is rolled, as System.md spells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skill: Option<String>,
    /// Added to the skill; without a skill, all that is added to the roll: `+5 to hit`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bonus: Option<i64>,
    /// What a hit deals, each type by itself; empty where a hit deals no damage.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub damage: Vec<AttackDamage>,
    /// "reach 5 ft.", "80/320 ft.".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<String>,
    /// Conditions of the rules that a hit brings by itself: "prone", "burning 2".
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<String>,
    /// What else a hit brings, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effect: Option<String>,
}

/// One part of an attack's damage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttackDamage {
    /// Dice, which may name numbers of the sheet: `1d6 + {STR}`.
    pub amount: String,
    /// "slashing".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damage_type: Option<String>,
}

impl Attack {
    /// "Melee +1, 1d6+3 (slashing), reach 5 ft., prone, DC 13 CON save or poisoned".
    pub fn render(&self) -> String {
        let damage = Some(self.render_damage()).filter(|text| !text.is_empty());
        let roll = Some(self.render_roll()).filter(|text| !text.is_empty());
        let conditions = (!self.conditions.is_empty()).then(|| self.conditions.join(", "));
        let parts = [roll, damage, self.range.clone(), conditions, self.effect.clone()];
        parts.into_iter().flatten().collect::<Vec<String>>().join(", ")
    }

    /// "Melee +1", "+5", "Melee".
    pub fn render_roll(&self) -> String {
        let bonus = self.bonus.map(|bonus| format!("{bonus:+}"));
        self.skill.clone().into_iter().chain(bonus).collect::<Vec<String>>().join(" ")
    }

    /// "1d6+3 (slashing); 1d4 (fire)".
    pub fn render_damage(&self) -> String {
        self.damage.iter().map(AttackDamage::render).collect::<Vec<String>>().join("; ")
    }
}

impl AttackDamage {
    /// "1d6+3 (slashing)".
    pub fn render(&self) -> String {
        let kind = self.damage_type.as_ref().map_or(String::new(), |kind| format!(" ({kind})"));
        format!("{}{kind}", self.amount)
    }
}
