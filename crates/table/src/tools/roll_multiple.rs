//! `roll_multiple`: several rolls in one call, all or none.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::parameter::ShownTo;
use super::reply::{common, invalid, shown};
use super::roll_dice::{self, DiceParams, RollDice, one_line};
use super::roll_reply::RollReply;
use super::schema::Object;
use super::tool::{Alias, Call, Category, Tool};
use crate::session::{Answer, CallError, Host, Purpose};
use rollbook_game::decide::roll::{self, RollCall, SetRoll};
use rollbook_game::record::instant::iso;
use rollbook_game::refusal::{Detail, Refusal};
use rollbook_game::table::{Table, Written};

/// Rolls shown one by one; `totals` has all.
const SHOWN_MAX: usize = 100;
/// Dice shown one by one, of all rolls together.
const DICE_SHOWN_MAX: usize = 1000;

pub struct RollMultiple;

/// What to roll, and how often.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Params {
    /// 1 to 100 rolls: {"expression": "4d6kh3"} or dice parameters as in roll_dice; context,
    /// character, visibility of one in place of the call's.
    #[schemars(length(min = 1, max = 100), transform = super::schema::without_descriptions)]
    rolls: Vec<RollItem>,
    /// Repeat them all this often; at most 1000 rolls.
    #[schemars(range(min = 1, max = 100))]
    count: Option<u32>,
    /// Whoever sees the rolls reads it.
    #[serde(default, deserialize_with = "one_line")]
    context: Option<String>,
    character: Option<String>,
    /// As in roll_dice.
    visibility: Option<ShownTo>,
    visible: Option<bool>,
}

/// One of the rolls; what it leaves out is as the call says.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct RollItem {
    #[serde(flatten)]
    dice: DiceParams,
    #[serde(default, deserialize_with = "one_line")]
    context: Option<String>,
    character: Option<String>,
    visibility: Option<ShownTo>,
    visible: Option<bool>,
}

/// Every roll, in order.
#[derive(Serialize, JsonSchema)]
pub struct Reply {
    // ISO-8601, UTC.
    timestamp: String,
    /// As roll_dice answers each, with character; the first 100, without their dice when those are
    /// many
    #[schemars(with = "Vec<Object>")]
    rolls: Vec<OneReply>,
    totals: Vec<i64>,
    total: i64,
    // Absent where the rolls differ in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    visibility: Option<String>,
    visible: bool,
}

#[derive(Serialize)]
struct OneReply {
    #[serde(skip_serializing_if = "Option::is_none")]
    character: Option<String>,
    #[serde(flatten)]
    roll: RollReply,
}

impl Tool for RollMultiple {
    const NAME: &'static str = "roll_multiple";
    const TITLE: &'static str = "Roll several times";
    const DESCRIPTION: &'static str = "Makes several rolls in one call, optionally the whole set several times; all are logged or none. Ability scores are \
        rolls=[{\"expression\": \"4d6kh3\"}], count=6.";
    const CATEGORY: Category = Category::Dice;
    const SEARCH_HINT: &'static str =
        "several dice at once, repeated rolls, ability scores, initiative of a group";
    const UNTOUCHED: &'static str = "Nothing was rolled.";
    const ALIASES: &'static [Alias] = RollDice::ALIASES;
    const BRIEF: &'static [&'static str] = &["totals"];
    type Params = Params;
    type Reply = Reply;

    fn faults(arguments: &Map<String, Value>) -> Vec<Detail> {
        let rolls = arguments
            .get("rolls")
            .and_then(Value::as_array)
            .into_iter()
            .flatten();
        let named = rolls.enumerate().flat_map(|(nth, roll)| {
            let faults = roll
                .as_object()
                .map(roll_dice::faults)
                .unwrap_or_default()
                .into_iter();
            faults.map(move |detail| Detail {
                parameter: format!("rolls[{nth}].{}", detail.parameter),
                ..detail
            })
        });
        named.collect()
    }

    async fn call(host: &Host, call: Call, params: Params) -> Result<Answer<Reply>, CallError> {
        if params.rolls.is_empty() {
            let (issue, valid_range) = ("rolls is empty", "1 to 100 rolls");
            let summary = format!(
                "{issue}, and it takes {valid_range}. Send rolls=[{{\"expression\": \"4d6kh3\"}}]."
            );
            return Err(invalid("rolls", issue, valid_range, summary).into());
        }
        let campaign = host
            .campaign(call.campaign.as_deref(), Purpose::Write)
            .await?;
        campaign
            .write(call.request, move |table| roll_set(table, params))
            .await
    }
}

fn roll_set(table: &mut Table, params: Params) -> Result<Answer<Reply>, Refusal> {
    let state = &*table.state;
    let all = shown(state, params.visibility.as_ref(), params.visible)?;
    let (narrative, dice) = (table.system().narrative, table.system().named_dice.clone());
    let item = |roll_item: &RollItem| {
        let read = roll_item.dice.read(&dice)?;
        let (visibility, reader) =
            match shown(state, roll_item.visibility.as_ref(), roll_item.visible)? {
                (None, _) => all.clone(),
                named => named,
            };
        Ok(RollCall {
            any_die: read.structured && narrative,
            expression: read.expression,
            input: read.input,
            context: roll_item.context.clone().or_else(|| params.context.clone()),
            character: roll_item
                .character
                .clone()
                .or_else(|| params.character.clone()),
            visibility,
            reader,
            entered: None,
            deals: false,
        })
    };
    let items = params.rolls.iter().map(item).collect();
    let rolls = roll::decide_set(table, items, params.count.unwrap_or(1))?;
    let entries: Vec<&Written> = table.call_entries().collect();
    Ok(Answer::new(common(table), Reply::of(&entries, &rolls)))
}

impl Reply {
    pub fn of_entry(written: &Written) -> Option<Reply> {
        let rolls = (0..written.entry.rolls.len()).map(|nth| (written.seq, nth));
        Reply::of(&[written], &rolls.collect::<Vec<_>>())
    }

    /// The reply to a set of rolls, written down as these entries; `None` where there are none.
    pub fn of(entries: &[&Written], rolls: &[SetRoll]) -> Option<Reply> {
        let first = entries.first()?;
        let mut totals = Vec::with_capacity(rolls.len());
        let mut shown: Vec<OneReply> = Vec::new();
        let mut dice = 0;
        for (seq, nth) in rolls {
            let Some(written) = entries.iter().find(|entry| entry.seq == *seq) else {
                continue;
            };
            let Some(record) = written.entry.rolls.get(*nth) else {
                continue;
            };
            totals.push(record.roll.total);
            if shown.len() < SHOWN_MAX {
                dice += record.roll.dice().len();
                let roll = RollReply::record(&written.entry, record, *nth, written.players.whole);
                let roll = if dice > DICE_SHOWN_MAX {
                    roll.without_dice()
                } else {
                    roll
                };
                let actor = &written.entry.actor;
                shown.push(OneReply {
                    character: (actor != "gm").then(|| actor.clone()),
                    roll,
                });
            }
        }
        let same = entries
            .iter()
            .all(|entry| entry.entry.shown_to() == first.entry.shown_to());
        Some(Reply {
            timestamp: iso(first.entry.at),
            rolls: shown,
            total: totals.iter().sum(),
            totals,
            visibility: same.then(|| first.entry.shown_to().to_owned()),
            visible: entries.iter().all(|entry| entry.players.whole),
        })
    }
}
