//! `apply_damage`: damage, healing and conditions on anybody.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::bind::DICE;
use super::reply;
use super::schema::Object;
use super::tool::{Call, Tool};
use crate::game::decide::damage::{self, DamageCall, DamageResult, Measure};
use crate::game::mechanics::lookup;
use crate::game::record::change::Change;
use crate::game::record::entry::{Entry, Visibility};
use crate::game::record::event::{Part, Step};
use crate::game::record::state::{Condition, State, Track};
use crate::game::refusal::{Code, Detail, Refusal};
use crate::game::table::Table;
use crate::game::view::narrate;
use crate::names::{quoted, same};
use crate::rules::System;
use crate::session::live::View;
use crate::session::{Answer, CallError, Common, Host, Purpose, Refers};

/// The tool.
pub struct ApplyDamage;

/// Who is hurt or healed, by how much.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Params {
    /// A name; "player" means the only player character.
    target: String,
    /// Left out: the total of roll, at least 0.
    amount: Option<i64>,
    /// The log number of the damage roll; "last".
    roll: Option<EntryName>,
    /// slashing, cold, …
    damage_type: Option<String>,
    /// Instead of amount: several kinds in one blow.
    #[serde(default)]
    parts: Vec<Part>,
    /// Rules that take damage off, but not now.
    #[serde(default)]
    bypass: Vec<String>,
    /// Another track, boxes or slots than health; or the choice the rules leave.
    track: Option<String>,
    /// Half of it, rounded down.
    half: Option<bool>,
    #[serde(default)]
    apply_conditions: Vec<String>,
    #[serde(default)]
    remove_conditions: Vec<String>,
    /// true: also conditions of your own, which no rule knows.
    free: Option<bool>,
    /// Work it out and change nothing.
    preview: Option<bool>,
    /// Why; for those who may know the amount.
    reason: Option<String>,
    /// The name, when target is "npc".
    npc_name: Option<String>,
    /// Default public.
    visibility: Option<Visibility>,
}

/// An entry by its number, or the last one.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum EntryName {
    Number(u64),
    Word(String),
}

impl JsonSchema for EntryName {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "EntryName".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": ["integer", "string"], "minimum": 0})
    }
}

impl EntryName {
    /// None is the last one.
    fn number(&self) -> Result<Option<u64>, Refusal> {
        match self {
            EntryName::Number(number) => Ok(Some(*number)),
            EntryName::Word(word) if same(word, "last") => Ok(None),
            EntryName::Word(word) => {
                let issue = format!("\"{}\" is no entry", quoted(word));
                let valid_range = "the number that a reply gave as log, or \"last\"".to_owned();
                let summary = format!("roll: {issue}; it takes {valid_range}. Send roll=\"last\".");
                let detail = Detail { parameter: "roll".to_owned(), issue, valid_range };
                Err(Refusal::new(Code::InvalidParameters, summary).details(vec![detail]))
            }
        }
    }
}

/// What it came to.
#[derive(Serialize, JsonSchema)]
pub struct Reply {
    target: String,
    amount: i64,
    /// {step, before, after}
    #[schemars(with = "Vec<Object>")]
    steps: Vec<Step>,
    /// {name, before, after, max}
    #[schemars(with = "Vec<Object>")]
    tracks: Vec<TrackReply>,
    /// Rules that fired, in the author's words.
    triggers: Vec<String>,
    // All of them, afterwards.
    conditions: Vec<String>,
    /// Dead, or the main track (hit points) at its end.
    incapacitated: bool,
    // Nothing was changed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    preview: bool,
    // The entry to undo.
    #[serde(skip_serializing_if = "Option::is_none")]
    undo: Option<u64>,
}

/// A track that moved.
#[derive(Serialize)]
pub struct TrackReply {
    name: String,
    before: i64,
    after: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<i64>,
}

impl TrackReply {
    /// From here to there.
    pub fn of(before: &Track, after: &Track) -> TrackReply {
        TrackReply { name: after.name.clone(), before: before.value, after: after.value, max: after.max }
    }
}

impl Tool for ApplyDamage {
    const NAME: &'static str = "apply_damage";
    const TITLE: &'static str = "Apply damage or healing";
    const DESCRIPTION: &'static str = "Applies damage (positive amount) or healing (negative), and conditions, to any character or combatant, and \
        fires what the rules say happens at zero.";
    const HOT: bool = true;
    const READ_ONLY: bool = false;
    const DESTRUCTIVE: bool = false;
    const ALIASES: &'static [(&'static str, &'static str)] = &[
        ("damage", "amount"),
        ("hp", "amount=3 for damage; manage_character action=\"update\" hp=3 sets hit points"),
        ("healing", "amount=-5 (healing is a negative amount)"),
        ("heal", "amount=-5 (healing is a negative amount)"),
        ("character", "target"),
        ("combatant", "target"),
        ("name", "target"),
        ("conditions", "apply_conditions"),
        ("condition", "apply_conditions"),
        ("context", "reason"),
        ("dry_run", "preview"),
    ];
    const WORDS: &'static [(&'static str, &'static str, &'static str)] = &[(
        "amount",
        DICE,
        "roll_dice expression=\"{dice}\" first, then this call with roll=\"last\" in place of amount",
    )];
    const BRIEF: &'static [&'static str] = &["amount", "incapacitated", "preview"];
    type Params = Params;
    type Reply = Reply;

    async fn call(host: &Host, mut call: Call, params: Params) -> Result<Answer<Reply>, CallError> {
        call.request.refers = params.roll.as_ref().map(EntryName::number).transpose()?.map(Refers::Blow);
        if params.preview == Some(true) {
            let campaign = host.campaign(call.campaign.as_deref(), Purpose::Read).await?;
            return campaign.read(call.request, |view| previewed(view, params)).await;
        }
        let campaign = host.campaign(call.campaign.as_deref(), Purpose::Write).await?;
        campaign.write(call.request, move |table| apply(table, params)).await
    }
}

fn apply(table: &mut Table, params: Params) -> Result<Answer<Reply>, Refusal> {
    let visibility = params.visibility;
    let call = damage_call(table.state, table.referred.as_ref(), params)?;
    let result = damage::decide(table, call, visibility)?;
    let common = reply::common(table);
    let common = Common { next: next(table, &result).or(common.next), ..common };
    let conditions = table.state.conditions_of(result.event.subject.id).map(Condition::label).collect();
    let reply = reply_to(table.system(), result, conditions);
    Ok(Answer::new(common, Reply { undo: table.first_own(), ..reply }))
}

/// What an attack dealt, as it is answered here.
pub fn struck(table: &Table, result: DamageResult) -> Reply {
    let conditions = table.state.conditions_of(result.event.subject.id).map(Condition::label).collect();
    reply_to(table.system(), result, conditions)
}

fn previewed(view: &View, params: Params) -> Result<Answer<Reply>, Refusal> {
    let system = &*view.setting.system;
    let call = damage_call(view.state, view.referred.as_ref(), params)?;
    let result = damage::preview_with_roll(view.state, system, &call, view.referred.as_ref(), &view.later)?;
    let common = Common { noted: result.notes.clone(), ..Common::of(preview_summary(&result)) };
    let conditions = result.consequences.labels_after(view.state);
    Ok(Answer::new(common, Reply { preview: true, ..reply_to(system, result, conditions) }))
}

/// The call as the game takes it; `referred` is the entry that `roll` names.
fn damage_call(state: &State, referred: Option<&(u64, Entry)>, params: Params) -> Result<DamageCall, Refusal> {
    Ok(DamageCall {
        target: target(state, &params)?,
        amount: params.amount,
        damage_type: params.damage_type,
        parts: params.parts,
        bypass: params.bypass,
        track: params.track,
        below_zero: None,
        measure: if params.half == Some(true) { Measure::Half } else { Measure::Once },
        apply_conditions: params.apply_conditions,
        remove_conditions: params.remove_conditions,
        free: params.free.unwrap_or(false),
        reason: params.reason,
        // `roll="last"` gets its number here.
        roll: params.roll.and(referred.map(|(seq, _)| *seq)),
    })
}

fn target(state: &State, params: &Params) -> Result<String, Refusal> {
    // A campaign from before "npc" was reserved may have a character of that name.
    let named = || params.npc_name.is_none() && lookup::by_name(state, &params.target).is_some();
    if !same(&params.target, "npc") || named() {
        return Ok(params.target.clone());
    }
    params.npc_name.clone().ok_or_else(|| {
        let summary = "target=\"npc\" needs npc_name. Send target=\"Goblin 1\", the name itself.";
        Refusal::new(Code::InvalidParameters, summary)
    })
}

fn reply_to(system: &System, result: DamageResult, conditions: Vec<String>) -> Reply {
    Reply {
        target: result.event.subject.name,
        amount: result.event.amount,
        steps: result.event.steps,
        tracks: moved(&result.moved),
        triggers: result.event.triggers,
        conditions,
        incapacitated: result.consequences.vitality.is_down(system),
        preview: false,
        undo: None,
    }
}

fn moved(tracks: &[(Track, Track)]) -> Vec<TrackReply> {
    tracks.iter().map(|(before, after)| TrackReply::of(before, after)).collect()
}

fn preview_summary(result: &DamageResult) -> String {
    format!("It would be: {} Nothing was changed.", narrate::preview_damage(&result.event, &result.moved))
}

/// When a whole side is down, the fight may be over; only the GM can say so.
fn next(table: &Table, result: &DamageResult) -> Option<String> {
    let combat = table.state.running_combat()?;
    let down = table
        .own_entries()
        .flat_map(|written| &written.entry.changes)
        .any(|change| matches!(change, Change::Combatant(_)));
    if !down || !result.consequences.vitality.is_down(table.system()) {
        return None;
    }
    let side = table
        .state
        .combatants_of(combat.id)
        .find(|combatant| combatant.character == result.event.subject.id)?
        .side
        .clone();
    let side_is_up =
        table.state.combatants_of(combat.id).any(|combatant| combatant.side == side && !combatant.defeated);
    (!side_is_up)
        .then(|| format!("All {side} are down. If the fight is over: manage_combat action=\"end\" outcome=\"…\"."))
}
