//! What a call is about: the rule, the skill, the attribute.

use super::CheckCall;
use crate::game::lookup;
use crate::game::refusal::Refusal;
use crate::game::values::{Found, Values};
use crate::rules::{Attribute, Check, Skill, System};

/// What one side of a call is about.
pub struct Chosen<'s> {
    pub rule: &'s Check,
    pub skill: Option<&'s Skill>,
    pub attribute: Option<&'s Attribute>,
}

impl<'s> Chosen<'s> {
    /// The names of a call, found in the rules.
    pub fn of(system: &'s System, call: &CheckCall) -> Result<Self, Refusal> {
        let rule = rule(system, call.check.as_deref())?;
        let skill = call.skill.as_deref().map(|name| skill_named(system, name)).transpose()?;
        let linked = skill.and_then(|skill| skill.attribute.as_deref());
        let attribute = match call.attribute.as_deref().or(linked) {
            Some(name) => Some(system.attribute(name).map_err(|error| lookup::unknown(error, "attribute", ""))?),
            None => None,
        };
        Ok(Chosen { rule, skill, attribute })
    }

    /// What the chosen skill is worth.
    pub fn skill_value(&self, values: &Values<'_>) -> Option<Found> {
        values.skill(self.skill?).ok()
    }

    /// What the chosen attribute is worth.
    pub fn attribute_value(&self, values: &Values<'_>) -> Option<Found> {
        let attribute = self.attribute?;
        values.found(&attribute.name)
    }

    /// The chosen attribute's score, for rules that roll under it.
    pub fn score(&self, values: &Values<'_>) -> Option<Found> {
        let attribute = self.attribute?;
        values.found(&format!("{} score", attribute.name))
    }
}

fn rule<'s>(system: &'s System, name: Option<&str>) -> Result<&'s Check, Refusal> {
    if let Some(name) = name {
        return system.check(name).map_err(|error| lookup::unknown(error, "check", ""));
    }
    system.checks.first().ok_or_else(|| {
        let summary = "This adventure has no rules for checks, so none can be resolved. Nothing was rolled. Send roll_dice \
                       with an expression such as \"1d20+3\", or give the adventure a System.md.";
        Refusal::new("no_rules", summary)
    })
}

fn skill_named<'s>(system: &'s System, name: &str) -> Result<&'s Skill, Refusal> {
    let extra = match system.attributes.first() {
        Some(attribute) => format!(", or attribute=\"{}\" without a skill for an untrained check", attribute.short()),
        None => String::new(),
    };
    system.skill(name).map_err(|error| lookup::unknown(error, "skill", &extra))
}
