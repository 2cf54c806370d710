//! Chances as JSON, for programs: exact fractions, their parts as text.

use serde_json::{Value, json};

use super::outcomes::Line;
use crate::dice::Band;
use crate::dice::odds::{Odds, Ratio};

/// The chances of every total, and the one that was asked for.
pub(super) fn of_totals(expression: &str, odds: &Odds, asked: Option<(String, Ratio)>) -> Value {
    let totals = &odds.totals;
    let each: Vec<Value> = totals
        .outcomes()
        .map(|(total, chance)| {
            let mut row = ratio(&chance);
            if let Some(row) = row.as_object_mut() {
                row.insert("total".to_owned(), json!(total));
            }
            row
        })
        .collect();
    let mut value = json!({
        "expression": expression,
        "mean": ratio(&totals.mean()),
        "deviation": totals.deviation(),
        "min": totals.min(),
        "max": totals.max(),
        "totals": each,
        "cut_off": ratio(&totals.cut()),
    });
    if let Some(fields) = value.as_object_mut() {
        if let Some((what, chance)) = asked {
            fields.insert("asked".to_owned(), json!({"what": what, "chance": ratio(&chance)}));
        }
        if let Some(success) = &odds.success {
            fields.insert("success".to_owned(), ratio(success));
        }
        if !odds.bands.is_empty() {
            fields.insert("bands".to_owned(), odds.bands.iter().map(in_band).collect());
        }
    }
    value
}

/// The chances of a check's outcomes, a line a difficulty.
pub(super) fn of_check(name: &str, lines: &[Line]) -> Value {
    let lines = lines.iter().map(|(difficulty, found)| {
        let rows = found.rows.iter().map(|row| {
            json!({
                "outcome": row.outcome,
                "label": row.label,
                "rule": row.rule,
                "chance": ratio(&row.chance),
            })
        });
        let flags = found.flags.iter().map(|flag| json!({"flag": flag.name, "chance": ratio(&flag.chance)}));
        let values = found.values.iter().map(|own| {
            let number = |(number, chance): &(i64, Ratio)| json!({"is": number, "chance": ratio(chance)});
            json!({"value": own.name, "chances": own.chances.iter().map(number).collect::<Vec<Value>>()})
        });
        let mut line = json!({
            "difficulty": difficulty,
            "outcomes": rows.collect::<Vec<Value>>(),
            "flags": flags.collect::<Vec<Value>>(),
            "values": values.collect::<Vec<Value>>(),
            "cut_off": ratio(&found.cut),
        });
        if let (Some(against), Some(line)) = (&found.against, line.as_object_mut()) {
            line.insert("against".to_owned(), json!({"won": ratio(&against.won), "tie": ratio(&against.tie)}));
        }
        if let (Some((rule, chance)), Some(line)) = (&found.again, line.as_object_mut()) {
            line.insert("again".to_owned(), json!({"rule": rule, "chance": ratio(chance)}));
        }
        line
    });
    json!({"check": name, "odds": lines.collect::<Vec<Value>>()})
}

/// The chance of a range of totals; without a bound where it has none.
fn in_band((band, chance): &(Band, Ratio)) -> Value {
    let mut row = ratio(chance);
    if let Some(row) = row.as_object_mut() {
        let ends = [("from", band.low), ("to", band.high)];
        row.extend(ends.into_iter().filter_map(|(name, end)| Some((name.to_owned(), json!(end?)))));
    }
    row
}

/// An exact fraction; its parts as text, because they outgrow every number type.
fn ratio(ratio: &Ratio) -> Value {
    let sign = if ratio.is_negative() { "-" } else { "" };
    let (top, bottom) = ratio.parts();
    json!({
        "numerator": format!("{sign}{top}"),
        "denominator": bottom.to_string(),
        "decimal": ratio.to_decimal(6),
    })
}
