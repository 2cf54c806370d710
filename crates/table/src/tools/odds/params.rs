//! What `odds` takes: an expression or a check, never both.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::tools::parameter::{NumberOrWord, replace_difficulty, to_reach};
use crate::tools::reply::invalid;
use crate::tools::skill_check::{self, OpposedBy};
use crate::tools::stated::{Beside, StatedParams};
use rollbook_game::decide::attack::AttackCall;
use rollbook_game::decide::check::CheckCall;
use rollbook_game::decide::odds::{Chances, chances, chances_again, chances_of_attack};
use rollbook_game::record::state::State;
use rollbook_game::refusal::{Code, Refusal};
use rollbook_game::table::Setting;
use rollbook_rules::System;

/// Of what, and which chance.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Params {
    /// As in roll_dice; without it a check's, with skill_check's fields.
    pub(super) expression: Option<String>,
    /// The chance of this total or more.
    pub(super) at_least: Option<i64>,
    pub(super) at_most: Option<i64>,
    pub(super) exactly: Option<i64>,
    pub(super) check: Option<String>,
    pub(super) skill: Option<String>,
    pub(super) character: Option<String>,
    pub(super) attribute: Option<String>,
    pub(super) difficulty: Option<NumberOrWord>,
    pub(super) modifier: Option<i64>,
    pub(super) advantage: Option<bool>,
    pub(super) disadvantage: Option<bool>,
    pub(super) target: Option<String>,
    #[serde(default)]
    pub(super) values: BTreeMap<String, String>,
    pub(super) steps: Option<i64>,
    pub(super) opposed_by: Option<OpposedBy>,
    #[serde(flatten)]
    pub(super) stated: StatedParams,
    /// Followed by this rule of the check wherever it pays: "Push".
    pub(super) again: Option<String>,
    /// With target: what an attack does to it.
    pub(super) attack: Option<String>,
    pub(super) damage: Option<String>,
    pub(super) damage_type: Option<String>,
}

impl Params {
    /// Refuses parameters of a check beside an expression: they would have no effect.
    pub(super) fn only_expression(&self) -> Result<(), Refusal> {
        let of_check = [
            ("check", self.check.is_some()),
            ("skill", self.skill.is_some()),
            ("character", self.character.is_some()),
            ("attribute", self.attribute.is_some()),
            ("difficulty", self.difficulty.is_some()),
            ("modifier", self.modifier.is_some()),
            ("advantage", self.advantage.is_some()),
            ("disadvantage", self.disadvantage.is_some()),
            ("target", self.target.is_some()),
            ("values", !self.values.is_empty()),
            ("steps", self.steps.is_some()),
            ("opposed_by", self.opposed_by.is_some()),
            ("roll", self.stated.roll.is_some()),
            ("or_less", self.stated.or_less.is_some()),
            ("rows", self.stated.rows.is_some()),
            ("again", self.again.is_some()),
            ("attack", self.attack.is_some()),
            ("damage", self.damage.is_some()),
            ("damage_type", self.damage_type.is_some()),
        ];
        refuse(
            &of_check,
            "belongs to a check, and expression is there too",
            "expression or a check, not both",
        )
    }

    /// Refuses parameters of an expression beside a check, and a call that names neither.
    pub(super) fn only_check(&self) -> Result<(), Refusal> {
        let of_totals = [
            ("at_least", self.at_least.is_some()),
            ("at_most", self.at_most.is_some()),
            ("exactly", self.exactly.is_some()),
        ];
        refuse(
            &of_totals,
            "is about the total of an expression, and there is none",
            "only with expression",
        )?;
        let named = [
            &self.check,
            &self.skill,
            &self.attribute,
            &self.character,
            &self.attack,
            &self.stated.roll,
        ];
        let named = named.into_iter().any(Option::is_some);
        refuse(
            &[("expression", !named)],
            "is missing, and so is a check",
            "\"2d6 + 1\"; or a check, skill or attribute",
        )
    }

    /// What is asked for. Errors: the damage cannot be read, or comes beside a rule to follow.
    pub(super) fn into_asked(mut self, state: &State, system: &System) -> Result<Asked, Refusal> {
        let (attack, again) = (self.attack.take(), self.again.take());
        let (damage, damage_type) = skill_check::damage(
            state,
            system,
            self.damage.take(),
            self.damage_type.take(),
            attack.is_some(),
        )?;
        let targets = self.target.clone();
        let check = self.into_call(system)?;
        match again {
            Some(_) if attack.is_some() || damage.is_some() => {
                let summary = "again follows the check alone, and the damage comes after it. Leave again out, or attack and damage.";
                Err(Refusal::new(Code::InvalidParameters, summary))
            }
            Some(rule) => Ok(Asked::Again(check, rule)),
            None if attack.is_none() && damage.is_none() => Ok(Asked::Check(check)),
            None => Ok(Asked::Attack(Box::new(AttackCall {
                check: CheckCall {
                    target: None,
                    ..check
                },
                targets: targets.into_iter().collect(),
                attack,
                damage,
                damage_type,
                ..AttackCall::default()
            }))),
        }
    }

    fn into_call(mut self, system: &System) -> Result<CheckCall, Refusal> {
        replace_difficulty(&mut self.values, system)?;
        let (difficulty, reach) = to_reach(self.difficulty, system)?;
        let beside = Beside {
            check: self.check.as_deref(),
            difficulty,
            reach: reach.as_deref(),
            values: &self.values,
            opposed: self.opposed_by.is_some(),
            again: false,
            override_reason: None,
        };
        let stated = self.stated.read(system, beside)?;
        Ok(CheckCall {
            skill: self.skill,
            character: self.character,
            check: self.check,
            difficulty,
            reach,
            attribute: self.attribute,
            advantage: self.advantage.unwrap_or(false),
            disadvantage: self.disadvantage.unwrap_or(false),
            modifier: self.modifier.unwrap_or(0),
            target: self.target,
            values: self.values,
            steps: self.steps.unwrap_or(0),
            opposed_by: self.opposed_by.map(|by| by.opponent(system)).transpose()?,
            stated,
            ..CheckCall::default()
        })
    }
}

pub(super) enum Asked {
    Check(CheckCall),
    /// Followed by a rule wherever that pays.
    Again(CheckCall, String),
    /// With what it does to a target.
    Attack(Box<AttackCall>),
}

impl Asked {
    pub(super) fn check(&self) -> &CheckCall {
        match self {
            Asked::Check(check) | Asked::Again(check, _) => check,
            Asked::Attack(attack) => &attack.check,
        }
    }

    pub(super) fn chances(&self, state: &State, setting: &Setting) -> Result<Chances, Refusal> {
        match self {
            Asked::Check(check) => chances(state, setting, check),
            Asked::Again(check, rule) => chances_again(state, setting, check, rule),
            Asked::Attack(attack) => chances_of_attack(state, setting, attack),
        }
    }
}

fn refuse(sent: &[(&str, bool)], issue: &str, valid_range: &str) -> Result<(), Refusal> {
    let Some((parameter, _)) = sent.iter().find(|(_, sent)| *sent) else {
        return Ok(());
    };
    let summary = format!(
        "{parameter} {issue}. Send expression=\"2d6 + 1\" for dice, or skill=\"…\" (check, attribute, difficulty) as in skill_check for \
         a check."
    );
    Err(invalid(parameter, issue, valid_range, summary))
}
