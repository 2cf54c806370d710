//! A roll as every full reply shows it, with each of its dice.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::schema::Object;
use crate::dice::{DieView, Roll, Special};
use crate::game::record::entry::{Entry, RollRecord};
use crate::game::record::event::{CheckEvent, Event};
use crate::game::record::instant::iso;
use crate::game::table::{Table, Written};
use crate::session::ReplyDetail;

/// A roll as replies show it.
#[derive(Serialize, JsonSchema)]
pub struct RollReply {
    // UUID.
    pub roll_id: String,
    // The call's, where it has one; else the roll's own id.
    #[schemars(skip)]
    request_id: String,
    // ISO-8601, UTC.
    timestamp: String,
    // As it was typed; of a check the rule's formula.
    input: String,
    // Canonical notation.
    pub expression: String,
    // The same, by its names in other programs.
    #[schemars(skip)]
    normalized_expression: String,
    #[schemars(skip)]
    operation: String,
    // What it is for.
    description: String,
    /// In order of the draws: dice {count, sides, dice, kept, subtotal} or constant {value}; beyond 100 dice without them.
    #[schemars(with = "Vec<Object>")]
    terms: Value,
    // Every face in the order of the draws.
    individual_rolls: Vec<i64>,
    // Those that were looked at for successes; else all that were rolled.
    #[schemars(skip)]
    total_dice: i64,
    #[schemars(skip)]
    dice: Vec<DieReply>,
    total: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    successes: Option<i64>,
    // One line of arithmetic.
    explanation: String,
    /// {source, nonce}
    #[schemars(with = "Object")]
    rng: Rng,
    visibility: String,
    // Players see the dice.
    visible: bool,
}

/// Where the dice of a roll come from.
#[derive(Serialize)]
struct Rng {
    source: String,
    nonce: String,
}

/// One die.
#[derive(Serialize)]
struct DieReply {
    /// Its number among the roll's dice, from 1.
    die: usize,
    sides: u32,
    /// Every face in order, the last one being what it shows.
    rolls: Vec<i64>,
    value: i64,
    kept: bool,
    special: Vec<Special>,
}

impl RollReply {
    /// The first roll of an entry.
    pub fn of(written: &Written) -> Option<RollReply> {
        RollReply::all(written).next()
    }

    /// Every roll of an entry.
    pub fn all(written: &Written) -> impl Iterator<Item = RollReply> {
        (0..).zip(&written.entry.rolls).map(|(nth, record)| {
            let visible = written.players.whole;
            RollReply::record(&written.entry, record, nth, visible)
        })
    }

    /// The first roll of an entry for that purpose, behind the check's own.
    pub fn beside(written: &Written, purpose: &str) -> Option<RollReply> {
        let found = (0..).zip(&written.entry.rolls).skip(1).find(|(_, record)| record.purpose == purpose)?;
        Some(RollReply::record(&written.entry, found.1, found.0, written.players.whole))
    }

    /// The roll `record`, which is the one numbered `nth` of `entry`; `visible`: players see its dice.
    pub fn record(entry: &Entry, record: &RollRecord, nth: usize, visible: bool) -> RollReply {
        let RollRecord { roll, .. } = record;
        let views = roll.dice();
        RollReply {
            roll_id: record.roll_id.clone(),
            request_id: entry.request_id.clone().unwrap_or_else(|| record.roll_id.clone()),
            timestamp: iso(entry.at),
            input: input(entry, record, nth),
            expression: roll.expression.clone(),
            normalized_expression: roll.expression.clone(),
            operation: roll.expression.clone(),
            description: description(entry, record),
            terms: terms(roll, views.len()),
            individual_rolls: roll.faces(),
            total_dice: roll.total_dice.unwrap_or_else(|| i64::try_from(views.len()).unwrap_or(i64::MAX)),
            dice: (1..).zip(views.iter().take(DICE_MAX)).map(DieReply::of).collect(),
            total: roll.total,
            successes: roll.successes,
            explanation: roll.explanation.clone(),
            rng: Rng { source: record.source.clone(), nonce: record.nonce.clone() },
            visibility: entry.visibility.as_str().to_owned(),
            visible,
        }
    }

    /// The same without its dice one by one, where a reply has no room for them.
    pub fn without_dice(mut self) -> RollReply {
        self.dice.clear();
        without_dice(&mut self.terms);
        self
    }
}

/// Rolls of a call that [`Rolls`] lists: the initiatives of a crowd stand in the log.
const ROLLS_MAX: usize = 40;

/// The rolls of a call, in order, as `roll_dice` answers them; for tools that roll beside what they are for. A brief reply has none.
#[derive(Default, Serialize)]
pub struct Rolls {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rolls: Vec<RollReply>,
    /// Those beyond; they stand in the log.
    #[serde(skip_serializing_if = "Option::is_none")]
    rolls_left_out: Option<usize>,
}

impl Rolls {
    /// Those of the call's own entries.
    pub fn of(table: &Table, detail: ReplyDetail) -> Rolls {
        if detail == ReplyDetail::Brief {
            return Rolls::default();
        }
        let all = table.own_entries().map(|own| own.entry.rolls.len()).sum::<usize>();
        let rolls = table.own_entries().flat_map(RollReply::all).take(ROLLS_MAX).collect();
        Rolls { rolls, rolls_left_out: all.checked_sub(ROLLS_MAX).filter(|left| *left > 0) }
    }
}

impl DieReply {
    fn of((die, view): (usize, &DieView<'_>)) -> DieReply {
        DieReply {
            die,
            sides: view.sides,
            rolls: view.die.rolls.iter().map(|face| face.value).collect(),
            value: view.die.value,
            kept: view.kept,
            special: view.die.special.clone(),
        }
    }
}

/// What was typed for a roll.
fn input(entry: &Entry, record: &RollRecord, nth: usize) -> String {
    if let Event::Roll { input, .. } = &entry.event {
        return input.clone();
    }
    let mut typed = None;
    if let Event::RollSet { inputs, .. } = &entry.event {
        typed = nth.checked_rem(inputs.len()).and_then(|at| inputs.get(at)).cloned();
    } else if let Event::TableRoll(event) = &entry.event {
        typed = event.drawn.iter().find(|own| own.roll == nth).map(|own| own.table.clone());
    } else if let Event::Check(event) = &entry.event
        && nth == 0
    {
        typed = event.formulas.as_ref().map(ToString::to_string);
    }
    typed.unwrap_or_else(|| record.roll.expression.clone())
}

/// What a roll is for: in the caller's words where there are any.
fn description(entry: &Entry, record: &RollRecord) -> String {
    let purpose = record.purpose.trim();
    let other = if purpose.is_empty() { record.roll.expression.as_str() } else { purpose };
    if let Event::Check(event) = &entry.event {
        return event.context.clone().unwrap_or_else(|| what(event));
    }
    entry.event.context().unwrap_or(other).to_owned()
}

fn what(event: &CheckEvent) -> String {
    event.skill.clone().or_else(|| event.attribute.clone()).unwrap_or_else(|| event.check.clone())
}

/// Dice of a roll that `dice` lists; a roll without explosions has no more.
const DICE_MAX: usize = 1000;
/// Dice that `terms` shows one by one.
const TERMS_DICE_MAX: usize = 100;

fn terms(roll: &Roll, dice: usize) -> Value {
    let mut terms = serde_json::to_value(&roll.terms).unwrap_or_default();
    if dice > TERMS_DICE_MAX {
        without_dice(&mut terms);
    }
    terms
}

fn without_dice(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(without_dice),
        Value::Object(fields) => {
            fields.remove("dice");
            fields.remove("kept");
            fields.values_mut().for_each(without_dice);
        }
        _ => {}
    }
}
