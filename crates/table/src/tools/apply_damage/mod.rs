//! `apply_damage`: damage, healing and conditions on anybody.

mod params;
mod shared;

use schemars::JsonSchema;
use serde::Serialize;

use super::reply::common;
use super::roll_reply::Rolls;
use super::schema::Object;
use super::tool::{Alias, Call, Category, Tool};
use crate::session::live::View;
use crate::session::{Answer, CallError, Common, Host, Purpose, Refers, ReplyDetail};
use params::{Params, area_call, entry_number};
use rollbook_game::decide::area;
use rollbook_game::decide::damage::{self, DamageCall, DamageResult};
use rollbook_game::mechanics::several::is_side;
use rollbook_game::record::change::Change;
use rollbook_game::record::entry::Audience;
use rollbook_game::record::event::{DamageEvent, Step};
use rollbook_game::record::state::{Combatant, Condition, Track};
use rollbook_game::refusal::{Code, Refusal};
use rollbook_game::table::Table;
use rollbook_rules::System;

pub struct ApplyDamage;

/// One target, or several.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum HurtReply {
    One(Box<Reply>),
    Several(Several),
}

/// What it came to for several.
#[derive(Serialize, JsonSchema)]
pub struct Several {
    /// {who, saved, amount} of each, in order
    #[schemars(with = "Vec<Object>")]
    hits: Vec<Hit>,
    #[schemars(skip)]
    targets: Vec<Reply>,
    #[schemars(skip)]
    undo: Option<u64>,
    #[serde(flatten)]
    #[schemars(skip)]
    rolls: Rolls,
}

#[derive(Serialize)]
struct Hit {
    who: String,
    /// The outcome of the save.
    #[serde(skip_serializing_if = "Option::is_none")]
    saved: Option<String>,
    /// What came through.
    amount: i64,
}

/// What it came to.
#[derive(Default, Serialize, JsonSchema)]
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
    // All of them, afterwards; an old entry does not say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    conditions: Option<Vec<String>>,
    /// Dead, or the main track (hit points) at its end.
    incapacitated: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    preview: bool,
    // The entry to undo.
    #[serde(skip_serializing_if = "Option::is_none")]
    undo: Option<u64>,
    #[serde(flatten)]
    #[schemars(skip)]
    rolls: Rolls,
}

impl Reply {
    /// The reply to a hit in the log.
    pub fn of_entry(event: &DamageEvent, tracks: Vec<TrackReply>, incapacitated: bool) -> Reply {
        Reply {
            target: event.subject.name.clone(),
            amount: event.amount,
            steps: event.steps.clone(),
            tracks,
            triggers: event.triggers.clone(),
            incapacitated,
            ..Reply::default()
        }
    }
}

#[derive(Serialize)]
pub struct TrackReply {
    name: String,
    before: i64,
    after: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<i64>,
}

impl TrackReply {
    pub fn of(before: &Track, after: &Track) -> TrackReply {
        TrackReply {
            name: after.name.clone(),
            before: before.value,
            after: after.value,
            max: after.max,
        }
    }
}

impl Tool for ApplyDamage {
    const NAME: &'static str = "apply_damage";
    const TITLE: &'static str = "Apply damage or healing";
    const DESCRIPTION: &'static str = "Applies damage (positive amount) or healing (negative) and conditions to anybody, and fires what the rules \
        say happens at zero.";
    const CATEGORY: Category = Category::Combat;
    const HOT: bool = true;
    const ALIASES: &'static [Alias] = &[
        (&["damage"], "amount"),
        (
            &["hp"],
            "amount=3 for damage; manage_character action=\"update\" hp=3 sets hit points",
        ),
        (&["healing"], "heal"),
        (&["character", "combatant", "name"], "target"),
        (&["conditions", "condition"], "apply_conditions"),
        (&["context"], "reason"),
        (&["dry_run"], "preview"),
    ];
    const BRIEF: &'static [&'static str] = &["amount", "incapacitated", "preview", "hits"];
    type Params = Params;
    type Reply = HurtReply;

    async fn call(
        host: &Host,
        mut call: Call,
        params: Params,
    ) -> Result<Answer<HurtReply>, CallError> {
        let params = params.with_healing()?;
        call.request.refers = params
            .roll
            .as_ref()
            .map(entry_number)
            .transpose()?
            .map(Refers::Hit);
        if params.preview == Some(true) {
            let campaign = host
                .campaign(call.campaign.as_deref(), Purpose::Read)
                .await?;
            return campaign
                .read(call.request, |view| previewed(view, params.clone()))
                .await;
        }
        let campaign = host
            .campaign(call.campaign.as_deref(), Purpose::Write)
            .await?;
        campaign
            .write(call.request, move |table| apply(table, params, call.detail))
            .await
    }
}

fn apply(
    table: &mut Table,
    params: Params,
    detail: ReplyDetail,
) -> Result<Answer<HurtReply>, Refusal> {
    if let Some(clock) = shared::named(table.state, table.system(), &params)? {
        let reply = shared::apply(table, &clock, &params)?;
        return Ok(Answer::new(common(table), HurtReply::One(Box::new(reply))));
    }
    let call = area_call(table.state, table.system(), table.referred.as_ref(), params)?;
    let (first, is_one) = (call.targets.first().cloned(), call.targets.len() == 1);
    let mut all = match (first, is_one && call.dice.is_none() && call.save.is_none()) {
        (Some(target), true) if !is_side(table.state, &target) => {
            let result = damage::decide(table, DamageCall { target, ..call.hit }, call.visibility)?;
            return Ok(answer_one(table, result, detail));
        }
        _ => area::decide(table, &call)?,
    };
    if let [only] = all.as_mut_slice()
        && let Some(result) = only.damage.take()
    {
        return Ok(answer_one(table, result, detail));
    }
    let next = all
        .iter()
        .filter_map(|hurt| hurt.damage.as_ref())
        .find_map(|result| next(table, result));
    let mut hits = Vec::new();
    let mut targets = Vec::new();
    for hurt in all {
        let amount = hurt
            .damage
            .as_ref()
            .map_or(0, |result| result.event.came_through());
        let saved = hurt.saved.map(|outcome| outcome.as_str().replace(' ', "_"));
        hits.push(Hit {
            who: hurt.name,
            saved,
            amount,
        });
        targets.extend(hurt.damage.map(|result| struck(table, result)));
    }
    let common = common(table);
    let common = Common {
        next: next.or(common.next),
        ..common
    };
    Ok(Answer::new(
        common,
        HurtReply::Several(Several {
            hits,
            targets,
            undo: table.first_entry,
            rolls: Rolls::of(table, detail),
        }),
    ))
}

fn answer_one(table: &Table, result: DamageResult, detail: ReplyDetail) -> Answer<HurtReply> {
    let common = common(table);
    let common = Common {
        next: next(table, &result).or(common.next),
        ..common
    };
    let reply = Reply {
        undo: table.first_entry,
        rolls: Rolls::of(table, detail),
        ..struck(table, result)
    };
    Answer::new(common, HurtReply::One(Box::new(reply)))
}

pub fn struck(table: &Table, result: DamageResult) -> Reply {
    let conditions = table
        .state
        .conditions_of(result.event.subject.id)
        .map(Condition::label)
        .collect();
    reply_to(table.system(), result, conditions)
}

fn previewed(view: &View, params: Params) -> Result<Answer<HurtReply>, Refusal> {
    let system = &*view.setting.system;
    // It takes no preview, and the refusal says so.
    shared::named(view.state, system, &params)?;
    let area = area_call(view.state, system, view.referred.as_ref(), params)?;
    let [target] = area.targets.as_slice() else {
        return Err(not_previewed());
    };
    if area.dice.is_some() || area.save.is_some() || is_side(view.state, target) {
        return Err(not_previewed());
    }
    let call = DamageCall {
        target: target.clone(),
        ..area.hit
    };
    let result = damage::preview_with_roll(
        view.state,
        system,
        &call,
        view.referred.as_ref(),
        &view.later,
    )?;
    let moved = result
        .consequences
        .moved
        .iter()
        .filter(|(before, after)| before != after);
    let preview = result.event.with_figures(
        moved.map(|(before, after)| (Some(before), after)),
        Audience::Gm,
    );
    let summary = format!("It would be: {preview} Nothing was changed.");
    let common = Common {
        noted: result.notes.clone(),
        ..Common::of(summary)
    };
    let conditions = result.consequences.labels_after(view.state);
    let reply = Reply {
        preview: true,
        ..reply_to(system, result, conditions)
    };
    Ok(Answer::new(common, HurtReply::One(Box::new(reply))))
}

fn not_previewed() -> Refusal {
    let summary = "preview works out one hit without dice. Send one target and amount as a number, without save.";
    Refusal::new(Code::InvalidParameters, summary)
}

fn reply_to(system: &System, result: DamageResult, conditions: Vec<String>) -> Reply {
    Reply {
        target: result.event.subject.name,
        amount: result.event.amount,
        steps: result.event.steps,
        tracks: result
            .consequences
            .moved
            .iter()
            .map(|(before, after)| TrackReply::of(before, after))
            .collect(),
        triggers: result.event.triggers,
        conditions: Some(conditions),
        incapacitated: result.consequences.vitality.is_down(system),
        ..Reply::default()
    }
}

/// When a whole side is down, the fight may be over; only the GM can say so.
fn next(table: &Table, result: &DamageResult) -> Option<String> {
    let combat = table.state.running_combat()?;
    let mut changes = table
        .call_entries()
        .flat_map(|written| &written.entry.changes);
    let down = changes.any(|change| matches!(change, Change::Combatant(_)));
    if !down || !result.consequences.vitality.is_down(table.system()) {
        return None;
    }
    let is_target = |combatant: &&Combatant| combatant.character == result.event.subject.id;
    let side = &table.state.combatants_of(combat.id).find(is_target)?.side;
    let side_is_up = table
        .state
        .combatants_of(combat.id)
        .any(|combatant| combatant.side == *side && !combatant.defeated);
    (!side_is_up).then(|| {
        format!(
            "All {side} are down. If the fight is over: manage_combat action=\"end\" outcome=\"…\"."
        )
    })
}
