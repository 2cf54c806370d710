//! The odds of a check: every row of its outcomes, for the character who makes it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::expression::{CUT_OFF_MAX, fraction};
use super::params::Params;
use crate::dice::odds::Ratio;
use crate::game::decide::check::{CheckCall, Opponent};
use crate::game::decide::odds::{Chances, Row, ValueOdds, chances};
use crate::game::record::state::State;
use crate::game::refusal::Refusal;
use crate::game::table::Setting;
use crate::rules::System;
use crate::tools::difficulty;
use crate::tools::schema::Object;

/// The outcomes, the best first.
#[derive(Serialize, JsonSchema)]
pub struct Reply {
    check: String,
    /// {outcome, label, rule, percent, fraction}
    #[schemars(with = "Vec<Object>")]
    outcomes: Vec<Outcome>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    flags: Vec<FlagChance>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    values: Vec<ValueChances>,
    /// Of two who roll against each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    won: Option<Chance>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    tie: Option<Chance>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    cut_off: Option<String>,
}

#[derive(Serialize)]
struct Outcome {
    /// `None` where the rules leave it to the GM.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<String>,
    #[serde(flatten)]
    chance: Chance,
}

/// Numbers of a value whose chances are told one by one.
const NUMBERS_MAX: usize = 60;

#[derive(Serialize)]
struct ValueChances {
    value: String,
    mean: String,
    /// In percent, by number; `None` where those are too many.
    #[serde(skip_serializing_if = "Option::is_none")]
    percent: Option<BTreeMap<i64, String>>,
}

impl ValueChances {
    fn of(own: &ValueOdds, cut: &Ratio) -> ValueChances {
        let each = || own.chances.iter().map(|(number, chance)| (*number, chance.percent_bounded(4, cut))).collect();
        ValueChances {
            value: own.name.clone(),
            mean: format!("{:.4}", own.mean()),
            percent: (own.chances.len() <= NUMBERS_MAX).then(each),
        }
    }
}

#[derive(Serialize)]
struct FlagChance {
    flag: String,
    #[serde(flatten)]
    chance: Chance,
}

#[derive(Serialize)]
struct Chance {
    percent: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    fraction: Option<String>,
}

/// The chances of this call as it would be made now.
pub(super) fn odds(state: &State, setting: &Setting, call: &CheckCall) -> Result<Reply, Refusal> {
    let Chances { check, rows, flags, values, cut, against, again: _ } = chances(state, setting, call)?;
    let chance = |ratio: &Ratio| Chance { percent: ratio.percent_bounded(4, &cut), fraction: fraction(ratio) };
    let outcome = |row: &Row| Outcome {
        outcome: row.outcome.map(|outcome| outcome.as_str().replace(' ', "_")),
        label: row.label.clone(),
        rule: row.rule.clone(),
        chance: chance(&row.chance),
    };
    Ok(Reply {
        check: check.unwrap_or_default(),
        outcomes: rows.iter().map(outcome).collect(),
        flags: flags.iter().map(|flag| FlagChance { flag: flag.name.clone(), chance: chance(&flag.chance) }).collect(),
        values: values.iter().map(|own| ValueChances::of(own, &cut)).collect(),
        won: against.as_ref().map(|against| chance(&against.won)),
        tie: against.as_ref().map(|against| chance(&against.tie)),
        cut_off: (!cut.is_zero()).then(|| cut.with_size(CUT_OFF_MAX)),
    })
}

/// "Attempt, Lockpicking, difficulty 15: success 60.0000 %, failure 40.0000 %."
pub(super) fn summary(reply: &Reply, call: &CheckCall) -> String {
    let mut about = vec![reply.check.clone()];
    about.extend(call.skill.iter().chain(&call.attribute).cloned());
    about.extend(call.difficulty.map(|difficulty| format!("difficulty {difficulty}")));
    let mut chances: Vec<String> = Vec::new();
    for row in &reply.outcomes {
        let name = row.label.as_ref().or(row.outcome.as_ref()).map_or("for the GM to say", String::as_str);
        chances.push(format!("{name} {} %", row.chance.percent));
    }
    for (name, chance) in [("wins", &reply.won), ("tie", &reply.tie)] {
        chances.extend(chance.as_ref().map(|chance| format!("{name} {} %", chance.percent)));
    }
    let flags: Vec<String> =
        reply.flags.iter().map(|flag| format!("{} {} %", flag.flag, flag.chance.percent)).collect();
    let values: Vec<String> = reply.values.iter().map(|own| format!("{} {} on average", own.value, own.mean)).collect();
    let values = if values.is_empty() { String::new() } else { format!(" Values: {}.", values.join(", ")) };
    let flags = if flags.is_empty() { String::new() } else { format!(" Flags: {}.", flags.join(", ")) };
    format!("{}: {}.{flags}{values}", about.join(", "), chances.join(", "))
}

impl Params {
    /// The call whose odds are asked for.
    pub(super) fn into_call(mut self, system: &System) -> Result<CheckCall, Refusal> {
        difficulty::among(&mut self.values, system)?;
        Ok(CheckCall {
            skill: self.skill,
            character: self.character,
            check: self.check,
            difficulty: self.difficulty.map(|own| own.number(system)).transpose()?,
            attribute: self.attribute,
            advantage: self.advantage.unwrap_or(false),
            disadvantage: self.disadvantage.unwrap_or(false),
            modifier: self.modifier.unwrap_or(0),
            target: self.target,
            values: self.values,
            steps: self.steps.unwrap_or(0),
            opposed_by: self.opposed_by.map(Opponent::from),
            ..CheckCall::default()
        })
    }
}
