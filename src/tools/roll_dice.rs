//! `roll_dice`: rolls an expression and logs every die.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::door::{Call, Tool};
use super::reply::{self, RollReply};
use crate::dice;
use crate::game::entry::Visibility;
use crate::game::roll::{self, RollCall};
use crate::game::values::dice_refusal;
use crate::session::{Answer, CallError, Host};

/// The tool.
pub struct RollDice;

/// What to roll, for what, and who may see it.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Params {
    /// Dice notation: "2d6+3", "4d6kh3", "d20 adv", "d%", "4dF".
    expression: String,
    /// What the roll is for: "Attack on the ogre".
    context: Option<String>,
    /// Whose roll it is. Left out: the GM's.
    character: Option<String>,
    /// Who sees it. Rolls of non-player characters are gm unless you say otherwise.
    visibility: Option<Visibility>,
    /// false means visibility gm.
    visible: Option<bool>,
}

/// The roll, die by die.
#[derive(Serialize, JsonSchema)]
pub struct Reply {
    #[serde(flatten)]
    roll: RollReply,
    /// As it was typed.
    input: String,
    /// Sum of the constants.
    modifiers: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
}

impl Tool for RollDice {
    const NAME: &'static str = "roll_dice";
    const TITLE: &'static str = "Roll dice";
    const DESCRIPTION: &'static str = "Rolls dice with the operating system's randomness and logs every die. Use it for damage, tables and \
        anything the rules do not resolve; use skill_check where they do. The reply's explanation is the arithmetic, die by die.";
    const HOT: bool = true;
    const READ_ONLY: bool = false;
    const DESTRUCTIVE: bool = false;
    const ALIASES: &'static [(&'static str, &'static str)] =
        &[("text", "expression"), ("notation", "expression"), ("formula", "expression"), ("dice", "expression")];
    type Params = Params;
    type Reply = Reply;

    async fn call(host: &Host, call: Call, params: Params) -> Result<Answer, CallError> {
        let expression = dice::read(&params.expression).map_err(|error| dice_refusal(&error))?;
        let description = params.context.clone();
        let roll = RollCall {
            expression,
            input: params.expression.clone(),
            context: params.context,
            character: params.character,
            visibility: reply::visibility(params.visibility, params.visible),
            any_die: false,
        };
        let campaign = host.campaign(call.campaign.as_deref()).await?;
        let answer = campaign.write(call.request, move |table| {
            roll::decide(table, roll)?;
            let common = reply::common(table);
            let Some(roll) = table.own().next().and_then(RollReply::of) else { return Ok(common) };
            let modifiers =
                table.own().flat_map(|written| &written.entry.rolls).map(|record| record.roll.modifiers()).sum();
            Ok(reply::with(common, &Reply { roll, input: params.expression, modifiers, description }))
        });
        answer.await
    }
}
