//! `odds`: exact chances, before anybody rolls: of an expression, or of a check for a character.

mod check;
mod expression;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::difficulty::{self, Difficulty};
use super::door::{Call, Tool};
use super::skill_check::OpposedBy;
use crate::dice::odds::Ratio;
use crate::game::refusal::{Detail, Refusal};
use crate::session::{Answer, CallError, Host, Purpose};

/// The tool.
pub struct Odds;

/// Of what, and which chance.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Params {
    /// As in roll_dice; without it a check's, with skill_check's fields.
    expression: Option<String>,
    /// The chance of this total or more.
    at_least: Option<i64>,
    at_most: Option<i64>,
    exactly: Option<i64>,
    check: Option<String>,
    skill: Option<String>,
    character: Option<String>,
    attribute: Option<String>,
    difficulty: Option<Difficulty>,
    modifier: Option<i64>,
    advantage: Option<bool>,
    disadvantage: Option<bool>,
    target: Option<String>,
    #[serde(default)]
    values: BTreeMap<String, String>,
    steps: Option<i64>,
    opposed_by: Option<OpposedBy>,
}

/// The totals of an expression, or the outcomes of a check.
#[derive(JsonSchema)]
pub struct Reply {
    #[schemars(flatten)]
    _expression: expression::Reply,
    #[schemars(flatten)]
    _check: check::Reply,
}

impl Tool for Odds {
    const NAME: &'static str = "odds";
    const TITLE: &'static str = "Exact odds";
    const DESCRIPTION: &'static str = "The exact chance of every total of a dice expression, or of every outcome of a check for a character. \
        Rolls nothing, logs nothing.";
    const HOT: bool = false;
    const READ_ONLY: bool = true;
    const DESTRUCTIVE: bool = false;
    const UNTOUCHED: &'static str = "";
    const ALIASES: &'static [(&'static str, &'static str)] = &[
        ("text", "expression"),
        ("notation", "expression"),
        ("formula", "expression"),
        ("dice", "expression"),
        ("name", "character"),
    ];
    type Params = Params;
    type Reply = Reply;

    async fn call(host: &Host, call: Call, params: Params) -> Result<Answer, CallError> {
        let work: Box<dyn FnOnce() -> Result<Map<String, Value>, Refusal> + Send> = match params.expression.clone() {
            Some(expression) => {
                params.only_expression()?;
                Box::new(move || expression::odds(&expression, &params))
            }
            None => {
                params.only_check()?;
                let campaign = host.campaign(call.campaign.as_deref(), Purpose::Read).await?;
                let (state, setting) = campaign.snapshot().await?;
                Box::new(move || check::odds(&state, &setting, &params.into_call(&setting.system)?))
            }
        };
        // Heavy expressions take most of a second; other calls go on meanwhile.
        let worked_out = tokio::task::spawn_blocking(work).await;
        let reply = worked_out.map_err(|error| CallError::Failure(format!("the odds stopped: {error}")))??;
        Ok(Answer { reply, replayed: false, since: Vec::new(), notes: Vec::new(), history_lost: None })
    }
}

impl Params {
    /// Refuses what belongs to a check beside an expression: it would change nothing.
    fn only_expression(&self) -> Result<(), Refusal> {
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

    /// Refuses what belongs to an expression beside a check, and a call that names neither.
    fn only_check(&self) -> Result<(), Refusal> {
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
    Err(Refusal::new("invalid_parameters", summary).details(vec![Detail { parameter, issue, valid_range }]))
}

/// The fraction where a person can read it.
fn fraction(ratio: &Ratio) -> Option<String> {
    ratio.short(FRACTION_MAX)
}

/// Characters of the exact share that is cut off; a longer one is told by its size.
const CUT_OFF_MAX: usize = 400;

/// Characters of a fraction that a person can read.
const FRACTION_MAX: usize = 40;
