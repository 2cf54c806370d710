//! `roll_dice`: rolls an expression, or dice given as parameters, and logs every die.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::parameter::ShownTo;
use super::reply::{self, FACES};
use super::roll_reply::LoggedRoll;
use super::schema::Object;
use super::tool::{Alias, Call, Category, Tool};
use crate::session::{Answer, CallError, Host, Purpose};
use rollbook_dice::{Expression, Structured};
use rollbook_game::decide::random::{self, TableCall};
use rollbook_game::decide::roll::{self, RollCall};
use rollbook_game::mechanics::values::dice_refusal;
use rollbook_game::record::event::{Drawn, Event};
use rollbook_game::refusal::{Code, Detail, Refusal};
use rollbook_game::table::{Table, Written};
use rollbook_rules::NamedDice;
use rollbook_rules::random_table::{self, RandomTable};
use rollbook_rules::without_gm;

pub struct RollDice;

/// What to roll, for what, and who may see it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Params {
    #[serde(flatten)]
    dice: DiceParams,
    /// Instead of dice, a random table: "Rumours", "Night.md#Rumours".
    table: Option<String>,
    /// Faces people rolled by hand, in the dice's order.
    entered: Option<Vec<i64>>,
    /// What for: "Attack on the ogre".
    #[serde(default, deserialize_with = "one_line")]
    context: Option<String>,
    /// Whose roll; else the GM's.
    character: Option<String>,
    /// Who sees it: public, outcome_only, blind, gm, or one player's name; default gm for
    /// non-player characters.
    visibility: Option<ShownTo>,
    /// false means visibility gm.
    visible: Option<bool>,
}

/// An expression, or dice as parameters; never both.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct DiceParams {
    /// Notation or plain English: "2d6+3", "4d6kh3", "d20 adv", "6d6!", "8d10>=8". Or give
    /// dice_sides instead.
    expression: Option<String>,
    #[serde(flatten)]
    structured: Structured,
}

#[derive(Clone)]
pub struct ParsedDice {
    pub expression: Expression,
    /// As it was typed; of the structured form its notation.
    pub input: String,
    pub structured: bool,
}

/// The roll, die by die.
#[derive(Serialize, JsonSchema)]
pub struct Reply {
    #[serde(flatten)]
    roll: LoggedRoll,
    /// Of a table: {table, place, row, text, result, roll}
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<Object>")]
    rows: Vec<Drawn>,
}

/// What a roll is for, in one line: a line of its own could be read as another entry of the log.
pub(super) fn one_line<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    Ok(text.map(|text| match text.contains(['\n', '\t']) {
        true => text.split_whitespace().collect::<Vec<_>>().join(" "),
        false => text,
    }))
}

impl Tool for RollDice {
    const NAME: &'static str = "roll_dice";
    const TITLE: &'static str = "Roll dice";
    const DESCRIPTION: &'static str = "Rolls dice with the operating system's randomness and logs every die: damage, tables, anything the \
        rules do not resolve (where they do: skill_check).";
    const CATEGORY: Category = Category::Dice;
    const HOT: bool = true;
    const UNTOUCHED: &'static str = "Nothing was rolled.";
    const ALIASES: &'static [Alias] = &[
        (
            &["text", "notation", "formula", "dice", "roll"],
            "expression",
        ),
        (&["reason", "description"], "context"),
        (&["sides"], "dice_sides"),
        (&["count", "number"], "dice_count"),
        (&["times"], "expression=\"repeat($expression, $times)\""),
        (&["advantage"], "expression=\"$expression with advantage\""),
        (
            &["disadvantage"],
            "expression=\"$expression with disadvantage\"",
        ),
    ];
    const BRIEF: &'static [&'static str] = &["roll_id", "total", "successes"];
    type Params = Params;
    type Reply = Reply;

    fn faults(arguments: &Map<String, Value>) -> Vec<Detail> {
        faults(arguments)
    }

    /// Callers that send `formula` know the reply of the smallest dice server: two lines.
    fn summary(renamed: &[(String, String)], reply: &Map<String, Value>) -> Option<String> {
        renamed.iter().find(|(sent, _)| sent == "formula")?;
        // A player reads of rolls what players see of them.
        let of_player = || {
            reply
                .get("rolls")
                .and_then(Value::as_array)
                .and_then(|rolls| rolls.first()?.get("individual_rolls"))
        };
        let faces: Vec<String> = reply
            .get("individual_rolls")
            .or_else(of_player)?
            .as_array()?
            .iter()
            .map(Value::to_string)
            .collect();
        Some(format!(
            "Sum: {}{FACES}{}",
            reply.get("total")?,
            faces.join(" ")
        ))
    }

    async fn call(host: &Host, call: Call, params: Params) -> Result<Answer<Reply>, CallError> {
        if let Some(name) = params.table.clone() {
            params.dice.refuse_beside_table()?;
            let pages = host.adventure().pages();
            let is_player = call.request.caller.player().is_some();
            let tables = random_table::read(&if is_player { without_gm(&pages) } else { pages });
            let campaign = host
                .campaign(call.campaign.as_deref(), Purpose::Write)
                .await?;
            return campaign
                .write(call.request, move |table| {
                    roll_table(table, tables, name, params)
                })
                .await;
        }
        let campaign = host
            .campaign(call.campaign.as_deref(), Purpose::Write)
            .await?;
        campaign
            .write(call.request, move |table| roll(table, params))
            .await
    }
}

fn roll(table: &mut Table, params: Params) -> Result<Answer<Reply>, Refusal> {
    let read = params.dice.read(&table.system().named_dice)?;
    let (visibility, reader) =
        reply::shown(table.state, params.visibility.as_ref(), params.visible)?;
    let call = RollCall {
        any_die: read.structured && table.system().narrative,
        expression: read.expression,
        input: read.input,
        context: params.context,
        character: params.character,
        visibility,
        reader,
        entered: params.entered,
        deals: false,
    };
    roll::decide(table, call)?;
    let reply = table.call_entries().next().and_then(Reply::of);
    Ok(Answer::new(reply::common(table), reply))
}

fn roll_table(
    table: &mut Table,
    tables: Vec<RandomTable>,
    name: String,
    params: Params,
) -> Result<Answer<Reply>, Refusal> {
    let (visibility, reader) =
        reply::shown(table.state, params.visibility.as_ref(), params.visible)?;
    table.reader = reader;
    let Params {
        context,
        character,
        entered,
        ..
    } = params;
    random::decide(
        table,
        &TableCall {
            tables,
            name,
            context,
            character,
            visibility,
            entered,
        },
    )?;
    let reply = table.call_entries().next().and_then(Reply::of);
    Ok(Answer::new(reply::common(table), reply))
}

impl Reply {
    /// The reply to a roll that was written down, on a table or not.
    pub fn of(written: &Written) -> Option<Reply> {
        let rows = match &written.entry.event {
            Event::TableRoll(event) => event.drawn.clone(),
            _ => Vec::new(),
        };
        Some(Reply {
            roll: LoggedRoll::of(written)?,
            rows,
        })
    }
}

impl DiceParams {
    /// A table has its own dice.
    fn refuse_beside_table(&self) -> Result<(), Refusal> {
        match self.expression.is_some() || self.structured != Structured::default() {
            true => Err(one_form(
                "a table was sent beside them",
                "Leave the dice out: the table has its own; or leave table out.",
            )),
            false => Ok(()),
        }
    }

    /// Reads either form. Errors: what the dice say; every bad parameter; both forms, or neither.
    pub fn read(&self, names: &NamedDice) -> Result<ParsedDice, Refusal> {
        let structured = self.structured != Structured::default();
        match (&self.expression, structured) {
            (Some(text), false) => {
                let written = names.in_notation(text);
                let expression = rollbook_dice::read(written.as_ref().unwrap_or(text))
                    .map_err(|error| dice_refusal(&error))?;
                Ok(ParsedDice {
                    expression,
                    input: text.clone(),
                    structured: false,
                })
            }
            (None, true) => {
                let expression = self.structured.expression().map_err(bad_parameters)?;
                Ok(ParsedDice {
                    input: expression.to_string(),
                    expression,
                    structured: true,
                })
            }
            (Some(_), true) => Err(one_form(
                "both an expression and dice parameters were sent",
                "Leave expression out, or the dice parameters.",
            )),
            (None, false) => Err(one_form(
                "neither an expression nor dice_sides was sent",
                "Send expression=\"2d6 + 3\", or dice_count=2 dice_sides=6 modifier=3.",
            )),
        }
    }
}

fn one_form(issue: &str, instead: &str) -> Refusal {
    let summary = format!("A roll is an expression or dice parameters, and {issue}. {instead}");
    let valid_range = "an expression alone, or dice_sides with the other dice parameters";
    reply::invalid("expression", issue, valid_range, summary)
}

pub fn faults(arguments: &Map<String, Value>) -> Vec<Detail> {
    let structured: Structured = match serde_json::from_value(Value::Object(arguments.clone())) {
        Ok(structured) => structured,
        Err(_) => return Vec::new(),
    };
    match structured == Structured::default() {
        true => Vec::new(),
        false => structured
            .expression()
            .err()
            .unwrap_or_default()
            .into_iter()
            .map(detail)
            .collect(),
    }
}

fn detail(error: rollbook_dice::ParameterError) -> Detail {
    Detail {
        parameter: error.parameter,
        issue: error.issue,
        valid_range: error.valid_range,
    }
}

fn bad_parameters(errors: Vec<rollbook_dice::ParameterError>) -> Refusal {
    let list: Vec<String> = errors.iter().map(ToString::to_string).collect();
    let details = errors.into_iter().map(detail);
    let summary = format!(
        "{}. Example: dice_count=4 dice_sides=6 keep_highest=3.",
        list.join("; ")
    );
    Refusal::new(Code::InvalidParameters, summary).details(details.collect())
}
