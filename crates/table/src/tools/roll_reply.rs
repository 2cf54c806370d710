//! A roll as every full reply shows it, with each of its dice.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::reply::fields;
use super::schema::Object;
use crate::session::ReplyDetail;
use rollbook_dice::{DieShown, TermShown};
use rollbook_game::record::entry::{Entry, RollRecord};
use rollbook_game::record::event::{CheckEvent, Event, RollEvent, RollSet};
use rollbook_game::record::instant::iso;
use rollbook_game::table::{Table, Written};

/// A roll as replies show it.
#[derive(Serialize, JsonSchema)]
pub struct RollReply {
    pub roll_id: String,
    // ISO-8601, UTC.
    timestamp: String,
    // As it was typed; of a check the rule's formula.
    input: String,
    // Canonical notation.
    pub expression: String,
    // In words: "Rolled 4d6, keeping highest 3".
    #[schemars(skip)]
    description: String,
    /// In order of the draws: die {count, sides, rolls, kept, subtotal} or constant {value}; beyond
    /// 100 dice without them.
    #[schemars(with = "Vec<Object>")]
    terms: Vec<TermShown>,
    // Every face in the order of the draws.
    individual_rolls: Vec<i64>,
    #[schemars(skip)]
    dice: Vec<DieShown>,
    total: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    successes: Option<i64>,
    #[schemars(skip)]
    explanation: String,
    // {source, nonce}
    #[schemars(with = "Object")]
    rng: Value,
    visibility: String,
    visible: bool,
    // request_id: the call's, else the roll's; operation, normalized_expression: the notation, that
    // with d20(adv) for 2d20kh1; context: what it is for; total_dice: looked at for successes.
    #[serde(flatten)]
    #[schemars(skip)]
    more: Map<String, Value>,
}

impl RollReply {
    /// The first roll of an entry.
    pub fn of(written: &Written) -> Option<RollReply> {
        RollReply::all(written).next()
    }

    pub fn all(written: &Written) -> impl Iterator<Item = RollReply> {
        (0..).zip(&written.entry.rolls).map(|(nth, record)| {
            let visible = written.players.whole;
            RollReply::record(&written.entry, record, nth, visible)
        })
    }

    /// The first roll of an entry for that purpose, behind the check's own.
    pub fn beside(written: &Written, purpose: &str) -> Option<RollReply> {
        let found = (0..)
            .zip(&written.entry.rolls)
            .skip(1)
            .find(|(_, record)| record.purpose == purpose)?;
        Some(RollReply::record(
            &written.entry,
            found.1,
            found.0,
            written.players.whole,
        ))
    }

    /// The roll `record`, numbered `nth` of `entry`; `visible`: players see its dice.
    pub fn record(entry: &Entry, record: &RollRecord, nth: usize, visible: bool) -> RollReply {
        let RollRecord { roll, .. } = record;
        let (dice, terms) = roll.shown();
        let (normalized_expression, description) = rollbook_dice::described(&roll.expression);
        let more = json!({
            "request_id": entry.request_id.as_ref().unwrap_or(&record.roll_id),
            "normalized_expression": normalized_expression,
            "operation": roll.expression,
            "context": context(entry, record),
            "total_dice": roll.total_dice,
        });
        RollReply {
            roll_id: record.roll_id.clone(),
            timestamp: iso(entry.at),
            input: input(entry, record, nth),
            expression: roll.expression.clone(),
            description,
            terms,
            individual_rolls: roll.faces(),
            dice,
            total: roll.total,
            successes: roll.successes,
            explanation: roll.explanation.clone(),
            rng: json!({"source": record.source, "nonce": record.nonce}),
            visibility: entry.shown_to().to_owned(),
            visible,
            more: fields(&more),
        }
    }

    /// The same without its dice one by one, where a reply has no room for them.
    pub fn without_dice(mut self) -> RollReply {
        self.dice.clear();
        self.terms.iter_mut().for_each(TermShown::leave_dice_out);
        self
    }
}

/// A roll that is a reply of its own, or a check's; with other programs' names for its fields.
#[derive(Serialize, JsonSchema)]
pub struct LoggedRoll {
    #[serde(flatten)]
    pub roll: RollReply,
    #[serde(rename = "individualRolls")]
    #[schemars(skip)]
    faces: Vec<i64>,
    // Sum of the constants.
    modifiers: i64,
    #[serde(rename = "logId")]
    #[schemars(skip)]
    log_id: String,
}

impl LoggedRoll {
    /// The first roll of an entry.
    pub fn of(written: &Written) -> Option<LoggedRoll> {
        let roll = RollReply::of(written)?;
        let faces = roll.individual_rolls.clone();
        // A random table has its own dice.
        let of_check = written.entry.rolls.iter().take(match written.entry.event {
            Event::TableRoll(_) => 0,
            _ => 1,
        });
        let modifiers = of_check.map(|record| record.roll.modifiers()).sum();
        Some(LoggedRoll {
            roll,
            faces,
            modifiers,
            log_id: log_id(written.seq),
        })
    }
}

/// An entry's number as text, which every parameter for an entry takes.
pub fn log_id(seq: u64) -> String {
    format!("#{seq}")
}

/// Rolls of a call that [`Rolls`] lists: the initiatives of a crowd stand in the log.
const ROLLS_MAX: usize = 40;

/// A call's rolls as `roll_dice` answers them, for tools that roll too. A brief reply has none.
#[derive(Default, Serialize)]
pub struct Rolls {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rolls: Vec<RollReply>,
    /// Those beyond; they stand in the log.
    #[serde(skip_serializing_if = "Option::is_none")]
    rolls_left_out: Option<usize>,
}

impl Rolls {
    pub fn of(table: &Table, detail: ReplyDetail) -> Rolls {
        if detail == ReplyDetail::Brief {
            return Rolls::default();
        }
        let all = table
            .call_entries()
            .map(|written| written.entry.rolls.len())
            .sum::<usize>();
        let rolls = table
            .call_entries()
            .flat_map(RollReply::all)
            .take(ROLLS_MAX)
            .collect();
        Rolls {
            rolls,
            rolls_left_out: all.checked_sub(ROLLS_MAX).filter(|left| *left > 0),
        }
    }
}

fn input(entry: &Entry, record: &RollRecord, nth: usize) -> String {
    if let Event::Roll(RollEvent { input, .. }) = &entry.event {
        return input.clone();
    }
    let mut typed = None;
    if let Event::RollSet(RollSet { inputs, .. }) = &entry.event {
        typed = nth
            .checked_rem(inputs.len())
            .and_then(|at| inputs.get(at))
            .cloned();
    } else if let Event::TableRoll(event) = &entry.event {
        typed = event
            .drawn
            .iter()
            .find(|drawn| drawn.roll == nth)
            .map(|drawn| drawn.table.clone());
    } else if let Event::Check(event) = &entry.event
        && nth == 0
    {
        typed = event.formulas.as_ref().map(ToString::to_string);
    }
    typed.unwrap_or_else(|| record.roll.expression.clone())
}

/// What a roll is for: in the caller's words where there are any.
fn context(entry: &Entry, record: &RollRecord) -> Option<String> {
    if let Event::Check(event) = &entry.event {
        return Some(event.context.clone().unwrap_or_else(|| what(event)));
    }
    let purpose = record.purpose.trim();
    entry
        .event
        .description()
        .context
        .or((!purpose.is_empty()).then_some(purpose))
        .map(str::to_owned)
}

fn what(event: &CheckEvent) -> String {
    event
        .skill
        .clone()
        .or_else(|| event.attribute.clone())
        .unwrap_or_else(|| event.check.clone())
}
