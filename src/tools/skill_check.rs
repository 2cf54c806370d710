//! `skill_check`: resolves a check by the adventure's rules.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::door::{Call, Tool};
use super::reply::{self, RollReply};
use super::schema::Object;
use crate::game::check::{self, CheckCall, Follow, OPPOSED, OPPOSING, Opponent};
use crate::game::entry::Visibility;
use crate::game::event::{Again, CheckEvent, Event, Modifier, Opposed};
use crate::game::refusal::{Detail, Refusal};
use crate::game::table::Table;
use crate::rules::Outcome;
use crate::session::{Answer, CallError, Host, Purpose, Refers};

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
    /// Whom it is tried against.
    target: Option<String>,
    /// Other variables the rule names, as text or numbers: {"bonus": "1", "pool": "d8,d6"}.
    #[serde(default)]
    values: BTreeMap<String, String>,
    /// Steps along the rules' dice chain.
    steps: Option<i64>,
    opposed_by: Option<OpposedBy>,
    /// Push or spend luck on a logged check: "#128"; "last" is the character's last.
    again: Option<String>,
    /// What it is for; whoever sees the dice reads it.
    context: Option<String>,
    /// As in roll_dice.
    visibility: Option<Visibility>,
    visible: Option<bool>,
}

/// Who rolls against it.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct OpposedBy {
    character: String,
    skill: Option<String>,
    attribute: Option<String>,
    check: Option<String>,
    modifier: Option<i64>,
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

/// The outcome, and everything it came from. Fields that only some rules have are left out of the schema, which every client
/// reads at its start; a schema allows more fields than it lists.
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
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(skip)]
    said: BTreeMap<String, String>,
    /// As roll_dice answers it.
    #[schemars(with = "Object")]
    roll: RollReply,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    opposing: Option<RollReply>,
    #[serde(skip_serializing_if = "Option::is_none")]
    successes: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    beaten: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    difficulty: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<i64>,
    /// critical_success, success, partial_success, failure or critical_failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
    /// The author's word for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    /// Positive is good.
    #[serde(skip_serializing_if = "Option::is_none")]
    margin: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    rank: Option<u32>,
    /// What the author says happens.
    #[serde(skip_serializing_if = "Option::is_none")]
    row_text: Option<String>,
    /// What is true beside the outcome.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    flags: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    adjustments: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    against: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    opposed: Option<OpposedReply>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    again: Option<Again>,
}

#[derive(Serialize)]
struct OpposedReply {
    character: Option<String>,
    #[serde(flatten)]
    opposed: Opposed,
    roll: Option<RollReply>,
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

    async fn call(host: &Host, mut call: Call, params: Params) -> Result<Answer, CallError> {
        let again = params.again.as_deref().map(follow).transpose()?;
        call.request.refers = again.as_ref().map(|follow| match follow.entry {
            Some(entry) => Refers::Entry(entry),
            None => Refers::LastCheck(params.character.clone()),
        });
        call.request.later = true;
        let check = CheckCall {
            skill: params.skill,
            character: params.character,
            check: params.check,
            difficulty: params.difficulty,
            attribute: params.attribute,
            advantage: params.advantage.unwrap_or(false),
            disadvantage: params.disadvantage.unwrap_or(false),
            modifier: params.modifier.unwrap_or(0),
            target: params.target,
            values: params.values,
            steps: params.steps.unwrap_or(0),
            opposed_by: params.opposed_by.map(Opponent::from),
            opposing: false,
            opposed: false,
            again,
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
    let event = CheckEvent::clone(event);
    let rest = written.entry.rolls.iter().skip(1);
    let with = |purpose: &str| {
        let found = rest.clone().find(|record| record.purpose == purpose);
        found.map(|record| RollReply::record(written, record))
    };
    let (opposing, opposed_roll) = (with(OPPOSING), with(OPPOSED));
    let reply = Reply {
        check: event.check,
        character: event.subject.map(|subject| subject.name),
        skill: event.skill,
        attribute: event.attribute,
        modifier: event.modifiers.iter().map(|modifier| modifier.value).sum(),
        modifiers: event.modifiers.into_iter().chain(event.variables).collect(),
        said: event.said,
        roll,
        opposing,
        successes: event.successes,
        beaten: event.beaten,
        difficulty: event.difficulty,
        target: event.target,
        outcome: event.outcome.map(snake),
        label: event.label,
        margin: event.margin,
        rank: event.rank,
        row_text: event.row_text,
        flags: event.flags,
        adjustments: event.adjustments,
        against: event.against.map(|subject| subject.name),
        opposed: event.opposed.map(|opposed| OpposedReply {
            character: opposed.subject.as_ref().map(|subject| subject.name.clone()),
            opposed,
            roll: opposed_roll,
        }),
        again: event.again,
    };
    Ok(reply::with(common, &reply))
}

fn snake(outcome: Outcome) -> String {
    outcome.as_str().replace(' ', "_")
}

fn follow(text: &str) -> Result<Follow, Refusal> {
    Follow::parse(text).ok_or_else(|| {
        let summary = "again names no entry. Send the number a reply gave as log, or last: again=\"#128\", or \
                       again=\"#128 Luck\" where the rules have several.";
        let detail = Detail {
            parameter: "again".to_owned(),
            issue: format!("{text:?} is no entry"),
            valid_range: "\"#128\" or \"last\", and behind it the rule's name".to_owned(),
        };
        Refusal::new("invalid_parameters", summary).details(vec![detail])
    })
}
