//! What every reply has in common.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::schema::Object;
use crate::dice::Roll;
use crate::game::decide::advancement::offer;
use crate::game::record::entry::{RollRecord, Visibility};
use crate::game::record::instant::iso;
use crate::game::refusal::{Code, Refusal};
use crate::game::table::{Table, Written};
use crate::game::view::Audience;
use crate::game::view::narrate::{Told, told};
use crate::game::view::visibility::project;
use crate::session::Common;

/// The common fields of a call that wrote: sentences, numbers, the rule. The receipt is added when it is sealed.
pub fn common(table: &Table) -> Common {
    let own: Vec<&Written> = table.own_entries().collect();
    let gm: Vec<Told<'_>> = own.iter().map(|written| told_to_gm(written, table)).collect();
    let players: Vec<Told<'_>> = own.iter().map(|written| told_to_players(written)).collect();
    let (summary, players) = (told(&gm, Audience::Gm), told(&players, Audience::Player));
    let common =
        Common { player_text: (!players.is_empty()).then(|| joined(&players)), ..Common::of(joined(&summary)) };
    let (Some(first), Some(last)) = (own.first(), own.last()) else { return common };
    Common {
        log: Some(first.seq),
        entries: (last.seq != first.seq).then_some([first.seq, last.seq]),
        noted: table.notes().to_vec(),
        next: offer(table),
        rule: own.iter().find_map(|written| written.entry.rule.clone()),
        ..common
    }
}

fn told_to_gm<'w>(written: &'w Written, table: &Table) -> Told<'w> {
    let text = project(&written.entry, table.state, Audience::Gm).seen.map(|seen| seen.text);
    Told { entry: &written.entry, seq: written.seq, text, whole: true }
}

fn told_to_players(written: &Written) -> Told<'_> {
    let text = written.players.seen.as_ref().map(|seen| seen.text.clone());
    Told { entry: &written.entry, seq: written.seq, text, whole: written.players.whole }
}

/// Sentences of a long call that are shown: from its beginning, and from its end.
const SENTENCES_MAX: (usize, usize) = (16, 4);

/// The sentences of a call; of a long one (twenty goblins join the fight) the first and the last, which say how things stand now.
fn joined(sentences: &[String]) -> String {
    let (first, last) = SENTENCES_MAX;
    let Some(left_out) = sentences.len().checked_sub(first + last).filter(|count| *count > 0) else {
        return sentences.join(" ");
    };
    let begin: Vec<&str> = sentences.iter().take(first).map(String::as_str).collect();
    let end: Vec<&str> = sentences.iter().skip(first + left_out).map(String::as_str).collect();
    format!("{} … and {left_out} more … {}", begin.join(" "), end.join(" "))
}

/// A refusal as callers read it: that nothing was rolled stands beside it.
#[derive(Serialize)]
pub struct Refused<'r> {
    #[serde(flatten)]
    refusal: &'r Refusal,
    rolled: bool,
}

/// A refusal as a JSON object.
pub fn refused(refusal: &Refusal) -> Map<String, Value> {
    match serde_json::to_value(Refused { refusal, rolled: false }) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

/// A roll as replies show it.
#[derive(Serialize, JsonSchema)]
pub struct RollReply {
    // UUID.
    pub roll_id: String,
    // ISO-8601, UTC.
    pub timestamp: String,
    // Canonical notation.
    pub expression: String,
    /// In order of the draws: dice {count, sides, dice, kept, subtotal} or constant {value}; beyond 100 dice without them.
    #[schemars(with = "Vec<Object>")]
    pub terms: Value,
    // Every face in the order of the draws.
    pub individual_rolls: Vec<i64>,
    pub total: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub successes: Option<i64>,
    // One line of arithmetic.
    pub explanation: String,
    /// {source, nonce}
    #[schemars(with = "Object")]
    pub rng: Rng,
    pub visibility: String,
    // Players see the dice.
    pub visible: bool,
}

/// Where the dice of a roll come from.
#[derive(Serialize)]
pub struct Rng {
    source: String,
    nonce: String,
}

impl RollReply {
    /// The first roll of an entry.
    pub fn of(written: &Written) -> Option<RollReply> {
        written.entry.rolls.first().map(|record| RollReply::record(written, record))
    }

    /// One roll of an entry.
    pub fn record(written: &Written, record: &RollRecord) -> RollReply {
        RollReply {
            roll_id: record.roll_id.clone(),
            timestamp: iso(written.entry.at),
            expression: record.roll.expression.clone(),
            terms: terms(&record.roll),
            individual_rolls: record.roll.faces(),
            total: record.roll.total,
            successes: record.roll.successes,
            explanation: record.roll.explanation.clone(),
            rng: Rng { source: record.source.clone(), nonce: record.nonce.clone() },
            visibility: written.entry.visibility.as_str().to_owned(),
            visible: written.players.whole,
        }
    }
}

/// Dice shown one by one; a reply has room for no more, and the log has them all.
const DICE_SHOWN_MAX: usize = 100;

fn terms(roll: &Roll) -> Value {
    let mut terms = serde_json::to_value(&roll.terms).unwrap_or_default();
    if roll.dice().len() > DICE_SHOWN_MAX {
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

/// `visible: false` means for the GM alone, unless `visibility` says which part players see.
///
/// # Errors
/// When the two contradict each other: it may have been meant as a secret.
pub fn visibility(named: Option<Visibility>, visible: Option<bool>) -> Result<Option<Visibility>, Refusal> {
    match (named, visible) {
        (Some(named), Some(visible))
            if visible != (named == Visibility::Public) && (visible || named == Visibility::Public) =>
        {
            let summary = format!(
                "visible={visible} and visibility=\"{}\" contradict each other. Send visibility alone: \"public\", \"outcome_only\", \
                 \"blind\" or \"gm\".",
                named.as_str()
            );
            Err(Refusal::new(Code::InvalidParameters, summary))
        }
        (Some(named), _) => Ok(Some(named)),
        (None, Some(true)) => Ok(Some(Visibility::Public)),
        (None, Some(false)) => Ok(Some(Visibility::Gm)),
        (None, None) => Ok(None),
    }
}
