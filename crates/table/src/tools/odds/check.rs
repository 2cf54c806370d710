//! The odds of a check: every row of its outcomes, for the character who makes it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::expression::{CUT_OFF_MAX, fraction};
use crate::tools::reply::{fields, filled};
use crate::tools::schema::Object;
use rollbook_dice::odds::Ratio;
use rollbook_game::decide::check::CheckCall;
use rollbook_game::decide::odds::{Chances, DamageOdds, Row, ValueOdds};

/// Numbers of a value, and points of damage, whose chances are listed one by one.
const NUMBERS_MAX: usize = 60;
const POINTS_MAX: usize = 200;

/// The outcomes, the best first.
#[derive(Serialize, JsonSchema)]
pub struct Reply {
    check: String,
    /// {outcome, label, rule, percent, fraction}
    #[schemars(with = "Vec<Object>")]
    outcomes: Vec<Value>,
    // flags, values; won, tie, won_in_the_end, decided_by of two who roll; again, damage, cut_off.
    #[serde(flatten)]
    #[schemars(skip)]
    more: Map<String, Value>,
}

impl Reply {
    pub(super) fn of(found: &Chances) -> Reply {
        let chance = |ratio: &Ratio| chance(json!({}), ratio, &found.cut);
        let outcome = |row: &Row| {
            let outcome = row
                .outcome
                .map(|outcome| outcome.as_str().replace(' ', "_"));
            let row_fields = json!({"outcome": outcome, "label": row.label, "rule": row.rule});
            self::chance(row_fields, &row.chance, &found.cut)
        };
        let flags = found
            .flags
            .iter()
            .map(|(name, chance)| self::chance(json!({"flag": name}), chance, &found.cut));
        let against = found.against.as_ref();
        let again = found.again.as_ref();
        let more = json!({
            "flags": filled(flags.collect::<Vec<_>>()),
            "values": filled(found.values.iter().map(|value| numbers(value, &found.cut)).collect::<Vec<_>>()),
            "won": against.map(|against| chance(&against.won)),
            "tie": against.map(|against| chance(&against.tie)),
            "won_in_the_end": against.and_then(|against| against.won_in_the_end.as_ref()).map(chance),
            "decided_by": against.map(|against| &against.rule),
            "again": again.map(|(rule, followed)| self::chance(json!({"rule": rule}), followed, &found.cut)),
            "damage": found.damage.as_ref().map(damage),
            "cut_off": (!found.cut.is_zero()).then(|| found.cut.with_size(CUT_OFF_MAX)),
        });
        Reply {
            check: found.check.clone().unwrap_or_default(),
            outcomes: found.rows.iter().map(outcome).collect(),
            more: fields(&more),
        }
    }
}

fn chance(of: Value, ratio: &Ratio, cut: &Ratio) -> Value {
    let mut of = fields(&of);
    of.extend(fields(
        &json!({"percent": ratio.percent_bounded(4, cut), "fraction": fraction(ratio)}),
    ));
    Value::Object(of)
}

/// In percent, by number; `None` where there are too many.
fn percents(chances: &[(i64, Ratio)], most: usize, cut: &Ratio) -> Option<BTreeMap<i64, String>> {
    let percents = chances
        .iter()
        .map(|(number, chance)| (*number, chance.percent_bounded(4, cut)));
    (chances.len() <= most).then(|| percents.collect())
}

fn numbers(value: &ValueOdds, cut: &Ratio) -> Value {
    let percent = percents(&value.chances, NUMBERS_MAX, cut);
    Value::Object(fields(
        &json!({"value": value.name, "mean": format!("{:.4}", value.mean()), "percent": percent}),
    ))
}

/// What comes through to the target, of a miss nothing; `gm`: that the damage is for the GM to say.
fn damage(damage: &DamageOdds) -> Value {
    let chance = |ratio: &Ratio| chance(json!({}), ratio, &damage.cut);
    Value::Object(fields(&json!({
        "target": damage.target,
        "mean": damage.mean.to_decimal(4),
        "percent": percents(&damage.points, POINTS_MAX, &damage.cut),
        "down": chance(&damage.down),
        "gm": (!damage.unread.is_zero()).then(|| chance(&damage.unread)),
    })))
}

/// "Attempt, Lockpicking, difficulty 15: success 60.0000 %, failure 40.0000 %."
pub(super) fn summary(found: &Chances, call: &CheckCall) -> String {
    let percent = |ratio: &Ratio| ratio.percent_bounded(4, &found.cut);
    let mut about = vec![found.check.clone().unwrap_or_default()];
    about.extend(call.skill.iter().chain(&call.attribute).cloned());
    about.extend(
        call.difficulty
            .map(|difficulty| format!("difficulty {difficulty}")),
    );
    let mut chances: Vec<String> = Vec::new();
    for row in &found.rows {
        let outcome = row
            .outcome
            .map(|outcome| outcome.as_str().replace(' ', "_"));
        let name = row
            .label
            .clone()
            .or(outcome)
            .unwrap_or_else(|| "for the GM to say".to_owned());
        chances.push(format!("{name} {} %", percent(&row.chance)));
    }
    if let Some(against) = &found.against {
        chances.push(format!("wins {} %", percent(&against.won)));
        chances.push(format!("tie {} %", percent(&against.tie)));
        chances.extend(
            against
                .won_in_the_end
                .as_ref()
                .map(|won| format!("wins in the end {} %", percent(won))),
        );
    }
    let flags: Vec<String> = found
        .flags
        .iter()
        .map(|(name, chance)| format!("{name} {} %", percent(chance)))
        .collect();
    let values: Vec<String> = found
        .values
        .iter()
        .map(|value| format!("{} {:.4} on average", value.name, value.mean()))
        .collect();
    let values = if values.is_empty() {
        String::new()
    } else {
        format!(" Values: {}.", values.join(", "))
    };
    let flags = if flags.is_empty() {
        String::new()
    } else {
        format!(" Flags: {}.", flags.join(", "))
    };
    let again = found
        .again
        .as_ref()
        .map_or_else(String::new, |(rule, followed)| {
            format!(" {rule} follows {} %.", percent(followed))
        });
    let damage = found.damage.as_ref().map_or_else(String::new, |damage| {
        let (mean, down) = (
            damage.mean.to_decimal(4),
            damage.down.percent_bounded(4, &damage.cut),
        );
        format!(
            " {} takes {mean} on average and is down {down} %.",
            damage.target
        )
    });
    format!(
        "{}: {}.{flags}{values}{again}{damage}",
        about.join(", "),
        chances.join(", ")
    )
}
