//! `skill_check`: resolves a check by the adventure's rules.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::door::{Call, Tool};
use super::reply::{self, RollReply};
use super::schema::Object;
use crate::game::check::{self, CheckCall};
use crate::game::entry::Visibility;
use crate::game::event::{Event, Modifier};
use crate::game::refusal::Refusal;
use crate::game::table::Table;
use crate::session::{Answer, CallError, Host, Purpose};

/// The tool.
pub struct SkillCheck;

/// What is tried, by whom, against what.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Params {
    /// As System.md names it. Leave it out for a bare attribute check.
    skill: Option<String>,
    /// Who tries. May be left out with a single player character.
    character: Option<String>,
    /// A named check of the rules; the first when left out.
    check: Option<String>,
    /// What must be reached; a foe's armour for an attack.
    difficulty: Option<i64>,
    /// Another attribute than the skill's own, or the attribute alone.
    attribute: Option<String>,
    advantage: Option<bool>,
    disadvantage: Option<bool>,
    /// Situational bonus or penalty.
    modifier: Option<i64>,
    /// Other variables the rule names: {"bonus": 1}.
    #[serde(default)]
    values: BTreeMap<String, i64>,
    /// What it is for, in words.
    context: Option<String>,
    /// Who sees it. Checks of non-player characters are gm unless you say otherwise.
    visibility: Option<Visibility>,
    /// false means visibility gm.
    visible: Option<bool>,
}

/// The outcome, and everything it came from.
#[derive(Serialize, JsonSchema)]
pub struct Reply {
    check: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    character: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    skill: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attribute: Option<String>,
    /// Their sum.
    modifier: i64,
    /// {name, value, from}
    #[schemars(with = "Vec<Object>")]
    modifiers: Vec<Modifier>,
    /// As roll_dice answers it.
    #[schemars(with = "Object")]
    roll: RollReply,
    #[serde(skip_serializing_if = "Option::is_none")]
    difficulty: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<i64>,
    /// Critical success, success, partial success, failure or critical failure, in snake case.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
    /// The author's word for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    /// Positive is good.
    #[serde(skip_serializing_if = "Option::is_none")]
    margin: Option<i64>,
    /// What the author says happens.
    #[serde(skip_serializing_if = "Option::is_none")]
    row_text: Option<String>,
}

impl Tool for SkillCheck {
    const NAME: &'static str = "skill_check";
    const TITLE: &'static str = "Skill check";
    const DESCRIPTION: &'static str = "Resolves a check, save or attack by the adventure's System.md: finds the skill's attribute, adds every \
        modifier, rolls, reads the outcome and cites the rule's line. Name the skill (or the attribute) and the difficulty where the rules \
        want one.";
    const HOT: bool = true;
    const READ_ONLY: bool = false;
    const DESTRUCTIVE: bool = false;
    const UNTOUCHED: &'static str = "Nothing was rolled.";
    const ALIASES: &'static [(&'static str, &'static str)] = &[("dc", "difficulty"), ("skill_name", "skill")];
    type Params = Params;
    type Reply = Reply;

    async fn call(host: &Host, call: Call, params: Params) -> Result<Answer, CallError> {
        let check = CheckCall {
            skill: params.skill,
            character: params.character,
            check: params.check,
            difficulty: params.difficulty,
            attribute: params.attribute,
            advantage: params.advantage.unwrap_or(false),
            disadvantage: params.disadvantage.unwrap_or(false),
            modifier: params.modifier.unwrap_or(0),
            values: params.values,
            context: params.context,
            visibility: reply::visibility(params.visibility, params.visible)?,
        };
        let campaign = host.campaign(call.campaign.as_deref(), Purpose::Write).await?;
        campaign.write(call.request, move |table| resolve(table, check)).await
    }
}

fn resolve(table: &mut Table, call: CheckCall) -> Result<serde_json::Map<String, serde_json::Value>, Refusal> {
    check::decide(table, call)?;
    let common = reply::common(table);
    let Some(written) = table.own().next() else { return Ok(common) };
    let (Event::Check(event), Some(roll)) = (&written.entry.event, RollReply::of(written)) else { return Ok(common) };
    let event = event.clone();
    let reply = Reply {
        check: event.check,
        character: event.subject.map(|subject| subject.name),
        skill: event.skill,
        attribute: event.attribute,
        modifier: event.modifiers.iter().map(|modifier| modifier.value).sum(),
        modifiers: event.modifiers,
        roll,
        difficulty: event.difficulty,
        target: event.target,
        outcome: event.outcome.map(|outcome| outcome.as_str().replace(' ', "_")),
        label: event.label,
        margin: event.margin,
        row_text: event.row_text,
    };
    Ok(reply::with(common, &reply))
}
