//! `manage_character`: makes and changes characters.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::door::{Call, Tool};
use super::reply;
use super::schema::Object;
use crate::game::character::{self, Sheet};
use crate::game::damage::{self, DamageCall};
use crate::game::event::{DamageEvent, Event, Field};
use crate::game::refusal::{Detail, Refusal};
use crate::game::rest;
use crate::game::sheet;
use crate::game::state::Kind;
use crate::game::table::Table;
use crate::names::{quoted, same};
use crate::session::{Answer, CallError, Host, Purpose};

/// The tool.
pub struct ManageCharacter;

/// What to do, with whom, and the fields of the sheet.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Params {
    action: Action,
    /// Whom to update, or who rests; nobody named: the players' side.
    character: Option<String>,
    /// The new one's name, or a new name.
    name: Option<String>,
    /// player (default), npc or companion; of a rest, its name in the rules: "Long rest".
    kind: Option<String>,
    /// Scores by name or abbreviation: {"STR": 12}.
    #[serde(default)]
    attributes: BTreeMap<String, i64>,
    /// Bonuses by skill: {"Stealth": 2}.
    #[serde(default)]
    skills: BTreeMap<String, i64>,
    /// Also of a condition that the rules count.
    level: Option<i64>,
    xp: Option<i64>,
    /// Values by track: {"Hit points": 9}.
    #[serde(default)]
    tracks: BTreeMap<String, i64>,
    /// Of add_condition and remove_condition.
    condition: Option<String>,
    /// A non-player character's hit points, value and maximum.
    hp: Option<i64>,
    /// For everybody.
    notes: Option<String>,
    /// For the GM only.
    gm_notes: Option<String>,
    /// Why a score may lie outside its range; logged.
    override_reason: Option<String>,
}

/// What to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    Create,
    Update,
    Rest,
    AddCondition,
    RemoveCondition,
}

/// The character as it is now.
#[derive(Serialize, JsonSchema)]
pub struct Reply {
    character: String,
    /// {field, before, after}
    #[schemars(with = "Vec<Object>")]
    changed: Vec<Field>,
    /// Rules that fired, in the author's words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    triggers: Vec<String>,
    /// What the rules ask for and it still lacks.
    missing: Vec<String>,
    /// Markdown.
    sheet: String,
}

impl Tool for ManageCharacter {
    const NAME: &'static str = "manage_character";
    const TITLE: &'static str = "Make or change a character";
    const DESCRIPTION: &'static str = "create makes a player character, companion or non-player character; update changes fields; rest carries out a rest or \
        the end of a scene. Scores are \
        checked against the ranges System.md declares; hit points and other tracks are worked out from its rules. The reply lists what the \
        rules still ask for.";
    const HOT: bool = false;
    const READ_ONLY: bool = false;
    const DESTRUCTIVE: bool = true;
    type Params = Params;
    type Reply = Reply;

    async fn call(host: &Host, call: Call, params: Params) -> Result<Answer, CallError> {
        let campaign = host.campaign(call.campaign.as_deref(), Purpose::Write).await?;
        campaign.write(call.request, move |table| manage(table, params)).await
    }
}

fn manage(table: &mut Table, params: Params) -> Result<Map<String, Value>, Refusal> {
    let (action, who) = (params.action, params.character.clone());
    let kind = match action {
        Action::Rest | Action::AddCondition | Action::RemoveCondition => None,
        Action::Create | Action::Update => params.kind.as_deref().map(kind).transpose()?,
    };
    let sheet = Sheet {
        name: params.name,
        kind,
        level: params.level,
        xp: params.xp,
        attributes: params.attributes,
        skills: params.skills,
        tracks: params.tracks,
        hp: params.hp,
        notes: params.notes,
        gm_notes: params.gm_notes,
        override_reason: params.override_reason,
    };
    match action {
        Action::AddCondition | Action::RemoveCondition => {
            let whom = who.or(sheet.name).unwrap_or_else(|| "player".to_owned());
            conditioned(table, action, whom, params.condition, sheet.level)?;
        }
        Action::Rest => rest::rest(table, who.as_deref().or(sheet.name.as_deref()), params.kind.as_deref())?,
        // A model that means the new one's name may send it as character.
        Action::Create => drop(character::create(table, Sheet { name: sheet.name.or(who), ..sheet })?),
        Action::Update => match who.or_else(|| sheet.name.clone()) {
            Some(who) => drop(character::update(table, &who, sheet)?),
            None => {
                let summary = "update needs to know whom. Send character=\"Aria\" with the fields that change.";
                return Err(Refusal::new("invalid_parameters", summary));
            }
        },
    }
    Ok(shaped(table))
}

/// A condition comes at its level, or goes; logged as [`damage`] logs those that come with a blow.
fn conditioned(
    table: &mut Table,
    action: Action,
    target: String,
    condition: Option<String>,
    level: Option<i64>,
) -> Result<(), Refusal> {
    let Some(condition) = condition else {
        return Err(Refusal::new("invalid_parameters", "Which condition? Send condition=\"Frightened\"."));
    };
    let named = vec![level.map_or_else(|| condition.clone(), |level| format!("{condition} {level}"))];
    let call = match action {
        Action::RemoveCondition => DamageCall { target, remove_conditions: vec![condition], ..DamageCall::default() },
        _ => DamageCall { target, apply_conditions: named, ..DamageCall::default() },
    };
    damage::decide(table, call, None).map(drop)
}

/// The conditions that came and went.
fn came_and_went(event: &DamageEvent) -> Vec<Field> {
    let field = |before, after| Field { field: "condition".to_owned(), before, after };
    let lost = event.lost.iter().map(|name| field(Some(name.clone()), None));
    lost.chain(event.gained.iter().map(|name| field(None, Some(name.clone())))).collect()
}

fn kind(text: &str) -> Result<Kind, Refusal> {
    let kinds = [Kind::Player, Kind::Npc, Kind::Companion];
    kinds.into_iter().find(|kind| same(kind.as_str(), text)).ok_or_else(|| {
        let issue = format!("no kind \"{}\"", quoted(text));
        let valid_range = kinds.map(Kind::as_str).join(", ");
        let summary = format!("kind: {issue}; it takes one of {valid_range}.");
        let detail = Detail { parameter: "kind".to_owned(), issue, valid_range };
        Refusal::new("invalid_parameters", summary).details(vec![detail])
    })
}

fn shaped(table: &Table) -> Map<String, Value> {
    let mut common = reply::common(table);
    let event = table.own().next().map(|written| &written.entry.event);
    let (subject, changed, triggers) = match event {
        Some(Event::CharacterCreated { subject }) => (subject, Vec::new(), Vec::new()),
        Some(
            Event::CharacterUpdated { subject, fields, triggers, .. } | Event::Rested { subject, fields, triggers, .. },
        ) => (subject, fields.clone(), triggers.clone()),
        Some(Event::Damage(event)) => (&event.subject, came_and_went(event), event.triggers.clone()),
        _ => return common,
    };
    let Some(row) = table.state.characters.get(&subject.id) else { return common };
    let missing = character::missing(table.state, table.system(), row);
    // A foe may do without: it is ordinary in everything its description does not say.
    if !missing.is_empty() && row.kind.is_open() {
        let next = format!(
            "Still missing: {}. Send manage_character action=\"update\" character=\"{}\".",
            missing.join("; "),
            row.name
        );
        common.insert("next".to_owned(), Value::from(next));
    }
    let sheet = sheet::sheet(table.state, table.system(), row, true);
    reply::with(common, &Reply { character: row.name.clone(), changed, triggers, missing, sheet })
}
