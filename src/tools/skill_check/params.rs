//! What `skill_check` takes.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::game::decide::check::{CheckCall, Follow, Opponent};
use crate::game::record::entry::Visibility;
use crate::game::refusal::Refusal;
use crate::rules::System;
use crate::tools::difficulty::{self, Difficulty};
use crate::tools::reply;

/// What is tried, by whom, against what.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Params {
    /// As System.md names it. Leave it out for a bare attribute check.
    pub skill: Option<String>,
    /// Who tries; else the only player character.
    pub character: Option<String>,
    /// A named check of the rules; the first when left out.
    pub check: Option<String>,
    /// What must be reached, or the rules' word for it; a foe's armour.
    pub difficulty: Option<Difficulty>,
    /// Another attribute than the skill's own, or the attribute alone.
    pub attribute: Option<String>,
    pub advantage: Option<bool>,
    pub disadvantage: Option<bool>,
    /// Situational bonus or penalty.
    pub modifier: Option<i64>,
    /// Whom it is tried against.
    pub target: Option<String>,
    /// Other variables the rule names, as text or numbers: {"bonus": "1", "pool": "d8,d6"}.
    #[serde(default)]
    pub values: BTreeMap<String, String>,
    /// Steps along the rules' dice chain.
    pub steps: Option<i64>,
    pub opposed_by: Option<OpposedBy>,
    /// Push or spend luck on a logged check: "#128"; "last" is the character's last.
    pub again: Option<String>,
    /// Whoever sees the dice reads it.
    pub context: Option<String>,
    /// As in roll_dice.
    pub visibility: Option<Visibility>,
    pub visible: Option<bool>,
}

/// Who rolls against it.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct OpposedBy {
    pub character: String,
    pub skill: Option<String>,
    pub attribute: Option<String>,
    pub check: Option<String>,
    pub modifier: Option<i64>,
}

impl From<OpposedBy> for Opponent {
    fn from(by: OpposedBy) -> Opponent {
        Opponent {
            character: by.character,
            skill: by.skill,
            attribute: by.attribute,
            check: by.check,
            modifier: by.modifier.unwrap_or(0),
        }
    }
}

impl Params {
    /// The call they describe; `again` is the roll it follows.
    pub fn check(mut self, again: Option<Follow>, system: &System) -> Result<CheckCall, Refusal> {
        difficulty::among(&mut self.values, system)?;
        Ok(CheckCall {
            skill: self.skill,
            character: self.character,
            check: self.check,
            difficulty: self.difficulty.map(|own| own.number(system)).transpose()?,
            attribute: self.attribute,
            advantage: self.advantage.unwrap_or(false),
            disadvantage: self.disadvantage.unwrap_or(false),
            modifier: self.modifier.unwrap_or(0),
            target: self.target,
            values: self.values,
            steps: self.steps.unwrap_or(0),
            opposed_by: self.opposed_by.map(Opponent::from),
            opposing: false,
            opposed: false,
            again,
            context: self.context,
            visibility: reply::visibility(self.visibility, self.visible)?,
        })
    }
}
