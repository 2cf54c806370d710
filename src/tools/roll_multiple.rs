//! `roll_multiple`: several rolls in one call, all or none.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::reply::{common, visibility};
use super::roll_dice::{self, DiceParams};
use super::schema::Object;
use super::tool::{Call, Tool};
use crate::game::decide::roll::{self, RollSetCall};
use crate::game::record::entry::Visibility;
use crate::game::record::instant::iso;
use crate::game::refusal::{Code, Detail, Refusal};
use crate::game::table::Written;
use crate::session::{Answer, CallError, Host, Purpose};

/// Rolls shown one by one; `totals` has all.
const SHOWN_MAX: usize = 100;
/// Dice shown one by one, of all rolls together.
const DICE_SHOWN_MAX: usize = 1000;

/// The tool.
pub struct RollMultiple;

/// What to roll, and how often.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Params {
    /// 1 to 100 rolls: {"expression": "4d6kh3"} or dice parameters as in roll_dice.
    #[schemars(length(min = 1, max = 100), transform = super::schema::without_descriptions)]
    rolls: Vec<DiceParams>,
    /// Repeat them all this often; at most 1000 rolls.
    #[schemars(range(min = 1, max = 100))]
    count: Option<u32>,
    /// Whoever sees the rolls reads it.
    context: Option<String>,
    character: Option<String>,
    /// As in roll_dice.
    visibility: Option<Visibility>,
    visible: Option<bool>,
}

/// Every roll, in order.
#[derive(Serialize, JsonSchema)]
pub struct Reply {
    // ISO-8601, UTC.
    timestamp: String,
    /// {roll_id, expression, individual_rolls, total, explanation}; the first 100, or fewer when they have many dice
    #[schemars(with = "Vec<Object>")]
    rolls: Vec<RollSummary>,
    totals: Vec<i64>,
    // Their sum.
    total: i64,
    visibility: String,
    // Players see the dice.
    visible: bool,
}

#[derive(Serialize)]
struct RollSummary {
    roll_id: String,
    expression: String,
    individual_rolls: Vec<i64>,
    total: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    successes: Option<i64>,
    explanation: String,
}

impl Tool for RollMultiple {
    const NAME: &'static str = "roll_multiple";
    const TITLE: &'static str = "Roll several times";
    const DESCRIPTION: &'static str = "Makes several rolls in one call, optionally the whole set several times; all are logged or none. Ability scores are \
        rolls=[{\"expression\": \"4d6kh3\"}], count=6.";
    const HOT: bool = false;
    const READ_ONLY: bool = false;
    const DESTRUCTIVE: bool = false;
    const UNTOUCHED: &'static str = "Nothing was rolled.";
    const BRIEF: &'static [&'static str] = &["totals"];
    type Params = Params;
    type Reply = Reply;

    fn faults(arguments: &Map<String, Value>) -> Vec<Detail> {
        let rolls = arguments.get("rolls").and_then(Value::as_array).into_iter().flatten();
        let named = rolls.enumerate().flat_map(|(nth, roll)| {
            let faults = roll.as_object().map(roll_dice::faults).unwrap_or_default().into_iter();
            faults.map(move |detail| Detail { parameter: format!("rolls[{nth}].{}", detail.parameter), ..detail })
        });
        named.collect()
    }

    async fn call(host: &Host, call: Call, params: Params) -> Result<Answer<Reply>, CallError> {
        let (dice, structured) = read(&params.rolls)?;
        let campaign = host.campaign(call.campaign.as_deref(), Purpose::Write).await?;
        let answer = campaign.write(call.request, move |table| {
            let set = RollSetCall {
                any_die: structured && table.system().narrative,
                dice,
                count: params.count.unwrap_or(1),
                context: params.context,
                character: params.character,
                visibility: visibility(params.visibility, params.visible)?,
            };
            roll::decide_set(table, set)?;
            Ok(Answer::new(common(table), table.own_entries().next().map(shown)))
        });
        answer.await
    }
}

/// Reads every roll; all that is wrong with any of them is reported at once.
fn read(asked: &[DiceParams]) -> Result<(Vec<(crate::dice::Expression, String)>, bool), Refusal> {
    if asked.is_empty() {
        let summary = "rolls is empty. Send rolls=[{\"expression\": \"4d6kh3\"}].";
        return Err(Refusal::new(Code::InvalidParameters, summary));
    }
    let mut dice = Vec::with_capacity(asked.len());
    let mut structured = true;
    let mut refused: Vec<(usize, Refusal)> = Vec::new();
    for (nth, asked) in asked.iter().enumerate() {
        match asked.read() {
            Ok(read) => {
                structured &= read.structured;
                dice.push((read.expression, read.input));
            }
            Err(refusal) => refused.push((nth, refusal)),
        }
    }
    match refused.len() {
        0 => Ok((dice, structured)),
        _ => Err(combined(refused)),
    }
}

/// One refusal of several rolls: the code of the first, the texts of all.
fn combined(refused: Vec<(usize, Refusal)>) -> Refusal {
    let code = refused.first().map_or(Code::InvalidParameters, |(_, refusal)| refusal.code);
    let texts: Vec<String> =
        refused.iter().take(5).map(|(nth, refusal)| format!("rolls[{nth}]: {}", refusal.summary)).collect();
    let more = refused.len().saturating_sub(5);
    let more = if more > 0 { format!(" And {more} more.") } else { String::new() };
    let details = refused.into_iter().flat_map(|(nth, refusal)| {
        let named = move |detail: Detail| Detail { parameter: format!("rolls[{nth}].{}", detail.parameter), ..detail };
        refusal.details.into_iter().map(named)
    });
    Refusal::new(code, format!("{}{more}", texts.join(" "))).details(details.collect())
}

fn shown(written: &Written) -> Reply {
    let totals: Vec<i64> = written.entry.rolls.iter().map(|record| record.roll.total).collect();
    let mut dice = 0;
    let shown = written.entry.rolls.iter().take(SHOWN_MAX).take_while(|record| {
        dice += record.roll.dice().len();
        dice <= DICE_SHOWN_MAX
    });
    let rolls = shown.map(|record| RollSummary {
        roll_id: record.roll_id.clone(),
        expression: record.roll.expression.clone(),
        individual_rolls: record.roll.faces(),
        total: record.roll.total,
        successes: record.roll.successes,
        explanation: record.roll.explanation.clone(),
    });
    Reply {
        timestamp: iso(written.entry.at),
        rolls: rolls.collect(),
        total: totals.iter().sum(),
        totals,
        visibility: written.entry.visibility.as_str().to_owned(),
        visible: written.players.whole,
    }
}
