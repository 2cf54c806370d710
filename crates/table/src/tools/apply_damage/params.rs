//! What `apply_damage` takes.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::tools::parameter::{NumberOrWord, Whom, to_reach};
use crate::tools::reply::{invalid, of_earlier_log};
use rollbook_dice::Expression;
use rollbook_game::decide::area::{AreaCall, Save};
use rollbook_game::decide::check::CheckCall;
use rollbook_game::decide::damage::{DamageCall, Measure, read_typed};
use rollbook_game::mechanics::{lookup, values::dice_refusal};
use rollbook_game::record::entry::{Entry, Visibility};
use rollbook_game::record::event::Part;
use rollbook_game::record::state::State;
use rollbook_game::refusal::{Code, Refusal};
use rollbook_rules::System;
use rollbook_text::names::{quoted, same};

/// Who is hurt or healed, by how much.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Params {
    /// A name, several, a side, or "company" with track; "player": the only player character.
    pub(super) target: Whom,
    /// 7, or dice: "8d6", "1d8 cold plus 1d6 fire". Left out: the total of roll.
    pub(super) amount: Option<NumberOrWord>,
    /// Healing.
    pub(super) heal: Option<NumberOrWord>,
    /// Dice fall for each target.
    pub(super) each: Option<bool>,
    /// What each target rolls against it: {"attribute": "DEX", "difficulty": 15, "success": "half"}
    pub(super) save: Option<SaveParams>,
    /// The log number of the damage roll; "last".
    pub(super) roll: Option<NumberOrWord>,
    /// slashing, cold, …
    pub(super) damage_type: Option<String>,
    /// Instead of amount: several kinds in one hit.
    #[serde(default)]
    pub(super) parts: Vec<Part>,
    /// Rules that take nothing off now.
    #[serde(default)]
    pub(super) bypass: Vec<String>,
    /// Another track than health; or the choice the rules leave.
    pub(super) track: Option<String>,
    /// Half of it.
    pub(super) half: Option<bool>,
    #[serde(default)]
    pub(super) apply_conditions: Vec<String>,
    #[serde(default)]
    pub(super) remove_conditions: Vec<String>,
    /// true: also conditions that no rule knows.
    pub(super) free: Option<bool>,
    /// Change nothing.
    pub(super) preview: Option<bool>,
    /// Why; for those who may know the amount.
    pub(super) reason: Option<String>,
    /// The name, when target is "npc".
    pub(super) npc_name: Option<String>,
    /// Default public.
    pub(super) visibility: Option<Visibility>,
}

impl Params {
    /// The same with healing as a negative amount. Refused: healing beside damage, of less than 1.
    pub(super) fn with_healing(mut self) -> Result<Params, Refusal> {
        let refused = |summary: &str| Err(Refusal::new(Code::InvalidParameters, summary));
        let heal = match self.heal.take() {
            None => return Ok(self),
            Some(_) if self.amount.is_some() || !self.parts.is_empty() => {
                return refused("heal is healing and amount is damage. Send one of the two.");
            }
            Some(NumberOrWord::Number(heal)) => heal.checked_neg().map(NumberOrWord::Number),
            Some(NumberOrWord::Word(text)) => {
                let dice = rollbook_dice::read(&text).map_err(|error| dice_refusal(&error))?;
                let turned = dice.negative().map_err(|error| dice_refusal(&error))?;
                Some(turned)
                    .filter(Expression::is_taken_away)
                    .map(|dice| NumberOrWord::Word(dice.to_string()))
            }
        };
        match heal {
            Some(NumberOrWord::Number(0..)) | None => {
                refused("heal is how much is healed. Send heal=5, or heal=\"2d4+2\".")
            }
            heal => {
                self.amount = heal;
                Ok(self)
            }
        }
    }
}

/// The check that eases it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct SaveParams {
    check: Option<String>,
    skill: Option<String>,
    attribute: Option<String>,
    difficulty: Option<NumberOrWord>,
    success: Option<Eased>,
    failure: Option<FailureParams>,
}

/// What a success lets through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Eased {
    Half,
    None,
}

/// What less than a success brings.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct FailureParams {
    #[serde(default)]
    conditions: Vec<String>,
}

/// The entry that `roll` names; `None` is the last one.
pub(super) fn entry_number(name: &NumberOrWord) -> Result<Option<u64>, Refusal> {
    match name {
        NumberOrWord::Number(number) => u64::try_from(*number).map(Some).map_err(|_| {
            of_earlier_log(
                "roll",
                *number,
                "Send amount= with what it came to, or roll the dice anew.",
            )
        }),
        NumberOrWord::Word(word) if same(word, "last") => Ok(None),
        NumberOrWord::Word(word) => {
            let issue = format!("\"{}\" is no entry", quoted(word));
            let valid_range = "the number that a reply gave as log, or \"last\"";
            let summary = format!("roll: {issue}; it takes {valid_range}. Send roll=\"last\".");
            Err(invalid("roll", &issue, valid_range, summary))
        }
    }
}

/// The call as the game takes it; `referred` is the entry that `roll` names.
pub(super) fn area_call(
    state: &State,
    system: &System,
    referred: Option<&(u64, Entry)>,
    mut params: Params,
) -> Result<AreaCall, Refusal> {
    let targets = match &params.target {
        Whom::One(_) => vec![target(state, &params)?],
        Whom::Several(names) => names.clone(),
    };
    let dice = match &params.amount {
        Some(NumberOrWord::Word(input)) => {
            let (read, damage_type) =
                read_typed(state, system, "amount", input, params.damage_type.take())?;
            params.damage_type = damage_type;
            Some((read, input.clone()))
        }
        Some(NumberOrWord::Number(_)) | None => None,
    };
    let save = params
        .save
        .take()
        .map(|params| save(params, system))
        .transpose()?;
    let (visibility, each) = (params.visibility, params.each.unwrap_or(false));
    let hit = damage_call(referred, params)?;
    Ok(AreaCall {
        targets,
        hit,
        dice,
        each,
        save,
        visibility,
    })
}

pub(super) fn save(params: SaveParams, system: &System) -> Result<Save, Refusal> {
    let eased = params.success.unwrap_or(Eased::Half);
    let (difficulty, reach) = to_reach(params.difficulty, system)?;
    let check = CheckCall {
        check: params.check,
        skill: params.skill,
        attribute: params.attribute,
        difficulty,
        reach,
        saves: true,
        ..CheckCall::default()
    };
    let failure = params
        .failure
        .map(|failure| failure.conditions)
        .unwrap_or_default();
    Ok(Save {
        check,
        success: Measure::Half,
        failure,
        evades: eased == Eased::None,
    })
}

/// The same for one of them, whose name comes later.
pub(super) fn damage_call(
    referred: Option<&(u64, Entry)>,
    params: Params,
) -> Result<DamageCall, Refusal> {
    Ok(DamageCall {
        amount: match params.amount {
            Some(NumberOrWord::Number(amount)) => Some(amount),
            Some(NumberOrWord::Word(_)) | None => None,
        },
        damage_type: params.damage_type,
        parts: params.parts,
        bypass: params.bypass,
        track: params.track,
        measure: if params.half == Some(true) {
            Measure::Half
        } else {
            Measure::Once
        },
        apply_conditions: params.apply_conditions,
        remove_conditions: params.remove_conditions,
        free: params.free.unwrap_or(false),
        reason: params.reason,
        // `roll="last"` gets its number here.
        roll: params.roll.and(referred.map(|(seq, _)| *seq)),
        ..DamageCall::default()
    })
}

pub(super) fn target(state: &State, params: &Params) -> Result<String, Refusal> {
    let Whom::One(target) = &params.target else {
        return Ok(String::new());
    };
    // A campaign from before "npc" was reserved may have a character of that name.
    let named = || params.npc_name.is_none() && lookup::by_name(state, target).is_some();
    if !same(target, "npc") || named() {
        return Ok(target.clone());
    }
    params.npc_name.clone().ok_or_else(|| {
        let summary = "target=\"npc\" needs npc_name. Send target=\"Goblin 1\", the name itself.";
        Refusal::new(Code::InvalidParameters, summary)
    })
}
