//! `get_character`: one sheet, or the list.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::reply;
use super::schema::Object;
use super::tool::{Call, Tool};
use crate::game::decide::{advancement, character};
use crate::game::mechanics::tracks::{sorted, summary};
use crate::game::mechanics::values::Values;
use crate::game::mechanics::{duration, lookup};
use crate::game::record::state::{Character, Condition, Item};
use crate::game::refusal::Refusal;
use crate::game::view::sheet;
use crate::session::live::View;
use crate::session::{Answer, CallError, Host, Purpose};

/// The tool.
pub struct GetCharacter;

/// Whose sheet, and how much of it.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Params {
    /// A name; else the only player character.
    character: Option<String>,
    /// full; brief: one line; sheet: Markdown to read out.
    view: Option<Detail>,
    /// Everybody, a line each.
    list: Option<bool>,
}

/// How much of the sheet.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Detail {
    #[default]
    Full,
    Brief,
    Sheet,
}

/// The sheet, or the list.
#[derive(Serialize, JsonSchema)]
pub struct Reply {
    /// {name, kind, level, xp, attributes {name: {score, modifier}}, skills, tracks, conditions, inventory, notes, gm_notes}
    #[schemars(with = "Object")]
    character: Option<Value>,
    // Markdown.
    sheet: Option<String>,
    // One line each.
    characters: Option<Vec<String>>,
    /// What the rules ask for and it still lacks.
    missing: Option<Vec<String>>,
}

impl Tool for GetCharacter {
    const NAME: &'static str = "get_character";
    const TITLE: &'static str = "Character sheet";
    const DESCRIPTION: &'static str = "Reads one character's sheet (scores with their modifiers, skills, tracks, conditions, what is still missing), or with list=true names everybody.";
    const HOT: bool = true;
    const READ_ONLY: bool = true;
    const DESTRUCTIVE: bool = false;
    const UNTOUCHED: &'static str = "";
    const ALIASES: &'static [(&'static str, &'static str)] = &[("name", "character")];
    type Params = Params;
    type Reply = Reply;

    async fn call(host: &Host, call: Call, params: Params) -> Result<Answer, CallError> {
        let campaign = host.campaign(call.campaign.as_deref(), Purpose::Read).await?;
        campaign.read(call.request, |view| look(view, &params)).await
    }
}

fn look(view: &View, params: &Params) -> Result<Map<String, Value>, Refusal> {
    let (state, system) = (view.state, &*view.setting.system);
    let mut common = Map::new();
    if params.list == Some(true) {
        let lines: Vec<String> = state.characters.values().map(|character| listed(view, character)).collect();
        let summary = match lines.len() {
            0 => lookup::no_character_yet(system).summary,
            1 => "1 character.".to_owned(),
            count => format!("{count} characters."),
        };
        common.insert("summary".to_owned(), Value::from(summary));
        common.insert("characters".to_owned(), Value::from(lines));
        return Ok(common);
    }
    let found = match &params.character {
        Some(name) => lookup::character(state, system, name)?,
        None => lookup::sole_player(state, system)?,
    };
    common.insert("summary".to_owned(), Value::from(brief(view, found)));
    let missing = character::missing(state, system, found);
    if !missing.is_empty() {
        common.insert("missing".to_owned(), Value::from(missing));
    }
    match params.view.unwrap_or_default() {
        Detail::Brief => {}
        // It is read out to players; action="export" writes down what the GM knows, too.
        Detail::Sheet => {
            drop(common.insert("sheet".to_owned(), Value::from(sheet::render(state, system, found, false))))
        }
        Detail::Full => drop(common.insert("character".to_owned(), full(view, found))),
    }
    Ok(reply::with(common, &()))
}

/// The same, and whether they left the story or lack something that the rules ask of players.
fn listed(view: &View, character: &Character) -> String {
    let missing = match character.is_in_party() {
        true => character::missing(view.state, &view.setting.system, character),
        false => Vec::new(),
    };
    let missing = if missing.is_empty() { String::new() } else { format!(" Missing: {}.", missing.join("; ")) };
    let retired = if character.retired { " Retired." } else { "" };
    format!("{}{retired}{missing}", brief(view, character))
}

/// "Aria, player, level 1: Hit points 9/12; dazed".
pub fn brief(view: &View, character: &Character) -> String {
    let tracks = summary(view.state, &view.setting.system, character.id);
    let conditions: Vec<String> = view.state.conditions_of(character.id).map(Condition::label).collect();
    let tracks = if tracks.is_empty() { "no tracks yet".to_owned() } else { tracks.join(", ") };
    let conditions = if conditions.is_empty() { String::new() } else { format!("; {}", conditions.join(", ")) };
    format!("{}, {}, level {}: {tracks}{conditions}.", character.name, character.kind.as_str(), character.level)
}

fn item(item: &Item) -> Value {
    json!({
        "name": item.name,
        "quantity": item.quantity,
        "equipped": item.equipped,
        "uses": item.uses,
        "notes": item.notes,
        "hidden": item.hidden,
    })
}

fn full(view: &View, character: &Character) -> Value {
    let system = &view.setting.system;
    let attributes = character.attributes.iter().map(|(name, score)| {
        let modifier = Values::of(view.state, system, character).modifier_of(name);
        (name.clone(), json!({"score": score, "modifier": modifier}))
    });
    let tracks = sorted(view.state, system, character.id)
        .into_iter()
        .map(|track| json!({"name": track.name, "value": track.value, "min": track.min, "max": track.max}));
    let conditions = view.state.conditions_of(character.id).map(duration::render_with_cause);
    json!({
        "name": character.name,
        "kind": character.kind.as_str(),
        "level": character.level,
        "xp": character.xp,
        "next_level": advancement::progress(system, character),
        "attributes": attributes.collect::<Map<String, Value>>(),
        "skills": character.skills,
        "tracks": tracks.collect::<Vec<Value>>(),
        "conditions": conditions.collect::<Vec<String>>(),
        "ticks": character.ticks,
        "milestones": character.milestones,
        "retired": character.retired,
        "inventory": view.state.items_of(character.id).map(item).collect::<Vec<Value>>(),
        "notes": character.notes,
        "gm_notes": character.gm_notes,
    })
}
