//! `manage_combat`: a fight from initiative to its end.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::door::{Call, Tool};
use super::reply;
use super::schema::Object;
use crate::game::combat::{self, Newcomer, StartCall};
use crate::game::instant::iso;
use crate::game::refusal::Refusal;
use crate::game::state::{Combat, CombatStatus, Combatant, Condition, State};
use crate::game::table::Table;
use crate::game::visibility::{Audience, health};
use crate::rules::System;
use crate::session::{Answer, CallError, Host, Purpose};

/// The tool.
pub struct ManageCombat;

/// What to do, and who is in it.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Params {
    action: Action,
    /// For start. Known characters by name; newcomers with hp: {"name": "Goblin", "count": 2, "hp": 7}.
    #[serde(default)]
    combatants: Vec<CombatantParams>,
    /// For start: what the fight is called.
    title: Option<String>,
    /// For end: how it ended.
    outcome: Option<String>,
}

/// Who joins.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct CombatantParams {
    name: String,
    /// Several of a kind are numbered.
    count: Option<i64>,
    /// Hit points of each newcomer.
    hp: Option<i64>,
    /// Set instead of rolled.
    initiative: Option<i64>,
    /// players or foes unless you say otherwise.
    side: Option<String>,
    /// A newcomer's scores: {"DEX": 14}.
    #[serde(default)]
    attributes: BTreeMap<String, i64>,
}

/// What to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    Start,
    NextTurn,
    Status,
    End,
}

/// The fight as it stands.
#[derive(Serialize, JsonSchema)]
pub struct Reply {
    /// running, ended or none
    status: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    round: Option<u32>,
    /// Whose turn it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    current: Option<String>,
    /// {name, initiative, health, conditions, acted, side, defeated}
    #[schemars(with = "Vec<Object>")]
    order: Vec<Place>,
    /// ISO-8601: when its last turn began.
    #[serde(skip_serializing_if = "Option::is_none")]
    idle_since: Option<String>,
}

#[derive(Serialize)]
struct Place {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    initiative: Option<i64>,
    health: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    conditions: Vec<String>,
    /// Its turn began in this round.
    acted: bool,
    side: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    defeated: bool,
}

impl Tool for ManageCombat {
    const NAME: &'static str = "manage_combat";
    const TITLE: &'static str = "Run a fight";
    const DESCRIPTION: &'static str = "start names everybody in the fight and rolls initiative by the rules; next_turn ends the current turn and \
        begins the next; status shows the order; end closes it. Foes need hp, as the adventure gives it; several of a kind are numbered. The \
        defeated are passed over, never removed; healed in time, they act late in the same round. Nothing ends a fight but end.";
    const HOT: bool = true;
    const READ_ONLY: bool = false;
    const DESTRUCTIVE: bool = false;
    const UNTOUCHED: &'static str = "Nothing was rolled or changed.";
    const ALIASES: &'static [(&'static str, &'static str)] = &[("participants", "combatants")];
    type Params = Params;
    type Reply = Reply;

    async fn call(host: &Host, call: Call, params: Params) -> Result<Answer, CallError> {
        let reads = params.action == Action::Status;
        let purpose = if reads { Purpose::Read } else { Purpose::Write };
        let campaign = host.campaign(call.campaign.as_deref(), purpose).await?;
        if reads {
            return campaign.read(call.request.after, |view| Ok(status(view.state, &view.setting.system))).await;
        }
        campaign.write(call.request, move |table| manage(table, params)).await
    }
}

fn manage(table: &mut Table, params: Params) -> Result<Map<String, Value>, Refusal> {
    match params.action {
        Action::Start => {
            let combatants = params.combatants.into_iter().map(newcomer).collect();
            combat::start(table, StartCall { title: params.title, combatants })?
        }
        Action::NextTurn => combat::next_turn(table)?,
        Action::End => combat::end(table, params.outcome)?,
        Action::Status => 0,
    };
    let mut common = reply::common(table);
    let Some(combat) = table.state.combats.values().next_back() else { return Ok(common) };
    if let Some(next) = next(table.state, combat) {
        common.insert("next".to_owned(), Value::from(next));
    }
    Ok(reply::with(common, &shaped(table.state, table.system(), combat)))
}

fn newcomer(params: CombatantParams) -> Newcomer {
    Newcomer {
        name: params.name,
        count: params.count,
        hp: params.hp,
        initiative: params.initiative,
        side: params.side,
        attributes: params.attributes,
    }
}

/// The running fight, or the last one, or none; for the GM's eyes, with what players may hear beside it.
fn status(state: &State, system: &System) -> Map<String, Value> {
    let mut common = Map::new();
    let Some(combat) = state.running_combat().or_else(|| state.combats.values().next_back()) else {
        let none = Reply { status: "none".to_owned(), round: None, current: None, order: Vec::new(), idle_since: None };
        common.insert("summary".to_owned(), Value::from("No fight so far."));
        return reply::with(common, &none);
    };
    common.insert("summary".to_owned(), Value::from(told(state, system, combat, Audience::Gm)));
    common.insert("player_text".to_owned(), Value::from(told(state, system, combat, Audience::Player)));
    if let Some(next) = next(state, combat) {
        common.insert("next".to_owned(), Value::from(next));
    }
    reply::with(common, &shaped(state, system, combat))
}

/// "Round 2, Aria's turn. Aria 9/12, Goblin 1 2/7." with words for the foes' health where players listen.
fn told(state: &State, system: &System, combat: &Combat, audience: Audience) -> String {
    let order = combat::order(state, system, combat.id);
    let everybody: Vec<String> = order
        .iter()
        .map(|combatant| format!("{} {}", name(state, combatant), health_of(state, system, combatant, audience)))
        .collect();
    let head = match (combat.status, combat.current.and_then(|id| state.combatants.get(&id))) {
        (CombatStatus::Ended, _) => "The fight is over".to_owned(),
        (CombatStatus::Running, _) if nobody_is_up(state, combat) => {
            format!("Round {}, and everybody is down", combat.round)
        }
        (CombatStatus::Running, Some(current)) if current.defeated => {
            format!("Round {}, and {}, whose turn it was, is down", combat.round, name(state, current))
        }
        (CombatStatus::Running, Some(current)) => format!("Round {}, {}'s turn", combat.round, name(state, current)),
        (CombatStatus::Running, None) => "The fight goes on; nobody waits for a turn".to_owned(),
    };
    format!("{head}. {}.", everybody.join(", "))
}

fn shaped(state: &State, system: &System, combat: &Combat) -> Reply {
    let order = combat::order(state, system, combat.id).into_iter().map(|combatant| Place {
        name: name(state, combatant),
        initiative: combatant.initiative,
        health: health_of(state, system, combatant, Audience::Gm),
        conditions: state.conditions_of(combatant.character).map(Condition::label).collect(),
        acted: combatant.acted_round >= combat.round,
        side: combatant.side.clone(),
        defeated: combatant.defeated,
    });
    Reply {
        status: combat.status.as_str().to_owned(),
        round: Some(combat.round),
        current: combat.current.and_then(|id| state.combatants.get(&id)).map(|current| name(state, current)),
        order: order.collect(),
        idle_since: Some(iso(combat.moved_at)),
    }
}

/// The obvious next call: whoever is down does not act, and when all are, nobody does.
fn next(state: &State, combat: &Combat) -> Option<String> {
    if combat.status == CombatStatus::Ended {
        return None;
    }
    if nobody_is_up(state, combat) {
        return Some(
            "Everybody is down: heal somebody with apply_damage, or manage_combat action=\"end\" outcome=\"…\"."
                .to_owned(),
        );
    }
    let current = state.combatants.get(&combat.current?)?;
    let who = name(state, current);
    Some(match current.defeated {
        true => format!("{who} is down; manage_combat action=\"next_turn\" goes on with whoever is up."),
        false => format!("{who} acts; then manage_combat action=\"next_turn\"."),
    })
}

fn nobody_is_up(state: &State, combat: &Combat) -> bool {
    state.combatants_of(combat.id).all(|combatant| combatant.defeated)
}

fn name(state: &State, combatant: &Combatant) -> String {
    state.characters.get(&combatant.character).map_or_else(String::new, |character| character.name.clone())
}

fn health_of(state: &State, system: &System, combatant: &Combatant, audience: Audience) -> String {
    let Some(character) = state.characters.get(&combatant.character) else { return String::new() };
    health(state, system, character, audience)
}
