//! Chances as JSON, for programs: exact fractions, their parts as text. `docs/odds.md` has the shapes.

use serde_json::{Map, Value, json};

use super::columns::{Line, success};
use super::compare::{Comparison, DiceComparison, Row};
use super::skills::SkillTable;
use rollbook_dice::Band;
use rollbook_dice::odds::{Odds, Ratio};
use rollbook_game::decide::odds::{Chances, DamageOdds};

/// The chances of every total, and the one that was asked for.
pub(super) fn of_totals(expression: &str, odds: &Odds, asked: Option<(String, Ratio)>) -> Value {
    let totals = &odds.totals;
    let each: Vec<Value> =
        totals.outcomes().map(|(total, chance)| with(ratio(&chance), "total", json!(total))).collect();
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
    json!({"check": name, "odds": of_lines(lines)})
}

/// Two sides, with what the second has more.
pub(super) fn of_comparison(own: &Comparison) -> Value {
    let row = |row: &Row| {
        json!({
            "what": row.name,
            "kind": row.kind,
            "one": ratio(&row.one),
            "other": ratio(&row.other),
            "difference": ratio(&row.other.minus(&row.one)),
        })
    };
    let mean = |(name, one, other): (String, Option<f64>, Option<f64>)| {
        let difference = one.zip(other).map(|(one, other)| other - one);
        json!({"what": name, "one": one, "other": other, "difference": difference})
    };
    let [(one, first), (other, second)] = &own.sides;
    json!({
        "compare": own.kind.as_str(),
        "check": own.name,
        "difficulty": own.difficulty,
        "rows": own.rows().iter().map(row).collect::<Vec<Value>>(),
        "means": own.means().into_iter().map(mean).collect::<Vec<Value>>(),
        "one": with(of_chances(own.difficulty, first), "name", json!(one)),
        "other": with(of_chances(own.difficulty, second), "name", json!(other)),
    })
}

/// The totals of two expressions side by side.
pub(super) fn of_dice(own: &DiceComparison) -> Value {
    let total = |(total, one, other): (i64, Ratio, Ratio)| json!({"total": total, "one": ratio(&one), "other": ratio(&other), "difference": ratio(&other.minus(&one))});
    json!({
        "compare": "dice",
        "one": of_totals(&own.names[0], &own.odds[0], None),
        "other": of_totals(&own.names[1], &own.odds[1], None),
        "totals": own.totals().into_iter().map(total).collect::<Vec<Value>>(),
    })
}

pub(super) fn of_skills(own: &SkillTable) -> Value {
    let skill = |(name, cells): &(String, Vec<Result<Chances, String>>)| {
        let each = own.difficulties.iter().zip(cells).map(|((difficulty, word), cell)| {
            let value = match cell {
                Ok(found) => of_chances(*difficulty, found),
                Err(why) => json!({"difficulty": difficulty, "refused": why}),
            };
            match word {
                Some(word) => with(value, "word", json!(word)),
                None => value,
            }
        });
        json!({"skill": name, "odds": each.collect::<Vec<Value>>()})
    };
    let skills = own.rows.iter().map(skill).collect::<Vec<Value>>();
    let table = json!({"check": own.check, "character": own.character, "skills": skills});
    match &own.attribute {
        Some(attribute) => with(table, "attribute", json!(attribute)),
        None => table,
    }
}

fn of_lines(lines: &[Line]) -> Vec<Value> {
    lines.iter().map(|(difficulty, found)| of_chances(*difficulty, found)).collect()
}

fn of_chances(difficulty: Option<i64>, found: &Chances) -> Value {
    let rows = found.rows.iter().map(|row| {
        json!({
            "outcome": row.outcome,
            "label": row.label,
            "rule": row.rule,
            "chance": ratio(&row.chance),
        })
    });
    let flags = found.flags.iter().map(|flag| json!({"flag": flag.name, "chance": ratio(&flag.chance)}));
    let mut line = Map::new();
    line.insert("difficulty".to_owned(), json!(difficulty));
    line.insert("outcomes".to_owned(), rows.collect());
    line.insert("flags".to_owned(), flags.collect());
    line.insert("values".to_owned(), of_values(found));
    line.insert("cut_off".to_owned(), ratio(&found.cut));
    line.extend(success(found).map(|chance| ("success".to_owned(), ratio(&chance))));
    if let Some(against) = &found.against {
        let own = json!({"won": ratio(&against.won), "tie": ratio(&against.tie), "decided_by": against.rule, "rule": against.place});
        let own = match &against.won_in_the_end {
            Some(won) => with(own, "won_in_the_end", ratio(won)),
            None => own,
        };
        line.insert("against".to_owned(), own);
    }
    if let Some((rule, chance)) = &found.again {
        line.insert("again".to_owned(), json!({"rule": rule, "chance": ratio(chance)}));
    }
    line.extend(found.damage.as_ref().map(|own| ("damage".to_owned(), of_damage(own))));
    if !found.notes.is_empty() {
        line.insert("notes".to_owned(), json!(found.notes));
    }
    Value::Object(line)
}

/// The values of a check, or the symbols on dice.
pub(super) fn of_values(found: &Chances) -> Value {
    let values =
        found.values.iter().map(|own| json!({"value": own.name, "mean": own.mean(), "chances": numbers(&own.chances)}));
    values.collect()
}

fn of_damage(own: &DamageOdds) -> Value {
    json!({
        "target": own.target,
        "mean": ratio(&own.mean),
        "points": numbers(&own.points),
        "down": ratio(&own.down),
        "for_the_gm": ratio(&own.unread),
        "cut_off": ratio(&own.cut),
    })
}

fn numbers(chances: &[(i64, Ratio)]) -> Vec<Value> {
    chances.iter().map(|(number, chance)| json!({"is": number, "chance": ratio(chance)})).collect()
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

fn with(mut value: Value, name: &str, own: Value) -> Value {
    if let Some(fields) = value.as_object_mut() {
        fields.insert(name.to_owned(), own);
    }
    value
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
