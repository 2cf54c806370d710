//! The odds of a check: every row of its outcomes, for the character who makes it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::expression::{CUT_OFF_MAX, fraction};
use crate::tools::schema::Object;
use rollbook_dice::odds::Ratio;
use rollbook_game::decide::check::CheckCall;
use rollbook_game::decide::odds::{Chances, DamageOdds, Row, ValueOdds};

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
    /// Where a tie is rolled again.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    won_in_the_end: Option<Chance>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    decided_by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    again: Option<Again>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    damage: Option<Damage>,
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
    fn of(value: &ValueOdds, cut: &Ratio) -> ValueChances {
        let each = || value.chances.iter().map(|(number, chance)| (*number, chance.percent_bounded(4, cut))).collect();
        ValueChances {
            value: value.name.clone(),
            mean: format!("{:.4}", value.mean()),
            percent: (value.chances.len() <= NUMBERS_MAX).then(each),
        }
    }
}

/// The rule by which rolls are followed where that pays, and the chance of that.
#[derive(Serialize)]
struct Again {
    rule: String,
    #[serde(flatten)]
    chance: Chance,
}

/// Numbers of points whose chances are told one by one.
const POINTS_MAX: usize = 200;

/// What comes through to the target, of a miss nothing.
#[derive(Serialize)]
struct Damage {
    target: String,
    mean: String,
    /// In percent, by points; `None` where those are too many.
    #[serde(skip_serializing_if = "Option::is_none")]
    percent: Option<BTreeMap<i64, String>>,
    down: Chance,
    /// That the damage is for the GM to say.
    #[serde(skip_serializing_if = "Option::is_none")]
    gm: Option<Chance>,
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

impl Reply {
    pub(super) fn of(found: Chances) -> Reply {
        let Chances { check, rows, flags, values, cut, against, again, damage, notes: _ } = found;
        let chance = |ratio: &Ratio| Chance::of(ratio, &cut);
        let outcome = |row: &Row| Outcome {
            outcome: row.outcome.map(|outcome| outcome.as_str().replace(' ', "_")),
            label: row.label.clone(),
            rule: row.rule.clone(),
            chance: chance(&row.chance),
        };
        Reply {
            check: check.unwrap_or_default(),
            outcomes: rows.iter().map(outcome).collect(),
            flags: flags
                .iter()
                .map(|flag| FlagChance { flag: flag.name.clone(), chance: chance(&flag.chance) })
                .collect(),
            values: values.iter().map(|value| ValueChances::of(value, &cut)).collect(),
            won: against.as_ref().map(|against| chance(&against.won)),
            tie: against.as_ref().map(|against| chance(&against.tie)),
            won_in_the_end: against.as_ref().and_then(|against| against.won_in_the_end.as_ref()).map(chance),
            decided_by: against.map(|against| against.rule),
            again: again.map(|(rule, followed)| Again { rule, chance: chance(&followed) }),
            damage: damage.as_ref().map(Damage::of),
            cut_off: (!cut.is_zero()).then(|| cut.with_size(CUT_OFF_MAX)),
        }
    }
}

impl Chance {
    fn of(ratio: &Ratio, cut: &Ratio) -> Chance {
        Chance { percent: ratio.percent_bounded(4, cut), fraction: fraction(ratio) }
    }
}

impl Damage {
    fn of(damage: &DamageOdds) -> Damage {
        let each =
            || damage.points.iter().map(|(points, chance)| (*points, chance.percent_bounded(4, &damage.cut))).collect();
        Damage {
            target: damage.target.clone(),
            mean: damage.mean.to_decimal(4),
            percent: (damage.points.len() <= POINTS_MAX).then(each),
            down: Chance::of(&damage.down, &damage.cut),
            gm: (!damage.unread.is_zero()).then(|| Chance::of(&damage.unread, &damage.cut)),
        }
    }
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
    for (name, chance) in [("wins", &reply.won), ("tie", &reply.tie), ("wins in the end", &reply.won_in_the_end)] {
        chances.extend(chance.as_ref().map(|chance| format!("{name} {} %", chance.percent)));
    }
    let flags: Vec<String> =
        reply.flags.iter().map(|flag| format!("{} {} %", flag.flag, flag.chance.percent)).collect();
    let values: Vec<String> =
        reply.values.iter().map(|value| format!("{} {} on average", value.value, value.mean)).collect();
    let values = if values.is_empty() { String::new() } else { format!(" Values: {}.", values.join(", ")) };
    let flags = if flags.is_empty() { String::new() } else { format!(" Flags: {}.", flags.join(", ")) };
    let again = reply
        .again
        .as_ref()
        .map_or_else(String::new, |again| format!(" {} follows {} %.", again.rule, again.chance.percent));
    let damage = reply.damage.as_ref().map_or_else(String::new, |damage| {
        format!(" {} takes {} on average and is down {} %.", damage.target, damage.mean, damage.down.percent)
    });
    format!("{}: {}.{flags}{values}{again}{damage}", about.join(", "), chances.join(", "))
}
