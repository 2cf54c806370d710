//! What `odds` takes: an expression or a check, never both.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::game::refusal::{Code, Detail, Refusal};
use crate::tools::difficulty::Difficulty;
use crate::tools::skill_check::OpposedBy;

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
    pub(super) difficulty: Option<Difficulty>,
    pub(super) modifier: Option<i64>,
    pub(super) advantage: Option<bool>,
    pub(super) disadvantage: Option<bool>,
    pub(super) target: Option<String>,
    #[serde(default)]
    pub(super) values: BTreeMap<String, String>,
    pub(super) steps: Option<i64>,
    pub(super) opposed_by: Option<OpposedBy>,
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
        ];
        refuse(&of_check, "belongs to a check, and expression is there too", "expression or a check, not both")
    }

    /// Refuses parameters of an expression beside a check, and a call that names neither.
    pub(super) fn only_check(&self) -> Result<(), Refusal> {
        let of_totals = [
            ("at_least", self.at_least.is_some()),
            ("at_most", self.at_most.is_some()),
            ("exactly", self.exactly.is_some()),
        ];
        refuse(&of_totals, "is about the total of an expression, and there is none", "only with expression")?;
        let named =
            self.check.is_some() || self.skill.is_some() || self.attribute.is_some() || self.character.is_some();
        refuse(
            &[("expression", !named)],
            "is missing, and so is a check",
            "\"2d6 + 1\"; or a check, skill or attribute",
        )
    }
}

fn refuse(sent: &[(&str, bool)], issue: &str, valid_range: &str) -> Result<(), Refusal> {
    let Some((parameter, _)) = sent.iter().find(|(_, sent)| *sent) else { return Ok(()) };
    let (parameter, issue, valid_range) = ((*parameter).to_owned(), issue.to_owned(), valid_range.to_owned());
    let summary = format!(
        "{parameter} {issue}. Send expression=\"2d6 + 1\" for dice, or skill=\"…\" (check, attribute, difficulty) as in skill_check for \
         a check."
    );
    Err(Refusal::new(Code::InvalidParameters, summary).details(vec![Detail { parameter, issue, valid_range }]))
}
