//! `odds`: exact chances, before anybody rolls: of an expression, or of a check for a character.

mod check;
mod expression;
mod params;

use schemars::JsonSchema;
use serde::Serialize;

use self::params::Params;
use super::tool::{Alias, Call, Category, Tool};
use crate::session::{Answer, CallError, Common, Host, Purpose};
use rollbook_game::refusal::Refusal;

pub struct Odds;

/// The totals of an expression, or the outcomes of a check.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Reply {
    Expression(expression::Reply),
    Check(check::Reply),
}

impl Tool for Odds {
    const NAME: &'static str = "odds";
    const TITLE: &'static str = "Exact odds";
    const DESCRIPTION: &'static str = "The exact chance of every total of a dice expression, or of every outcome of a check for a character, \
        with what an attack does to its target. Rolls nothing, logs nothing.";
    const CATEGORY: Category = Category::Dice;
    const SEARCH_HINT: &'static str =
        "probability, chance of success, likely outcome, dice statistics";
    const READ_ONLY: bool = true;
    const ALIASES: &'static [Alias] = &[
        (&["text", "notation", "formula", "dice"], "expression"),
        (&["name"], "character"),
    ];
    const BRIEF: &'static [&'static str] = &[
        "mean",
        "min",
        "max",
        "chances",
        "outcomes",
        "flags",
        "values",
        "won",
        "tie",
        "won_in_the_end",
        "decided_by",
        "again",
        "damage",
    ];
    type Params = Params;
    type Reply = Reply;

    async fn call(host: &Host, call: Call, params: Params) -> Result<Answer<Reply>, CallError> {
        let mut history_lost = None;
        let work: Box<dyn FnOnce() -> Result<Answer<Reply>, Refusal> + Send> =
            match params.expression.clone() {
                Some(expression) => {
                    params.only_expression()?;
                    // Dice that the campaign's rules give a name; without a campaign none have one.
                    let names = match host.campaign(call.campaign.as_deref(), Purpose::Read).await {
                        Ok(campaign) => campaign
                            .snapshot(&call.request.caller)
                            .await
                            .ok()
                            .map(|(_, setting, _)| setting),
                        Err(_) => None,
                    };
                    let names = names
                        .map(|setting| setting.system.named_dice.clone())
                        .unwrap_or_default();
                    Box::new(move || {
                        let odds = expression::odds(&expression, &names, &params)?;
                        Ok(Answer::new(
                            Common::of(expression::summary(&odds)),
                            Reply::Expression(odds),
                        ))
                    })
                }
                None => {
                    params.only_check()?;
                    let campaign = host
                        .campaign(call.campaign.as_deref(), Purpose::Read)
                        .await?;
                    let (state, setting, lost) = campaign.snapshot(&call.request.caller).await?;
                    history_lost = lost;
                    Box::new(move || {
                        let asked = params.into_asked(&state, &setting.system)?;
                        let found = asked.chances(&state, &setting)?;
                        let summary = check::summary(&found, asked.check());
                        let odds = Reply::Check(check::Reply::of(&found));
                        Ok(Answer::new(
                            Common {
                                noted: found.notes,
                                ..Common::of(summary)
                            },
                            odds,
                        ))
                    })
                }
            };
        // Heavy expressions take most of a second; other calls go on meanwhile.
        let worked_out = tokio::task::spawn_blocking(work).await;
        let answer = worked_out
            .map_err(|error| CallError::Failure(format!("the odds stopped: {error}")))??;
        Ok(answer.with_history_lost(history_lost))
    }
}
